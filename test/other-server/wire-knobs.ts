import { networkInterfaces } from 'node:os'

/** Decisions where HTTP leaves a choice; most of them have an effect over a socket only. */
export interface WireKnobs {
  /** Where it listens, and nowhere else. */
  address: '127.0.0.1' | '::1'
  /** The most milliseconds by which an answer over a socket is late, so that a later one may come before it. */
  lateBy: number
  /** Whether it closes a connection, without a word, once an answer is out. */
  idleConnections: 'kept' | 'closed'
  /** Sends 100 or 103 before each answer. */
  informational: 'none' | 'continue' | 'earlyHints'
  trailers: boolean
  /** In how many pieces a body comes, some milliseconds apart. */
  pieces: number
  headerNames: 'lower' | 'upper' | 'mixed'
  /** Sends headers twice that say the same. */
  headersTwice: boolean
  cookies: number
  /** The length of an unneeded header. */
  longestHeader: number
  /** Cache headers in every answer. */
  caches: boolean
  /** By how many milliseconds the Date of its answers is ahead. */
  dateAhead: number
  contentTypeOfErrors: 'same' | 'problem'
  around: 'nothing' | 'spaces' | 'byteOrderMark'
  /** The share of requests that it, or a proxy before it, is too busy for. */
  busy: number
  /** The share of requests that are refused with 429, however slowly they come, and without a time to wait. */
  refused: number
  /** The share of requests with a reset connection, before or after the work. */
  reset: number
  /** The most that an answer takes beyond `answersAfter`, in milliseconds. */
  answersWithin: number
  /** Every so many requests one takes three seconds longer. */
  slowEvery: number
}

export const plainWire: WireKnobs = {
  address: '127.0.0.1',
  lateBy: 0,
  idleConnections: 'kept',
  informational: 'none',
  trailers: false,
  pieces: 1,
  headerNames: 'lower',
  headersTwice: false,
  cookies: 0,
  longestHeader: 0,
  caches: false,
  dateAhead: 0,
  contentTypeOfErrors: 'same',
  around: 'nothing',
  busy: 0,
  refused: 0,
  reset: 0,
  answersWithin: 0,
  slowEvery: Infinity,
}

const hour = 3_600_000

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

const overIpv6 = {
  'it listens on IPv6 alone': { address: '::1' },
  'it listens on IPv6 alone, and paths have a prefix': { address: '::1', prefix: '/tenant-7/crm', cookies: 2 },
} as const

/** Each is tried over a socket. */
export const freedomsOfTheWire = {
  ...(hasIpv6 ? overIpv6 : {}),
  'each connection takes one request': { keepAlive: false },
  'idle connections are closed at once': { idleConnections: 'closed' },
  'answers are chunked': { chunked: true },
  'answers come in eight pieces': { chunked: true, pieces: 8 },
  'answers of a known length come in eight pieces': { pieces: 8 },
  'answers have trailers': { chunked: true, trailers: true },
  'answers are compressed, and come in pieces': { compression: 'always', chunked: true, pieces: 5 },
  'answers are compressed with brotli': { compression: 'brotli' },
  'answers are deflated': { compression: 'deflate' },
  'answers are deflated without a header': { compression: 'rawDeflate' },
  '100 comes before each answer': { informational: 'continue' },
  '103 comes before each answer': { informational: 'earlyHints' },
  'names of headers are in capitals': { headerNames: 'upper' },
  'names of headers are in mixed case': { headerNames: 'mixed' },
  'headers come twice': { headersTwice: true },
  'headers come twice, and answers are compressed twice': { headersTwice: true, compression: 'twice' },
  'headers come twice, and too fast is 429': { headersTwice: true, rate: 200, retryAfter: 'seconds' },
  'answers are late, and overtake each other': { lateBy: 10 },
  'answers are late, over connections that are closed when idle': { lateBy: 10, idleConnections: 'closed' },
  'ids are percent-encoded in paths over sockets': { ids: 'escaped' },
  'there are several cookies': { cookies: 3 },
  'headers have 8 KiB': { longestHeader: 8192 },
  'answers tell how long they may be kept': { caches: true },
  'the date is seven hours ahead': { dateAhead: 7 * hour },
  'the date is days behind': { dateAhead: -75 * hour },
  'errors are problems': { contentTypeOfErrors: 'problem' },
  'there are spaces around JSON': { around: 'spaces' },
  'JSON begins with a byte order mark': { around: 'byteOrderMark' },
  'a connection is reset now and then': { reset: 0.02 },
  'a connection is reset now and then, and closed when idle': { reset: 0.02, idleConnections: 'closed' },
} as const

/** These have an effect without a socket, under a clock that moves only during waits. */
export const freedomsOfTime = {
  'the server is too busy now and then': { busy: 0.05 },
  'the server is too busy now and then, and says until when': { busy: 0.05, retryAfter: 'date' },
  'the server refuses one request in twenty': { refused: 0.05, retryAfter: 'none' },
  'the server refuses one request in five': { refused: 0.2, retryAfter: 'none' },
  'the server refuses every other request': { refused: 0.5, retryAfter: 'none' },
  'too fast is 429 with a date by a clock that is ahead': { rate: 200, retryAfter: 'date', dateAhead: 7 * hour },
  'too fast is 429 with a date by a clock that is behind': { rate: 200, retryAfter: 'date', dateAhead: -7 * hour },
  'answers take 200 to 800 ms': { answersAfter: 200, answersWithin: 600 },
  'an answer takes three seconds now and then': { slowEvery: 50 },
  'its clock is days ahead': { clockAhead: 75 * hour },
  'its clock is days behind': { clockAhead: -75 * hour },
  'its clock is days behind, and times are to the minute': { clockAhead: -75 * hour, times: 'minutes' },
  'times are those of the far east': { times: 'farEast' },
  'times are those of the far west': { times: 'farWest' },
  'errors are problems, and JSON begins with a byte order mark': {
    contentTypeOfErrors: 'problem',
    around: 'byteOrderMark',
  },
} as const

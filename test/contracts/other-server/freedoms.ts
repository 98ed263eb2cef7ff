import { chances } from '../../tier.ts'
import { decisions, type Switches } from './switches.ts'

type Freedoms = Readonly<Record<string, Partial<Switches>>>

/** Other switches that make a decision visible. */
const needed: Readonly<Record<string, Partial<Switches>>> = {
  retryAfter: { rate: 200 },
  lagOf: { lag: 250 },
  aboveLargest: { largestLimit: 50 },
}

const otherDecisions = Object.entries(decisions).flatMap(([name, [, ...others]]) =>
  others.map((choice) => [`${name} is ${choice}`, { [name]: choice, ...needed[name] }] as const),
)

const numbers = ['No', 'One', 'Two', 'Three']

/** Servers that decide one thing differently, and are no less right for it. */
export const freedoms: Freedoms = {
  ...Object.fromEntries(otherDecisions),
  'ids are percent-encoded in paths, and others are malformed': { ids: 'escaped', malformedId: 400 },
  'ids are UUIDs, and others are malformed': { ids: 'uuid', malformedId: 400 },
  'ids are numbers, and others are malformed': { ids: 'number', malformedId: 400 },
  'errors speak German': { text400: 'Die Anfrage ist ungültig', text404: 'Nicht gefunden' },
  'paths have a prefix': { prefix: '/tenant-7/crm' },
  'too fast is 429 with seconds': { rate: 100 },
  'reads lag 50 ms': { lag: 50 },
  'reads lag 250 ms': { lag: 250 },
  'reads lag 900 ms': { lag: 900 },
  'phone numbers of contacts must be plausible': { phones: 'plausible', phonesOfContacts: 'checked' },
  'numbers that are kept for fiction are refused of contacts too': { phones: 'noFiction', phonesOfContacts: 'checked' },
  'names have at most 60 characters': { longestName: 60 },
  'deletes are counted in words': { deletedText: (count) => `${numbers[count] ?? count} contact(s) removed` },
  'deletes are counted at the end': { deletedText: (count) => `Contacts deleted: ${count}` },
  'deletes are counted after the address': { deletedText: (count, address) => `For ${address} we deleted ${count}` },
  'deletes count all records': { deletedText: (count) => `${3 * count} records of ${count} contacts are deleted` },
  'messages are queued': { sentStatus: 'queued' },
  'messages are delivered before they are read': { laterStatus: 'delivered' },
  'bulk sends take half a second': { bulkAfter: 500 },
  'bulk sends take minutes': { bulkAfter: 120_000 },
  'pages have at most 20 items': { largestLimit: 20 },
  'WhatsApp templates are approved after a while': { approvedAfter: 20 },
}

/** Each is tried over a socket. */
export const freedomsOfTheWire: Freedoms = {
  'each connection takes one request': { keepAlive: false },
  'answers are chunked': { chunked: true },
  'answers are compressed with brotli': { compression: 'brotli' },
  'ids are percent-encoded in paths': { ids: 'escaped' },
  'paths have a prefix': { prefix: '/tenant-7/crm' },
  'the server is too busy for one request in twenty': { busy: 0.05 },
  'the server is too busy for one request in five, and says until when': { busy: 0.2, retryAfter: 'date' },
  'one connection in fifty is reset': { reset: 0.02 },
}

/** Switches turned at random, the same for the same seed: about one in ten. */
export function combine(seed: number): { readonly names: readonly string[]; readonly choices: Partial<Switches> } {
  const draw = chances(seed)
  const names = Object.keys(freedoms).filter((name) => !isSlow(freedoms[name] ?? {}) && draw() < 0.1)
  return { names, choices: Object.assign({}, ...names.map((name) => freedoms[name])) as Partial<Switches> }
}

/** With these, a run takes minutes. */
const isSlow = (switches: Partial<Switches>) => ['rate', 'lag', 'bulkAfter'].some((name) => name in switches)

import { plainWire, type WireKnobs } from './wire-knobs.ts'

/** The decisions of this server where the specification leaves a choice. */
export interface Knobs extends WireKnobs {
  // Ids and times
  ids: 'hex24' | 'uuid' | 'number' | 'prefixed' | 'long' | 'escaped' | 'alikeButForCase'
  malformedId: 404 | 400
  times:
    | 'milliseconds'
    | 'microseconds'
    | 'nanoseconds'
    | 'seconds'
    | 'minutes'
    | 'offset'
    | 'zeroOffset'
    | 'basicOffset'
    | 'noZone'
    | 'farEast'
    | 'farWest'
  timesOfReads: Knobs['times'] | 'same'
  /** By how many milliseconds its clock is ahead. */
  clockAhead: number
  /** By how many milliseconds a day begins earlier where the team is. */
  dayBegins: number
  // The envelope
  envelope: 'full' | 'bare' | 'noSuccess' | 'noMessage' | 'nulls'
  meta: boolean
  /** Headers with a rate limit, and with the id of the request. */
  countsRequests: boolean
  extraFields: boolean
  /** Contacts in conversations have more fields. */
  extraInContacts: boolean
  extraEnvelope: boolean
  extraInErrors: boolean
  fieldOrder: 'asWritten' | 'reversed'
  lacking: 'absent' | 'null' | 'empty'
  text400: string
  text404: string
  // The transport
  compression: 'never' | 'ifAsked' | 'always' | 'brotli' | 'deflate' | 'rawDeflate' | 'twice'
  keepAlive: boolean
  chunked: boolean
  charset: 'none' | 'lower' | 'upper'
  pretty: boolean
  endsWithNewline: boolean
  escaped: boolean
  prefix: string
  answersAfter: number
  rate: number
  /** Every so many requests one is refused with 503. */
  unavailableEvery: number
  /** How many wrong credentials are refused with 401 before it is 429, in a minute. */
  wrongCredentials: number
  retryAfter: 'none' | 'seconds' | 'date' | 'nonsense'
  lag: number
  lagOf: 'reads' | 'lists'
  /** Milliseconds until a delete takes effect. */
  deletesAfter: number
  /** `replayedForADay`: for the same request of the team only. */
  repeatedKey: 'ignored' | 'replayed' | 'replayedForADay' | 'refused'
  keys: 'any' | 'uuid'
  /** How many templates there are before, and whether others work meanwhile. */
  templatesBefore: number
  others: 'absent' | 'makeTemplates'
  // Callers
  tokens: 'everywhere' | 'onlyForTemplates' | 'onlyForReads' | 'nowhere'
  roleOfKey: 'admin' | 'agent'
  templatesOfOthers: 404 | 200
  // Validation
  casts: boolean
  /** Whether a body is looked at before the record that the path names. */
  bodyFirst: boolean
  /** An id in a body that no record has. */
  unknownTarget: 404 | 400
  unknownDeal: 404 | 400
  unlisted: 'kept' | 'dropped' | 'refused'
  customFields: 'kept' | 'dropped' | 'refused' | 'texts'
  customUpdate: 'replaced' | 'merged'
  sources: 'any' | 'known'
  emptyUpdate: 'taken' | 'refused'
  phones: 'e164' | 'plausible' | 'national' | 'noFiction' | 'noFictionInSends'
  phonesShown: 'asSent' | 'spaced'
  phonesOfContacts: 'any' | 'checked'
  emailDomains: 'any' | 'noExamples' | 'noExamplesInSends' | 'noExamplesAtAllInSends' | 'noExamplesOfCompanies'
  longestName: number
  longestCode: number
  longestContent: number
  shortestText: number
  highestPrice: number
  letters: 'any' | 'noEmoji' | 'noMarkup'
  personNames: 'any' | 'letters'
  spaces: 'kept' | 'trimmed' | 'collapsed'
  codes: 'asSent' | 'upperCase'
  currencies: 'any' | 'dollars'
  costs: 'any' | 'belowPrice'
  references: 'any' | 400 | 404
  urls: 'any' | 'reachable' | 'https'
  // Contacts and conversations
  matching: 'emailFirst' | 'phoneFirst' | 'allGiven'
  missingAddress: 'leftOut' | 'filledIn'
  knownContact: 'untouched' | 'renamed'
  unsentOnUpsert: 'kept' | 'cleared'
  plusInEmails: 'counts' | 'isIgnored'
  capitalsInEmails: 'count' | 'areIgnored'
  withoutAddress: 'refused' | 'makesContact'
  sameAddress: 'taken' | 'refused' | 'merged'
  contactStatus: 'open' | 'none'
  statusMoves: 'any' | 'stepByStep'
  emptyLists: 'shown' | 'absent'
  lists: 'asSent' | 'sorted'
  lifecycle: 'none' | 'lead'
  stages: 'any' | 'named'
  nameFromAddress: 'none' | 'address' | 'unknown'
  populatedName: 'both' | 'first' | 'lastFirst'
  emailsStored: 'asSent' | 'lowerCase'
  existsText: string
  deletedText: (count: number, address: string) => string
  nobodyWithEmail: 200 | 404
  withContact: 'everything' | 'nothing' | 'dealsToo'
  withDeal: 'quotes' | 'nothing'
  paginatedConversations: boolean
  conversationsOfUnknown: 404 | 200
  deleteOfUnknown: 404 | 200
  // Messages
  systemMessages: 'none' | 'atStart' | 'afterEachSend' | 'onTheSameChannel'
  sentStatus: string
  laterStatus: string | undefined
  extraPagination: boolean
  mergeFields: 'raw' | 'rendered'
  strangersOnWhatsapp: 'written' | 'refused'
  bulkWhatsapp: 'any' | 'templateOnly'
  threads: 'any' | 'known'
  bulkAfter: number
  mostRecipients: number
  media: 'any' | 'oneOf' | 'noneBySms'
  bulkToStranger: 'makesContact' | 'ignored'
  schedule: 'any' | 'dayFirst' | 'withinAYear'
  historyCounts: 'messages' | 'days'
  historyOrder: 'oldestFirst' | 'newestFirst'
  pageBeyond: 200 | 404 | 'last'
  pagesOfNothing: 0 | 1
  smallestLimit: number
  largestLimit: number
  aboveLargest: 'clamped' | 'refused'
  // Templates
  templateOrder: 'oldestFirst' | 'newestFirst' | 'byName'
  whatsappStarts: 'pending' | 'approved' | 'rejected'
  houseTemplates: boolean
  variables: 'any' | 'thoseInContent' | 'asManyAsPlaceholders'
  authentication: 'any' | 'codes' | 'withButtons'
  whatsappEdits: 'any' | 'contentOnly'
  pictures: 'any' | 'notTiny'
  /** Milliseconds until the platform approves a template. */
  approvedAfter: number
  approvedTemplate: boolean
  pendingEdits: 'taken' | 'refused'
  whatsappAfterUpdate: 'asBefore' | 'pending'
  headers: 'any' | 'onlyOfItsKind'
  smsCategories: 'any' | 'ofWhatsapp'
  buttons: 'any' | 'lowerCase' | 'withIds'
  samples: 'any' | 'asManyAsPlaceholders'
  languages: 'any' | 'withRegion' | 'english'
  mediaTypes: 'any' | 'mustFit'
  templateUpdate: 'whole' | 'changed' | 'documented'
  // Companies, products, deals, quotes
  recordsShown: 'documented' | 'everything'
  updateAnswer: 'record' | 'changes' | 'messageOnly'
  unique: 'none' | 'names' | 'domainsAndSkus'
  owners: 'any' | 400 | 404
  pipelines: 'any' | 400 | 404
  quoteMoves: 'any' | 'stepByStep'
  quoteTemplates: 'any' | 'known'
  quotesOfDeal: 'many' | 'one'
  sentQuotes: 'open' | 'locked'
  onlinePayment: 'any' | 'off'
  closeDates: 'any' | 'days' | 'times'
  people: 'any' | 'oneWay'
}

export const usual: Knobs = {
  ...plainWire,
  ids: 'hex24',
  malformedId: 404,
  times: 'milliseconds',
  timesOfReads: 'same',
  clockAhead: 0,
  dayBegins: 0,
  envelope: 'full',
  meta: false,
  countsRequests: false,
  extraFields: false,
  extraInContacts: false,
  extraEnvelope: false,
  extraInErrors: false,
  fieldOrder: 'asWritten',
  lacking: 'absent',
  text400: 'The request is not valid',
  text404: 'Resource not found',
  compression: 'never',
  keepAlive: true,
  chunked: false,
  charset: 'lower',
  pretty: false,
  endsWithNewline: false,
  escaped: false,
  prefix: '',
  answersAfter: 0,
  rate: Infinity,
  unavailableEvery: Infinity,
  wrongCredentials: Infinity,
  retryAfter: 'seconds',
  lag: 0,
  lagOf: 'reads',
  deletesAfter: 0,
  repeatedKey: 'ignored',
  keys: 'any',
  templatesBefore: 0,
  others: 'absent',
  tokens: 'everywhere',
  roleOfKey: 'admin',
  templatesOfOthers: 404,
  casts: false,
  bodyFirst: false,
  unknownTarget: 404,
  unknownDeal: 404,
  unlisted: 'kept',
  customFields: 'kept',
  customUpdate: 'replaced',
  sources: 'any',
  emptyUpdate: 'taken',
  phones: 'e164',
  phonesShown: 'asSent',
  phonesOfContacts: 'any',
  emailDomains: 'any',
  longestName: Infinity,
  longestCode: Infinity,
  longestContent: Infinity,
  shortestText: 0,
  highestPrice: Infinity,
  letters: 'any',
  personNames: 'any',
  spaces: 'kept',
  codes: 'asSent',
  currencies: 'any',
  costs: 'any',
  references: 'any',
  urls: 'any',
  matching: 'emailFirst',
  missingAddress: 'leftOut',
  knownContact: 'untouched',
  unsentOnUpsert: 'kept',
  plusInEmails: 'counts',
  capitalsInEmails: 'count',
  withoutAddress: 'refused',
  sameAddress: 'taken',
  contactStatus: 'open',
  statusMoves: 'any',
  emptyLists: 'shown',
  lists: 'asSent',
  lifecycle: 'none',
  stages: 'any',
  nameFromAddress: 'none',
  populatedName: 'both',
  emailsStored: 'asSent',
  existsText: 'The conversation already exists',
  deletedText: (count) => `${count} contacts deleted`,
  nobodyWithEmail: 200,
  withContact: 'everything',
  withDeal: 'quotes',
  paginatedConversations: false,
  conversationsOfUnknown: 404,
  deleteOfUnknown: 404,
  systemMessages: 'none',
  sentStatus: 'sent',
  laterStatus: undefined,
  extraPagination: false,
  mergeFields: 'raw',
  strangersOnWhatsapp: 'written',
  bulkWhatsapp: 'any',
  threads: 'any',
  bulkAfter: 20,
  mostRecipients: Infinity,
  media: 'any',
  bulkToStranger: 'makesContact',
  schedule: 'any',
  historyCounts: 'messages',
  historyOrder: 'oldestFirst',
  pageBeyond: 200,
  pagesOfNothing: 0,
  smallestLimit: 1,
  largestLimit: 100,
  aboveLargest: 'clamped',
  templateOrder: 'oldestFirst',
  whatsappStarts: 'pending',
  houseTemplates: false,
  variables: 'any',
  authentication: 'any',
  whatsappEdits: 'any',
  pictures: 'any',
  approvedAfter: Infinity,
  approvedTemplate: true,
  pendingEdits: 'taken',
  whatsappAfterUpdate: 'asBefore',
  headers: 'any',
  smsCategories: 'any',
  buttons: 'any',
  samples: 'any',
  languages: 'any',
  mediaTypes: 'any',
  templateUpdate: 'whole',
  recordsShown: 'documented',
  updateAnswer: 'record',
  unique: 'none',
  owners: 'any',
  pipelines: 'any',
  quoteMoves: 'any',
  quoteTemplates: 'any',
  quotesOfDeal: 'many',
  sentQuotes: 'open',
  onlinePayment: 'any',
  closeDates: 'any',
  people: 'any',
}

/** The default assumptions of the sandbox. */
export const asAssumed: Partial<Knobs> = {
  repeatedKey: 'replayedForADay',
  unlisted: 'dropped',
  capitalsInEmails: 'areIgnored',
  nameFromAddress: 'address',
  mergeFields: 'rendered',
  bulkAfter: 0,
  historyOrder: 'newestFirst',
  templateOrder: 'newestFirst',
  approvedTemplate: false,
  whatsappAfterUpdate: 'pending',
  recordsShown: 'everything',
}

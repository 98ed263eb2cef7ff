/** What the specification leaves open, as this server decides it. */
export interface Knobs {
  // Ids and times
  ids: 'hex24' | 'uuid' | 'number' | 'prefixed' | 'long'
  malformedId: 404 | 400
  times: 'milliseconds' | 'microseconds' | 'nanoseconds' | 'seconds' | 'minutes' | 'offset' | 'zeroOffset'
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
  extraEnvelope: boolean
  extraInErrors: boolean
  fieldOrder: 'asWritten' | 'reversed'
  lacking: 'absent' | 'null' | 'empty'
  text400: string
  text404: string
  // The transport
  compression: 'never' | 'ifAsked' | 'always' | 'brotli' | 'deflate'
  keepAlive: boolean
  chunked: boolean
  charset: 'none' | 'lower' | 'upper'
  pretty: boolean
  escaped: boolean
  prefix: string
  answersAfter: number
  rate: number
  retryAfter: 'none' | 'seconds' | 'date' | 'nonsense'
  lag: number
  lagOf: 'reads' | 'lists'
  /** Milliseconds until a delete takes effect. */
  deletesAfter: number
  repeatedKey: 'ignored' | 'replayed' | 'refused'
  // Callers
  tokens: 'everywhere' | 'onlyForTemplates' | 'nowhere'
  roleOfKey: 'admin' | 'agent'
  templatesOfOthers: 404 | 200
  // Validation
  casts: boolean
  unlisted: 'kept' | 'dropped' | 'refused'
  customFields: 'kept' | 'dropped' | 'refused' | 'texts'
  emptyUpdate: 'taken' | 'refused'
  phones: 'e164' | 'plausible' | 'national' | 'noFiction'
  phonesShown: 'asSent' | 'spaced'
  phonesOfContacts: 'any' | 'checked'
  emailDomains: 'any' | 'noExamples' | 'noExamplesInSends' | 'noExamplesOfCompanies'
  longestName: number
  longestCode: number
  longestContent: number
  shortestText: number
  highestPrice: number
  letters: 'any' | 'noEmoji' | 'noMarkup'
  personNames: 'any' | 'letters'
  spaces: 'kept' | 'trimmed'
  currencies: 'any' | 'dollars'
  costs: 'any' | 'belowPrice'
  references: 'any' | 400 | 404
  urls: 'any' | 'reachable' | 'https'
  // Contacts and conversations
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
  withContact: 'everything' | 'nothing'
  conversationsOfUnknown: 404 | 200
  deleteOfUnknown: 404 | 200
  // Messages
  systemMessages: 'none' | 'atStart' | 'afterEachSend'
  sentStatus: string
  laterStatus: string | undefined
  extraPagination: boolean
  mergeFields: 'raw' | 'rendered'
  strangersOnWhatsapp: 'written' | 'refused'
  bulkWhatsapp: 'any' | 'templateOnly'
  threads: 'any' | 'known'
  bulkAfter: number
  bulkToStranger: 'makesContact' | 'ignored'
  schedule: 'any' | 'dayFirst' | 'withinAYear'
  historyCounts: 'messages' | 'days'
  historyOrder: 'oldestFirst' | 'newestFirst'
  pageBeyond: 200 | 404
  largestLimit: number
  aboveLargest: 'clamped' | 'refused'
  // Templates
  templateOrder: 'oldestFirst' | 'newestFirst' | 'byName'
  whatsappStarts: 'pending' | 'approved'
  /** Milliseconds until the platform approves a template. */
  approvedAfter: number
  approvedTemplate: boolean
  pendingEdits: 'taken' | 'refused'
  headers: 'any' | 'onlyOfItsKind'
  smsCategories: 'any' | 'ofWhatsapp'
  buttons: 'any' | 'lowerCase' | 'withIds'
  samples: 'any' | 'asManyAsPlaceholders'
  languages: 'any' | 'withRegion'
  mediaTypes: 'any' | 'mustFit'
  templateUpdate: 'whole' | 'changed'
  // Companies, products, deals, quotes
  updateAnswer: 'record' | 'changes' | 'messageOnly'
  unique: 'none' | 'names' | 'domainsAndSkus'
  owners: 'any' | 400 | 404
  pipelines: 'any' | 400 | 404
  quoteMoves: 'any' | 'stepByStep'
  quoteTemplates: 'any' | 'known'
  quoteTitle: 'asSent' | 'numbered'
}

export const usual: Knobs = {
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
  escaped: false,
  prefix: '',
  answersAfter: 0,
  rate: Infinity,
  retryAfter: 'seconds',
  lag: 0,
  lagOf: 'reads',
  deletesAfter: 0,
  repeatedKey: 'ignored',
  tokens: 'everywhere',
  roleOfKey: 'admin',
  templatesOfOthers: 404,
  casts: false,
  unlisted: 'kept',
  customFields: 'kept',
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
  currencies: 'any',
  costs: 'any',
  references: 'any',
  urls: 'any',
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
  bulkToStranger: 'makesContact',
  schedule: 'any',
  historyCounts: 'messages',
  historyOrder: 'oldestFirst',
  pageBeyond: 200,
  largestLimit: 100,
  aboveLargest: 'clamped',
  templateOrder: 'oldestFirst',
  whatsappStarts: 'pending',
  approvedAfter: Infinity,
  approvedTemplate: true,
  pendingEdits: 'taken',
  headers: 'any',
  smsCategories: 'any',
  buttons: 'any',
  samples: 'any',
  languages: 'any',
  mediaTypes: 'any',
  templateUpdate: 'whole',
  updateAnswer: 'record',
  unique: 'none',
  owners: 'any',
  pipelines: 'any',
  quoteMoves: 'any',
  quoteTemplates: 'any',
  quoteTitle: 'asSent',
}

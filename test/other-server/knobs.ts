/** The decisions of this server where the specification leaves a choice. */
export interface Knobs {
  // Ids and times
  ids: 'hex24' | 'uuid' | 'number' | 'escaped'
  malformedId: 404 | 400
  times: 'milliseconds' | 'microseconds' | 'seconds' | 'offset'
  // The envelope
  envelope: 'full' | 'bare' | 'noSuccess' | 'noMessage' | 'nulls'
  meta: boolean
  extraFields: boolean
  extraEnvelope: boolean
  lacking: 'absent' | 'null' | 'empty'
  text400: string
  text404: string
  // The transport
  compression: 'never' | 'ifAsked' | 'always' | 'brotli' | 'deflate'
  keepAlive: boolean
  chunked: boolean
  charset: 'none' | 'lower' | 'upper'
  prefix: string
  /** How many requests it takes in a second. */
  rate: number
  /** The share of requests that it, or a proxy before it, is too busy for. */
  busy: number
  /** The share of requests with a reset connection, before or after the work. */
  reset: number
  retryAfter: 'none' | 'seconds' | 'date' | 'nonsense'
  lag: number
  lagOf: 'reads' | 'lists'
  /** `replayedForADay`: for the same request of the team only. */
  repeatedKey: 'ignored' | 'replayed' | 'replayedForADay' | 'refused'
  // Callers
  tokens: 'everywhere' | 'onlyForTemplates' | 'onlyForReads' | 'nowhere'
  roleOfKey: 'admin' | 'agent'
  templatesOfOthers: 404 | 200
  // Validation
  casts: boolean
  /** An id in a body that no record has. */
  unknownTarget: 404 | 400
  unlisted: 'kept' | 'dropped' | 'refused'
  customFields: 'kept' | 'dropped' | 'refused' | 'texts'
  emptyUpdate: 'taken' | 'refused'
  phones: 'e164' | 'plausible' | 'national' | 'noFiction' | 'noFictionInSends'
  phonesOfContacts: 'any' | 'checked'
  emailDomains: 'any' | 'noExamples' | 'noExamplesInSends' | 'noExamplesAtAllInSends' | 'noExamplesOfCompanies'
  longestName: number
  references: 'any' | 400 | 404
  urls: 'any' | 'reachable' | 'https'
  // Contacts and conversations
  matching: 'emailFirst' | 'phoneFirst' | 'allGiven'
  capitalsInEmails: 'count' | 'areIgnored'
  sameAddress: 'taken' | 'refused' | 'merged'
  contactStatus: 'open' | 'none'
  statusMoves: 'any' | 'stepByStep'
  lifecycle: 'none' | 'lead'
  nameFromAddress: 'none' | 'address' | 'unknown'
  emailsStored: 'asSent' | 'lowerCase'
  deletedText: (count: number, address: string) => string
  nobodyWithEmail: 200 | 404
  withContact: 'everything' | 'nothing'
  conversationsOfUnknown: 404 | 200
  deleteOfUnknown: 404 | 200
  // Messages
  systemMessages: 'none' | 'atStart' | 'afterEachSend' | 'onTheSameChannel'
  sentStatus: string
  laterStatus: string | undefined
  mergeFields: 'raw' | 'rendered'
  strangersOnWhatsapp: 'written' | 'refused'
  bulkWhatsapp: 'any' | 'templateOnly'
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
  whatsappStarts: 'pending' | 'approved' | 'rejected'
  /** Milliseconds until the platform approves a template. */
  approvedAfter: number
  approvedTemplate: boolean
  pendingEdits: 'taken' | 'refused'
  whatsappAfterUpdate: 'asBefore' | 'pending'
  smsCategories: 'any' | 'ofWhatsapp'
  languages: 'any' | 'withRegion' | 'english'
  templateUpdate: 'whole' | 'changed' | 'documented'
  // Companies, products, deals, quotes
  recordsShown: 'documented' | 'everything'
  updateAnswer: 'record' | 'changes' | 'messageOnly'
  unique: 'none' | 'names' | 'domainsAndSkus'
  owners: 'any' | 400 | 404
  pipelines: 'any' | 400 | 404
  quoteMoves: 'any' | 'stepByStep'
  quoteTemplates: 'any' | 'known'
}

export const usual: Knobs = {
  ids: 'hex24',
  malformedId: 404,
  times: 'milliseconds',
  envelope: 'full',
  meta: false,
  extraFields: false,
  extraEnvelope: false,
  lacking: 'absent',
  text400: 'The request is not valid',
  text404: 'Resource not found',
  compression: 'never',
  keepAlive: true,
  chunked: false,
  charset: 'lower',
  prefix: '',
  rate: Infinity,
  busy: 0,
  reset: 0,
  retryAfter: 'seconds',
  lag: 0,
  lagOf: 'reads',
  repeatedKey: 'ignored',
  tokens: 'everywhere',
  roleOfKey: 'admin',
  templatesOfOthers: 404,
  casts: false,
  unknownTarget: 404,
  unlisted: 'kept',
  customFields: 'kept',
  emptyUpdate: 'taken',
  phones: 'e164',
  phonesOfContacts: 'any',
  emailDomains: 'any',
  longestName: Infinity,
  references: 'any',
  urls: 'any',
  matching: 'emailFirst',
  capitalsInEmails: 'count',
  sameAddress: 'taken',
  contactStatus: 'open',
  statusMoves: 'any',
  lifecycle: 'none',
  nameFromAddress: 'none',
  emailsStored: 'asSent',
  deletedText: (count) => `${count} contacts deleted`,
  nobodyWithEmail: 200,
  withContact: 'everything',
  conversationsOfUnknown: 404,
  deleteOfUnknown: 404,
  systemMessages: 'none',
  sentStatus: 'sent',
  laterStatus: undefined,
  mergeFields: 'raw',
  strangersOnWhatsapp: 'written',
  bulkWhatsapp: 'any',
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
  whatsappAfterUpdate: 'asBefore',
  smsCategories: 'any',
  languages: 'any',
  templateUpdate: 'whole',
  recordsShown: 'documented',
  updateAnswer: 'record',
  unique: 'none',
  owners: 'any',
  pipelines: 'any',
  quoteMoves: 'any',
  quoteTemplates: 'any',
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

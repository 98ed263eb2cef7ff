/** What the specification leaves open, as this server decides it. */
export interface Knobs {
  // Ids and times
  ids: 'hex24' | 'uuid' | 'number' | 'prefixed' | 'long'
  malformedId: 404 | 400
  times: 'milliseconds' | 'microseconds' | 'seconds' | 'minutes' | 'offset'
  timesOfReads: Knobs['times'] | 'same'
  // The envelope
  envelope: 'full' | 'bare'
  meta: boolean
  extraFields: boolean
  extraEnvelope: boolean
  extraInErrors: boolean
  fieldOrder: 'asWritten' | 'reversed'
  lacking: 'absent' | 'null' | 'empty'
  text400: string
  text404: string
  // The transport
  compression: 'never' | 'ifAsked' | 'always'
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
  // Callers
  tokens: 'everywhere' | 'onlyForTemplates' | 'nowhere'
  roleOfKey: 'admin' | 'agent'
  templatesOfOthers: 404 | 200
  // Validation
  casts: boolean
  unlisted: 'kept' | 'dropped' | 'refused'
  customFields: 'kept' | 'dropped' | 'refused'
  emptyUpdate: 'taken' | 'refused'
  phones: 'e164' | 'plausible' | 'national'
  phonesOfContacts: 'any' | 'checked'
  emailDomains: 'any' | 'noExamples'
  longestName: number
  references: 'any' | 400 | 404
  urls: 'any' | 'reachable' | 'https'
  // Contacts and conversations
  sameAddress: 'taken' | 'refused'
  contactStatus: 'open' | 'none'
  statusMoves: 'any' | 'stepByStep'
  emptyLists: 'shown' | 'absent'
  lifecycle: 'none' | 'lead'
  stages: 'any' | 'named'
  nameFromAddress: 'none' | 'address' | 'unknown'
  populatedName: 'both' | 'first' | 'lastFirst'
  emailsStored: 'asSent' | 'lowerCase'
  existsText: string
  deletedText: (count: number) => string
  nobodyWithEmail: 200 | 404
  withContact: 'everything' | 'nothing'
  conversationsOfUnknown: 404 | 200
  deleteOfUnknown: 404 | 200
  // Messages
  systemMessages: boolean
  sentStatus: string
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
  envelope: 'full',
  meta: false,
  extraFields: false,
  extraEnvelope: false,
  extraInErrors: false,
  fieldOrder: 'asWritten',
  lacking: 'absent',
  text400: 'The request is not valid',
  text404: 'Resource not found',
  compression: 'never',
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
  tokens: 'everywhere',
  roleOfKey: 'admin',
  templatesOfOthers: 404,
  casts: false,
  unlisted: 'kept',
  customFields: 'kept',
  emptyUpdate: 'taken',
  phones: 'e164',
  phonesOfContacts: 'any',
  emailDomains: 'any',
  longestName: Infinity,
  references: 'any',
  urls: 'any',
  sameAddress: 'taken',
  contactStatus: 'open',
  statusMoves: 'any',
  emptyLists: 'shown',
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
  systemMessages: false,
  sentStatus: 'sent',
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

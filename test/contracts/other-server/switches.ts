/** The decisions of this server where the specification leaves a choice; the first of each is the usual one. */
export const decisions = {
  // Ids and times
  ids: ['hex24', 'uuid', 'number', 'escaped'],
  malformedId: [404, 400, 500],
  times: ['milliseconds', 'microseconds', 'seconds', 'offset'],
  // The envelope
  envelope: ['full', 'bare', 'noSuccess', 'noMessage', 'nulls'],
  meta: [false, true],
  extraFields: [false, true],
  extraEnvelope: [false, true],
  lacking: ['absent', 'null', 'empty'],
  // The transport
  compression: ['never', 'ifAsked', 'always', 'brotli', 'deflate'],
  keepAlive: [true, false],
  chunked: [false, true],
  charset: ['lower', 'none', 'upper'],
  retryAfter: ['seconds', 'date', 'none', 'nonsense'],
  lagOf: ['reads', 'lists'],
  /** `replayedForADay`: for the same request of the team only. */
  repeatedKey: ['ignored', 'replayed', 'replayedForADay', 'refused'],
  // Callers
  tokens: ['everywhere', 'onlyForTemplates', 'onlyForReads', 'nowhere'],
  roleOfKey: ['admin', 'agent'],
  templatesOfOthers: [404, 200],
  // Validation
  casts: [false, true],
  /** An id in a body that no record has. */
  unknownTarget: [404, 400],
  /** A send that names several people or places. */
  severalTargets: ['refused', 'firstCounts'],
  unlisted: ['kept', 'dropped', 'refused'],
  customFields: ['kept', 'dropped', 'refused', 'texts'],
  emptyUpdate: ['taken', 'refused'],
  phones: ['e164', 'plausible', 'national', 'noFiction', 'noFictionInSends'],
  phonesOfContacts: ['any', 'checked'],
  emailDomains: ['any', 'noExamples', 'noExamplesInSends', 'noExamplesAtAllInSends', 'noExamplesOfCompanies'],
  references: ['any', 400, 404],
  urls: ['any', 'reachable', 'https'],
  // Contacts and conversations
  matching: ['emailFirst', 'phoneFirst', 'allGiven'],
  capitalsInEmails: ['count', 'areIgnored'],
  sameAddress: ['taken', 'refused', 'merged'],
  contactStatus: ['open', 'none'],
  statusMoves: ['any', 'stepByStep'],
  lifecycle: ['none', 'lead'],
  nameFromAddress: ['none', 'address', 'unknown'],
  emailsStored: ['asSent', 'lowerCase'],
  nobodyWithEmail: [200, 404],
  withContact: ['everything', 'nothing'],
  conversationsOfUnknown: [404, 200],
  deleteOfUnknown: [404, 200],
  // Messages
  systemMessages: ['none', 'atStart', 'afterEachSend', 'onTheSameChannel'],
  mergeFields: ['raw', 'rendered'],
  strangersOnWhatsapp: ['written', 'refused'],
  badRecipients: ['refused', 'skipped'],
  bulkWhatsapp: ['any', 'templateOnly'],
  schedule: ['any', 'dayFirst', 'withinAYear'],
  historyCounts: ['messages', 'days'],
  historyOrder: ['oldestFirst', 'newestFirst'],
  pageBeyond: [200, 404],
  aboveLargest: ['clamped', 'refused'],
  badPages: ['refused', 'clamped'],
  // Templates
  templateOrder: ['oldestFirst', 'newestFirst', 'byName'],
  whatsappStarts: ['pending', 'approved', 'rejected'],
  approvedTemplate: [true, false],
  pendingEdits: ['taken', 'refused'],
  whatsappAfterUpdate: ['asBefore', 'pending'],
  smsCategories: ['any', 'ofWhatsapp'],
  languages: ['any', 'withRegion', 'english'],
  templatesShown: ['everything', 'documented'],
  templateUpdate: ['whole', 'changed', 'documented'],
  // Companies, products, deals, quotes
  recordsShown: ['documented', 'everything'],
  updateAnswer: ['record', 'changes', 'messageOnly'],
  unique: ['none', 'names', 'domainsAndSkus'],
  owners: ['any', 400, 404],
  pipelines: ['any', 400, 404],
  quoteMoves: ['any', 'stepByStep'],
  quoteTemplates: ['any', 'known'],
} as const

/** The decisions that are a number or a text. */
const settings = {
  text400: 'The request is not valid',
  text404: 'Resource not found',
  prefix: '',
  /** How many requests it takes in a second. */
  rate: Infinity,
  /** The share of requests that it, or a proxy before it, is too busy for. */
  busy: 0,
  /** The share of requests with a reset connection, before or after the work. */
  reset: 0,
  lag: 0,
  longestName: Infinity,
  deletedText: (count: number, _address: string) => `${count} contacts deleted`,
  sentStatus: 'sent',
  laterStatus: undefined as string | undefined,
  bulkAfter: 20,
  /** Every second bulk send takes so much longer. */
  bulkSpread: 0,
  largestLimit: 100,
  /** Milliseconds until the platform approves a template. */
  approvedAfter: Infinity,
}

type Decisions = { readonly [Name in keyof typeof decisions]: (typeof decisions)[Name][number] }

export type Switches = Decisions & Readonly<typeof settings>

export const usual: Switches = {
  ...(Object.fromEntries(Object.entries(decisions).map(([name, [first]]) => [name, first])) as Decisions),
  ...settings,
}

/** The default assumptions of the sandbox. */
export const asAssumed: Partial<Switches> = {
  repeatedKey: 'replayedForADay',
  unlisted: 'dropped',
  severalTargets: 'firstCounts',
  capitalsInEmails: 'areIgnored',
  nameFromAddress: 'address',
  mergeFields: 'rendered',
  bulkAfter: 0,
  badPages: 'clamped',
  largestLimit: Infinity,
  historyOrder: 'newestFirst',
  templateOrder: 'newestFirst',
  approvedTemplate: false,
  whatsappAfterUpdate: 'pending',
  templatesShown: 'documented',
  recordsShown: 'everything',
}

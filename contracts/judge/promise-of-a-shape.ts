import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'

/** The promise that is broken when the document says this sentence of a success; none when the envelope's rules say it. */
export function promiseOfShape(operation: OperationId, sentence: string): PromiseId | undefined {
  if (/^(success|message|meta)\b/.test(sentence)) return undefined
  return shapes[operation].find(([about]) => about.test(sentence))?.[1]
}

type Rows = readonly (readonly [about: RegExp, promise: PromiseId])[]

const time = /\.(createdAt|updatedAt) must be an ISO/
const anything = /^/
/** All that these answer with is an outcome, and the envelope's rules are about that. */
const noData: Rows = []

const conversation: Rows = [
  [/^data must/, 'conversation.answersWithOne'],
  [/\.contactId\b/, 'conversation.contactIsPopulated'],
  [time, 'conversation.createdAtIsIso'],
  [anything, 'conversation.hasIdTeamAndTime'],
]

const message: Rows = [
  [time, 'message.createdAtIsIso'],
  [/^data\.contactId must/, 'message.contactIsAnId'],
  [/^data\.subject\b/, 'message.onlyEmailHasASubject'],
  [anything, 'message.answersWithTheMessage'],
]

const emailMessage: Rows = [[/^data\.subject\b/, 'message.emailKeepsItsSubject'], ...message]

const contact: Rows = [
  [time, 'contact.timesAreIso'],
  [anything, 'contact.answersWithTheContact'],
]

const shapes: Readonly<Record<OperationId, Rows>> = {
  findOrCreateConversation: conversation,
  createContactWithConversation: conversation,
  createConversation: conversation,
  getConversation: conversation,
  listConversationsOfContact: [[/^data must/, 'conversation.listHoldsTheConversation'], ...conversation],
  listMessages: [
    [/^pagination is required/, 'envelope.paginationStandsBesideData'],
    [/^pagination/, 'message.historyHasPagination'],
    [time, 'message.createdAtIsIso'],
    [/^data\[\d+\]\.messages\[/, 'message.historyHoldsMessages'],
    [anything, 'message.historyIsGrouped'],
  ],
  sendLiveMessage: message,
  sendEmailMessage: emailMessage,
  sendMessage: message,
  sendBulkMessages: noData,
  listTemplates: [
    [/^pagination is required/, 'envelope.paginationStandsBesideData'],
    [/^pagination/, 'template.listHasPagination'],
    [/\.status must/, 'template.statusIsKnown'],
    [anything, 'template.listIsAList'],
  ],
  getTemplate: [
    [/\.status must/, 'template.statusIsKnown'],
    [anything, 'template.getShowsTheTemplate'],
  ],
  createTemplate: [
    [/\.status must/, 'template.statusIsKnown'],
    [/\.subject\b/, 'template.createAnswersWithTheSubject'],
    [anything, 'template.createAnswersWithTheTemplate'],
  ],
  updateTemplate: [[anything, 'template.updateAnswersWithTheChange']],
  deleteTemplate: noData,
  createContact: contact,
  updateContact: contact,
  deleteContact: contact,
  createOrUpdateContact: contact,
  deleteContactsByEmail: noData,
  createCompany: [[anything, 'company.createShowsTheRecord']],
  updateCompany: [[anything, 'company.updateShowsTheChange']],
  deleteCompany: noData,
  createProduct: [[anything, 'product.createShowsTheRecord']],
  updateProduct: [[anything, 'product.updateShowsTheChange']],
  deleteProduct: noData,
  createDeal: [[anything, 'deal.createShowsTheRecord']],
  updateDeal: [[anything, 'deal.updateShowsTheChange']],
  deleteDeal: noData,
  createQuote: [
    [/\.status\b/, 'quote.startsAsDraft'],
    [anything, 'quote.createShowsTheRecord'],
  ],
  updateQuote: [[anything, 'quote.updateShowsTheChange']],
  deleteQuote: noData,
}

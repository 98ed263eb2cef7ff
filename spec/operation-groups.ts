import type { OperationId } from './types.ts'

// Groups of operations that assumptions and promises apply to.

export const resolutions = [
  'findOrCreateConversation',
  'createContactWithConversation',
  'createConversation',
] as const satisfies OperationId[]

export const singleSends = ['sendLiveMessage', 'sendEmailMessage', 'sendMessage'] as const satisfies OperationId[]

export const sendsByPhone = ['sendLiveMessage', 'sendMessage'] as const satisfies OperationId[]

export const sends = [...singleSends, 'sendBulkMessages'] as const satisfies OperationId[]

export const recordCreates = [
  'createCompany',
  'createProduct',
  'createDeal',
  'createQuote',
] as const satisfies OperationId[]

export const recordUpdates = [
  'updateCompany',
  'updateProduct',
  'updateDeal',
  'updateQuote',
] as const satisfies OperationId[]

export const contactWrites = [
  'createContact',
  'updateContact',
  'createOrUpdateContact',
] as const satisfies OperationId[]

export const contactDeletes = ['deleteContact', 'deleteContactsByEmail'] as const satisfies OperationId[]

export const deletesById = [
  'deleteTemplate',
  'deleteContact',
  'deleteCompany',
  'deleteProduct',
  'deleteDeal',
  'deleteQuote',
] as const satisfies OperationId[]

export const lists = ['listMessages', 'listTemplates'] as const satisfies OperationId[]

export const reads = [
  'getConversation',
  'listConversationsOfContact',
  'getTemplate',
  ...lists,
] as const satisfies OperationId[]

export const updates = ['updateTemplate', 'updateContact', ...recordUpdates] as const satisfies OperationId[]

/** Operations that write a record, except messaging and conversation resolution. */
export const recordWrites = [
  'createTemplate',
  'createContact',
  'createOrUpdateContact',
  ...recordCreates,
  ...updates,
] as const satisfies OperationId[]

/** Operations with a request body: the creates, updates and sends that accept an Idempotency-Key. */
export const withBody = [...resolutions, ...sends, ...recordWrites] as const satisfies OperationId[]

/** Operations with data in a successful response. */
export const showingData = [
  ...reads,
  ...resolutions,
  ...singleSends,
  'createTemplate',
  'updateTemplate',
  ...contactWrites,
  'deleteContact',
  ...recordCreates,
  ...recordUpdates,
] as const satisfies OperationId[]

/** Operations with the id of a record in the path. */
export const byId = [
  'getConversation',
  'listConversationsOfContact',
  'listMessages',
  'getTemplate',
  ...updates,
  ...deletesById,
] as const satisfies OperationId[]

const findsOrCreates = [
  'findOrCreateConversation',
  'createContactWithConversation',
  'createOrUpdateContact',
] as const satisfies OperationId[]

/** Operations that look up a contact by an e-mail address. */
export const findsByEmail = [...findsOrCreates, 'sendEmailMessage', 'sendBulkMessages'] as const satisfies OperationId[]

/** The same by a phone number. */
export const findsByPhone = [...findsOrCreates, ...sendsByPhone, 'sendBulkMessages'] as const satisfies OperationId[]

export const findsContact = [...findsOrCreates, ...sends] as const satisfies OperationId[]

/** Operations with responses that depend on the owner of a template. */
export const templatesByRole = [
  'listTemplates',
  'getTemplate',
  'updateTemplate',
  'deleteTemplate',
] as const satisfies OperationId[]

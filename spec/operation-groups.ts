import type { OperationId } from './types.ts'

// Operations that many questions meet together. Each operation stands once, in the first group that it fits.

export const resolutions = [
  'findOrCreateConversation',
  'createContactWithConversation',
  'createConversation',
] as const satisfies OperationId[]

export const singleSends = ['sendLiveMessage', 'sendEmailMessage', 'sendMessage'] as const satisfies OperationId[]

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

/** All that store a record outside messaging and the resolution of conversations. */
export const recordWrites = [
  'createTemplate',
  'createContact',
  'createOrUpdateContact',
  ...recordCreates,
  ...updates,
] as const satisfies OperationId[]

/** All that read a body, which are the creates, updates and sends that an Idempotency-Key may come with. */
export const withBody = [...resolutions, ...sends, ...recordWrites] as const satisfies OperationId[]

/** All that name a record in the path. */
export const byId = [
  'getConversation',
  'listConversationsOfContact',
  'listMessages',
  'getTemplate',
  ...updates,
  ...deletesById,
] as const satisfies OperationId[]

/** All that find the contact behind an e-mail address or a phone number. */
export const findsContact = [
  'findOrCreateConversation',
  'createContactWithConversation',
  'createOrUpdateContact',
  ...sends,
] as const satisfies OperationId[]

/** All whose answer depends on who owns a template. */
export const templatesByRole = [
  'listTemplates',
  'getTemplate',
  'updateTemplate',
  'deleteTemplate',
] as const satisfies OperationId[]

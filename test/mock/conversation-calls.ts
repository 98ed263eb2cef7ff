import { ada } from './contact-calls.ts'
import type { Call } from './harness.ts'

const { firstName, lastName, email, phone } = ada
export const names = { firstName, lastName }
export const addresses = { email, phone }

export const contact = async (call: Call, body: object = ada, key = 'acme-key'): Promise<string> =>
  (await call('createContact', { body, key })).body.data._id
export const resolve = (call: Call, body: object = addresses) => call('findOrCreateConversation', { body })
export const createBoth = (call: Call, body: object = ada) => call('createContactWithConversation', { body })
export const create = (call: Call, contactId: string, key = 'acme-key') =>
  call('createConversation', { body: { contactId }, key })
export const get = (call: Call, conversationId: string) => call('getConversation', { path: { conversationId } })
export const list = (call: Call, contactId: string) => call('listConversationsOfContact', { path: { contactId } })
export const reread = async (call: Call, contactId: string) =>
  (await call('updateContact', { path: { contactId }, body: {} })).body.data

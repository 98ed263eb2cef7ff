import { singleSends, updates } from '../../spec/operation-groups.ts'
import type { OperationId } from '../../spec/types.ts'
import { kindIn, recordsOf, requestsAbout, seen } from './each-operation.ts'
import { historyOf } from './history.ts'
import { plainType } from './new-template.ts'
import type { Asked } from '../../client/request.ts'
import { bulk, sending, type SingleSend, talkBy } from './sends.ts'
import { allListed } from './template-list.ts'
import type { Tools } from '../../client/tools.ts'

/** A request in which something is wrong, and what would show that it was carried out all the same. */
export interface Attempt {
  readonly asked: Asked
  readonly look: () => Promise<unknown>
}

/** Of a company, product, deal or quote that was made nobody could tell who does not know its id. */
export const attempts: Readonly<Partial<Record<OperationId, (tools: Tools) => Attempt | Promise<Attempt>>>> = {
  findOrCreateConversation: (tools) => withAnEmail(tools, (email) => ({ email, nickname: 'Ada' })),
  createContactWithConversation: (tools) =>
    withAnEmail(tools, (email) => ({ firstName: 'Ada', lastName: 42, email, phone: tools.mint.phone() })),
  createContact: (tools) => withAnEmail(tools, (email) => ({ ...tools.some.contact({ email }), lastName: 42 })),
  createOrUpdateContact: (tools) => withAnEmail(tools, (email) => ({ ...tools.some.upsert({ email }), lastName: 42 })),
  sendBulkMessages: (tools) => withAnEmail(tools, (to) => ({ ...bulk('email', tools, { to }), content: 42 })),
  createConversation,
  createTemplate,
  ...Object.fromEntries(singleSends.map((operation) => [operation, (tools: Tools) => sendInto(operation, tools)])),
  ...Object.fromEntries(updates.map((operation) => [operation, (tools: Tools) => update(operation, tools)])),
}

/** Whether a contact has an address shows as it is deleted. */
function withAnEmail({ call, mint }: Tools, bodyWith: (email: string) => object): Attempt {
  const email = mint.email()
  return {
    asked: { body: bodyWith(email) },
    look: async () => {
      const { message, succeeded } = await call('deleteContactsByEmail', { query: { email } })
      return succeeded && /[1-9]/.test(message.replaceAll(email, ''))
    },
  }
}

async function createConversation({ ask, made }: Tools): Promise<Attempt> {
  const { _id: contactId } = await made.contact()
  return {
    asked: { body: { contactId, nickname: 'Ada' } },
    look: async () => (await ask('listConversationsOfContact', { path: { contactId } })).data,
  }
}

function createTemplate(tools: Tools): Attempt {
  const { provider, some, target } = tools
  const type = plainType(target)
  const body = some.template[type](provider(type, 'id'))
  return {
    asked: { body: { ...body, content: 42 } },
    look: async () => (await allListed(tools)).filter(({ uniqueName }) => uniqueName === body.uniqueName),
  }
}

async function sendInto(operation: SingleSend, tools: Tools): Promise<Attempt> {
  const conversation = await talkBy(operation, tools)
  const { into, message } = sending[operation]
  return {
    asked: { body: { ...message(tools, into(conversation)), source: 42 } },
    look: async () => (await historyOf(tools, conversation._id)).data,
  }
}

/** A field that a text is for. */
const textField: Readonly<Record<(typeof updates)[number], string>> = {
  updateTemplate: 'content',
  updateContact: 'lastName',
  updateCompany: 'domain',
  updateProduct: 'sku',
  updateDeal: 'currency',
  updateQuote: 'terms',
}

async function update(operation: (typeof updates)[number], tools: Tools): Promise<Attempt> {
  const records = recordsOf(tools)
  const { body, ...at } = await requestsAbout(records, tools)[operation]()
  const kind = kindIn(operation)
  const record = await records.record(kind)
  return {
    asked: { ...at, body: { ...(body as object), [textField[operation]]: 42 } },
    look: () => seen(tools, kind, record),
  }
}

import { plainType } from '../../client/bodies.ts'
import { type Kind, kindIn } from '../../client/kinds.ts'
import { rows, sending, type SingleSend } from '../../client/operations.ts'
import type { Input } from '../../client/request.ts'
import { newSubjects, type Tools } from '../../client/tools.ts'
import { singleSends, updates } from '../../spec/operation-groups.ts'
import type { OperationId } from '../../spec/types.ts'
import { lookPastUpdates } from './each-operation.ts'
import { historyOf } from './history.ts'
import { makeConversation } from './sends.ts'
import { listAll } from './template-list.ts'

/** A request with something wrong in it, and a look at what it would have changed. */
interface Attempt {
  readonly input: Input
  readonly look: () => Promise<unknown>
}

/** There is none for the creates of companies, products, deals and quotes: what they make shows only by its id. */
export const attempts: Readonly<
  Partial<Record<OperationId, readonly ((tools: Tools) => Attempt | Promise<Attempt>)[]>>
> = {
  findOrCreateConversation: [(tools) => attemptWithEmail(tools, (email) => ({ email, nickname: 'Ada' }))],
  createContactWithConversation: [
    (tools) =>
      attemptWithEmail(tools, (email) => ({ firstName: 'Ada', lastName: 42, email, phone: tools.mint.phone() })),
  ],
  createContact: [(tools) => attemptWithEmail(tools, (email) => ({ ...tools.some.contact({ email }), lastName: 42 }))],
  createOrUpdateContact: [
    (tools) => attemptWithEmail(tools, (email) => ({ ...tools.some.upsert({ email }), lastName: 42 })),
    attemptUpsert,
  ],
  sendBulkMessages: [
    (tools) => attemptWithEmail(tools, (to) => ({ ...tools.some.bulk('email', { to }), content: 42 })),
  ],
  createConversation: [attemptConversation],
  createTemplate: [attemptTemplate],
  ...Object.fromEntries(singleSends.map((operation) => [operation, [(tools: Tools) => attemptSend(operation, tools)]])),
  ...Object.fromEntries(updates.map((operation) => [operation, [(tools: Tools) => attemptUpdate(operation, tools)]])),
}

/** Deleting by e-mail tells whether a contact has the address. */
function attemptWithEmail({ call, mint }: Tools, bodyWith: (email: string) => object): Attempt {
  const email = mint.email()
  return {
    input: { body: bodyWith(email) },
    look: async () => {
      const { message, succeeded } = await call('deleteContactsByEmail', { query: { email } })
      return succeeded && /[1-9]/.test(message.replaceAll(email, ''))
    },
  }
}

/** Of a contact that is there already. */
async function attemptUpsert(tools: Tools): Promise<Attempt> {
  const addresses = { email: tools.mint.email(), phone: tools.mint.phone() }
  const contact = await tools.make.contact(addresses)
  return {
    input: { body: { ...tools.some.upsert(addresses), lastName: 42 } },
    look: () => lookPastUpdates(tools, 'contact', contact),
  }
}

async function attemptConversation({ ask, make }: Tools): Promise<Attempt> {
  const { _id: contactId } = await make.contact()
  return {
    input: { body: { contactId, nickname: 'Ada' } },
    look: async () => (await ask('listConversationsOfContact', { path: { contactId } })).data,
  }
}

function attemptTemplate(tools: Tools): Attempt {
  const body = tools.some.template[plainType(tools.target)]()
  return {
    input: { body: { ...body, content: 42 } },
    look: async () => (await listAll(tools)).filter(({ uniqueName }) => uniqueName === body.uniqueName),
  }
}

async function attemptSend(operation: SingleSend, tools: Tools): Promise<Attempt> {
  const conversation = await makeConversation(operation, tools)
  const { into, message } = sending[operation]
  return {
    input: { body: { ...message(tools, into(conversation)), source: 42 } },
    look: async () => (await historyOf(tools, conversation._id)).data,
  }
}

/** A field of each kind of record that takes a text. */
const textFields: Readonly<Record<Kind, string>> = {
  template: 'content',
  contact: 'lastName',
  company: 'domain',
  product: 'sku',
  deal: 'currency',
  quote: 'terms',
}

async function attemptUpdate(operation: OperationId, tools: Tools): Promise<Attempt> {
  const kind = kindIn(operation)
  const subjects = newSubjects(tools)
  const { body, ...at } = await rows[operation].request(subjects, tools)
  const record = await subjects.record(kind)
  return {
    input: { ...at, body: { ...(body as object), [textFields[kind]]: 42 } },
    look: () => lookPastUpdates(tools, kind, record),
  }
}

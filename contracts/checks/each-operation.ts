import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Answer } from '../../client/answer.ts'
import { type Kind, kinds } from '../../client/operations/kinds.ts'
import { Inconclusive, Skipped } from '../judge/outcome.ts'
import { plainType } from './new-template.ts'
import type { Asked } from '../../client/request.ts'
import { complete } from './sends.ts'
import type { Tools } from '../../client/tools.ts'

// What is promised of every operation is checked with one request of each.

export type Requests = Readonly<Record<OperationId, () => Asked | Promise<Asked>>>

/** What the requests are about. */
export interface Subjects {
  readonly record: (of: Kind | 'conversation') => Promise<Subject>
  /** The address of the contact in the conversation. */
  readonly email: () => Promise<string>
}

export interface Subject {
  readonly _id: string
  readonly name?: string
  readonly firstName?: string
}

/** A good request of each operation. In this order none takes away what a later one is about. */
export function requestsAbout({ record, email }: Subjects, tools: Tools): Requests {
  const { mint, provider, some, target } = tools
  const type = plainType(target)
  const id = async (of: Kind | 'conversation') => (await record(of))._id
  const at = async (kind: Kind) => ({ path: { [kinds[kind].parameter]: await id(kind) } })
  const atConversation = async () => ({ path: { conversationId: await id('conversation') } })
  const person = () => ({ firstName: 'Ada', lastName: 'Lovelace', email: mint.email(), phone: mint.phone() })
  return {
    findOrCreateConversation: () => ({ body: { email: mint.email(), phone: mint.phone() } }),
    createContactWithConversation: () => ({ body: person() }),
    createConversation: async () => ({ body: { contactId: await id('contact') } }),
    getConversation: atConversation,
    listConversationsOfContact: () => at('contact'),

    listMessages: async () => ({ ...(await atConversation()), query: { page: 1, limit: 10 } }),
    sendLiveMessage: () => ({ body: complete.sendLiveMessage(tools) }),
    sendEmailMessage: () => ({ body: complete.sendEmailMessage(tools) }),
    sendMessage: () => ({ body: complete.sendMessage(tools) }),
    sendBulkMessages: () => ({ body: complete.sendBulkMessages(tools) }),

    listTemplates: () => ({ query: { page: 1, limit: 10, types: [type], statuses: ['approved'] } }),
    getTemplate: () => at('template'),
    createTemplate: () => ({ body: some.template[type](provider(type, 'id')) }),
    updateTemplate: async () => ({
      ...(await at('template')),
      body: { templateType: type, name: mint.name('Opening hours in May') },
    }),
    deleteTemplate: () => at('template'),

    createContact: () => ({ body: some.contact() }),
    updateContact: async () => ({ ...(await at('contact')), body: { firstName: 'Augusta' } }),
    createOrUpdateContact: () => ({ body: some.upsert() }),
    deleteContact: () => at('contact'),
    deleteContactsByEmail: async () => ({ query: { email: await email() } }),

    createCompany: () => ({ body: some.company() }),
    updateCompany: async () => ({ ...(await at('company')), body: { name: mint.name('Babbage & Sons') } }),
    deleteCompany: () => at('company'),

    createProduct: () => ({ body: some.product() }),
    updateProduct: async () => ({ ...(await at('product')), body: { name: mint.name('Analytical engine') } }),
    deleteProduct: () => at('product'),

    createDeal: () => ({ body: some.deal() }),
    updateDeal: async () => ({ ...(await at('deal')), body: { name: mint.name('Engine for two mills') } }),
    createQuote: async () => ({ body: some.quote(await id('deal')) }),
    updateQuote: async () => ({ ...(await at('quote')), body: { name: mint.name('Engine for two mills') } }),
    deleteQuote: () => at('quote'),
    deleteDeal: () => at('deal'),
  }
}

/** Records of whoever makes them, each made as it is first asked for. */
export function recordsOf({ made, mint, target }: Tools): Subjects {
  const email = mint.email()
  const known = new Map<Kind | 'conversation', Promise<Subject>>()
  const makings: Readonly<Record<Kind | 'conversation', () => Promise<Subject>>> = {
    contact: () => made.contact(),
    conversation: () => made.conversation({ email }),
    company: () => made.company(),
    product: () => made.product(),
    deal: () => made.deal(),
    quote: async () => made.quote({ dealId: (await record('deal'))._id }),
    template: () => made.template(plainType(target)),
  }
  const record: Subjects['record'] = (of) => {
    const making = known.get(of) ?? makings[of]()
    known.set(of, making)
    return making
  }
  return {
    record,
    email: async () => {
      await record('conversation')
      return email
    },
  }
}

/** Records that never were. */
export function nothingOf({ mint }: Tools): Subjects {
  return { record: async () => ({ _id: mint.unknownId() }), email: async () => mint.email() }
}

type Ask = (operation: OperationId, asked: Asked) => Promise<unknown>

/** A good request of each operation, about records of the team. */
export async function eachGood(tools: Tools, ask: Ask, about: 'all' | readonly OperationId[] = 'all'): Promise<void> {
  await eachRequest(requestsAbout(recordsOf(tools), tools), ask, sparingly(tools, about))
}

/** A request of each operation that is good, but for being about what never was. */
export async function eachVain(tools: Tools, ask: Ask, about: 'all' | readonly OperationId[] = 'all'): Promise<void> {
  await eachRequest(requestsAbout(nothingOf(tools), tools), ask, sparingly(tools, about))
}

/** What each operation answers when it succeeds. */
export async function eachSuccess(
  tools: Tools,
  judge: (fields: Readonly<Record<string, unknown>>, answer: Answer) => void,
  about: 'all' | readonly OperationId[] = 'all',
): Promise<void> {
  await eachGood(
    tools,
    async (operation, asked) => {
      const answer = await tools.ask(operation, asked)
      judge(fieldsOf(answer), answer)
    },
    about,
  )
}

async function eachRequest(requests: Requests, ask: Ask, about: readonly OperationId[]): Promise<void> {
  const inOrder = (Object.keys(requests) as OperationId[]).filter((operation) => about.includes(operation))
  await each(inOrder, async (operation) => ask(operation, await requests[operation]()))
}

/** Beyond this machine a run may send a few messages only, and the checks of messages need them. */
export function sparingly({ target }: Tools, about: 'all' | readonly OperationId[]): readonly OperationId[] {
  const all = about === 'all' ? (Object.keys(operations) as OperationId[]) : about
  return target.loopback ? all : all.filter((operation) => operations[operation].effect !== 'send')
}

/** One after the other. What keeps one from being judged keeps no other from it. */
export async function each<Item>(items: readonly Item[], judge: (item: Item) => Promise<unknown>): Promise<void> {
  const hindrances: Error[] = []
  for (const item of items) {
    try {
      await judge(item)
    } catch (error) {
      if (!(error instanceof Skipped || error instanceof Inconclusive)) throw error
      hindrances.push(error)
    }
  }
  const inconclusive = hindrances.find((error) => error instanceof Inconclusive)
  const [first] = hindrances
  if (inconclusive) throw inconclusive
  if (first && hindrances.length === items.length) throw first
}

/** The same request, but that what it names first is nothing that it may be. */
export function spoilt({ path, query, body, ...rest }: Asked): Asked {
  if (body !== undefined) {
    const [first = ''] = Object.keys(body as object)
    return { ...rest, ...(path ? { path } : {}), body: { ...(body as object), [first]: 42 } }
  }
  if (!path) return rest
  return { ...rest, ...(query ? { query } : {}), path: mapped(path, () => 'not an id') }
}

const mapped = (values: Readonly<Record<string, string>>, change: () => string) =>
  Object.fromEntries(Object.keys(values).map((name) => [name, change()]))

/** The kind of record that an operation names in its path. */
export function kindIn(operation: OperationId): Kind {
  const kind = (Object.keys(kinds) as Kind[]).find((one) => operations[operation].path.includes(kinds[one].parameter))
  if (!kind) throw new TypeError(`${operation} names no record`)
  return kind
}

/** A record, but for when it was updated: to look at it may count as an update. */
export async function seen({ look }: Tools, kind: Kind, record: Subject): Promise<object | undefined> {
  const shown = await look(kind, record)
  return shown && { ...shown, updatedAt: undefined }
}

/** Whatever else a body may be, it has no fields. */
export function fieldsOf({ body }: Answer): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

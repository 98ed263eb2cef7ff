import type { Incoming, Outgoing, Send } from '../../../contracts/client/transport.ts'
import { promise } from '../../../spec/promises.ts'
import { operations } from '../../../spec/operations.ts'
import type { OperationId } from '../../../spec/types.ts'
import { operationAsked } from '../deviants/deviant.ts'

// Lies that are generated: what an answer says or a request does otherwise, and when.

type Fields = Record<string, unknown>

/** A wrong answer or a wrong effect, with its name. `met` counts how often it changed something. */
export interface Lie {
  readonly operation: OperationId
  readonly name: string
  readonly wrap: (send: Send) => Send
  readonly met: () => number
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

/** The documented fields of the records in the answers of an operation, and whether they have text, numbers or a list of values. */
const contactFields = ['firstName', 'lastName', 'email', 'phone', 'status', 'source', 'lifecycleStage']
const messageFields = ['content', 'channel', 'direction', 'conversationId', 'contactId']
const conversationFields = ['_id', 'contactId._id', 'contactId.email', 'contactId.phoneNumber']
const templateFields = ['name', 'templateType', 'content', 'status', 'language']

const answered: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  createContact: contactFields,
  updateContact: contactFields,
  createOrUpdateContact: contactFields,
  deleteContact: ['_id', 'firstName', 'email'],
  findOrCreateConversation: conversationFields,
  createContactWithConversation: conversationFields,
  createConversation: conversationFields,
  getConversation: conversationFields,
  listConversationsOfContact: conversationFields,
  sendLiveMessage: messageFields,
  sendEmailMessage: [...messageFields, 'subject'],
  sendMessage: messageFields,
  listMessages: [...messageFields, 'subject'],
  listTemplates: templateFields,
  getTemplate: templateFields,
  createTemplate: ['name', 'templateType', 'status', 'subject'],
  updateTemplate: ['name', 'content', 'language'],
  createCompany: ['name', 'domain'],
  updateCompany: ['name', 'domain'],
  createProduct: ['name', 'sku', 'unitPrice', 'unitCost'],
  updateProduct: ['name', 'sku', 'unitPrice', 'unitCost'],
  createDeal: ['name', 'amount', 'currency', 'stage', 'pipeline'],
  updateDeal: ['name', 'amount', 'currency', 'stage', 'pipeline'],
  createQuote: ['name', 'dealId', 'status', 'template'],
  updateQuote: ['name', 'dealId', 'status', 'template'],
}

/** What a request stores or what is asked for, though the answer may say otherwise. */
const stored: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  createContact: contactFields,
  updateContact: contactFields,
  createOrUpdateContact: contactFields,
  updateTemplate: ['name', 'content', 'language'],
  createTemplate: ['content', 'language'],
  updateCompany: ['name', 'domain'],
  updateProduct: ['name', 'sku', 'unitPrice', 'unitCost'],
  updateDeal: ['name', 'amount', 'currency', 'stage'],
  updateQuote: ['name', 'status'],
  sendLiveMessage: ['content'],
  sendEmailMessage: ['content', 'subject'],
  sendMessage: ['content'],
}

const paginated: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  listMessages: ['total', 'currentPage', 'totalPages', 'hasMore'],
  listTemplates: ['totalResults', 'totalPages', 'currentPage', 'limit', 'hasMore'],
}

interface Memory {
  /** The values that each record had in earlier answers, and the record that was shown before. */
  readonly before: Map<string, Fields>
  readonly now: Map<string, Fields>
  last: Fields | undefined
}

/** A change of a value; `undefined` where there is none to change. */
type Change = (value: unknown, field: string, record: Fields, memory: Memory) => unknown

const textual =
  (change: (text: string) => string): Change =>
  (value) =>
    typeof value === 'string' && change(value) !== value ? change(value) : undefined

const others: Readonly<Record<string, readonly string[]>> = {
  status: ['open', 'closed', 'approved', 'rejected', 'draft', 'sent'],
  channel: ['chat', 'email', 'sms', 'whatsapp'],
  direction: ['incoming', 'outgoing'],
  templateType: ['sms', 'email', 'whatsapp'],
  lifecycleStage: ['Lead', 'Ads'],
  currency: ['EUR', 'USD'],
}

const changes: Readonly<Record<string, Change>> = {
  'is missing': (value) => (value === undefined || value === '' || value === null ? undefined : missing),
  'has its value before the last write': (value, field, record, { before }) => {
    const old = before.get(String(record._id))?.[field]
    return old === undefined || old === value ? undefined : old
  },
  'has the value of another record': (value, field, record, { last }) => {
    const other = last?.[field]
    return other === undefined || other === value || last?._id === record._id || value === undefined ? undefined : other
  },
  'is one character shorter': textual((text) => (text.length > 1 && !text.includes('@') ? text.slice(0, -1) : text)),
  'loses its markup': textual((text) => text.replaceAll(/<[^>]+>/g, '')),
  'loses its style attributes': textual((text) => text.replaceAll(/ style="[^"]*"/g, '')),
  'has its entities decoded': textual((text) => text.replaceAll('&amp;', '&').replaceAll('&lt;', '<')),
  'has its markup encoded': textual((text) => text.replaceAll('<', '&lt;')),
  'loses its stars': textual((text) => text.replaceAll('*', '')),
  'loses what is beyond ASCII': textual((text) => text.replaceAll(/[^\p{ASCII}]/gu, '?')),
  'is cut at 255 characters': textual((text) => text.slice(0, 255)),
  'is a number more': (value) => (typeof value === 'number' ? value + 1 : undefined),
  'loses its cents': (value) => (typeof value === 'number' && value % 1 !== 0 ? Math.trunc(value) : undefined),
  'is 1 for 0': (value) => (value === 0 ? 1 : undefined),
  'is another of its list': (value, field) => others[field]?.find((one) => one !== value),
}

const missing = Symbol('missing')

/** When a lie is told. */
const times: Readonly<Record<string, (request: Outgoing, counts: Counts) => boolean>> = {
  always: () => true,
  'from the second time on': (_, { count }) => count > 1,
  'from the third time on': (_, { count }) => count > 2,
  'only after an update': ({ url }, { updated }) => updated.has(idIn(url)),
  'only with a filter': ({ url }) => /channel=|types=\w+&types|statuses=\w+&statuses/.test(url),
  'only beyond the first page': ({ url }) => /page=(?!1\b)/.test(url),
  'only for a limit of 1': ({ url }) => /limit=1\b/.test(url),
  'only for whatsapp': ({ body, url }) => /"whatsapp"|types=whatsapp/.test(`${String(body)} ${url}`),
  'only for email': ({ body, url }) =>
    /"email","|"channel":"email"|"templateType":"email"|types=email/.test(`${String(body)} ${url}`),
  'only for another team': (_, { isSecondCaller }) => isSecondCaller,
  'only for a repeated key': (_, { repeatsKey }) => repeatsKey,
}

interface Counts {
  count: number
  readonly updated: Set<string>
  isSecondCaller: boolean
  repeatsKey: boolean
}

const idIn = (url: string) => /\/([0-9a-f]{24})(?:$|\?)/.exec(url)?.[1] ?? ''

/** The lies of all kinds about an operation. */
export function lies(): Lie[] {
  const whens = Object.keys(times)
  const ofAnswers = Object.entries(answered).flatMap(([operation, fields]) =>
    fields.flatMap((field) =>
      Object.keys(changes).flatMap((what) =>
        whens.map((when) => answerLie(operation as OperationId, field, what, when)),
      ),
    ),
  )
  const ofEffects = Object.entries(stored).flatMap(([operation, fields]) =>
    fields.flatMap((field) => whens.map((when) => effectLie(operation as OperationId, field, when))),
  )
  const ofLists = (['listMessages', 'listTemplates', 'listConversationsOfContact'] as const).flatMap((operation) =>
    Object.keys(listChanges).flatMap((what) => whens.map((when) => listLie(operation, what, when))),
  )
  const ofPages = Object.entries(paginated).flatMap(([operation, fields]) =>
    fields.flatMap((field) => whens.map((when) => pageLie(operation as OperationId, field, when))),
  )
  const ofWholes = Object.values(operations).flatMap(({ id, method }) =>
    Object.keys(wholes)
      .filter((what) => what !== 'its effect is done twice' || method === 'post')
      .filter((what) => method !== 'get' || what !== 'its effect is not done')
      .flatMap((what) => whens.map((when) => wholeLie(id, what, when))),
  )
  return [...ofAnswers, ...ofEffects, ...ofLists, ...ofPages, ...ofWholes]
}

type Told = (incoming: Incoming, request: Outgoing, memory: Memory) => Incoming | undefined

/** Tells a lie in the answers to an operation, at its time. */
function about(
  operation: OperationId,
  name: string,
  when: string,
  tell: {
    readonly answer?: Told
    readonly instead?: (
      request: Outgoing,
      send: () => Promise<Incoming>,
      resend: (request: Outgoing) => Promise<Incoming>,
    ) => Promise<Incoming> | undefined
  },
): Lie {
  let met = 0
  const wrap = (send: Send): Send => {
    const counts: Counts = { count: 0, updated: new Set(), isSecondCaller: false, repeatsKey: false }
    const memory: Memory = { before: new Map(), now: new Map(), last: undefined }
    const keys = new Set<string>()
    return async (request, timeout) => {
      const asked = operationAsked(request)
      const key = request.headers['idempotency-key']
      if (asked === operation) counts.count++
      counts.isSecondCaller = request.headers['x-api-key'] === 'another-key-which-globex-has'
      counts.repeatsKey = key !== undefined && keys.has(key)
      if (key !== undefined) keys.add(key)
      const isTime = asked === operation && (times[when]?.(request, counts) ?? false)
      const instead = isTime
        ? tell.instead?.(
            request,
            () => send(request, timeout),
            (other) => send(other, timeout),
          )
        : undefined
      const incoming = instead ? await instead : await send(request, timeout)
      if (instead) met++
      if (request.method === 'PUT') counts.updated.add(idIn(request.url))
      const lie = isTime && incoming.status < 300 ? tell.answer?.(incoming, request, memory) : undefined
      if (incoming.status < 300 && isJson(incoming)) remember(memory, incoming)
      if (!lie || (lie.text === incoming.text && lie.status === incoming.status)) return incoming
      met++
      return lie
    }
  }
  return { operation, name: `${operation}: ${name}, ${when}`, wrap, met: () => met }
}

const isJson = ({ text }: Incoming) => text.startsWith('{')

function remember(memory: Memory, { text }: Incoming): void {
  for (const record of recordsIn((JSON.parse(text) as Fields).data)) {
    const id = String(record._id)
    const now = memory.now.get(id)
    if (now && JSON.stringify(now) !== JSON.stringify(record))
      memory.before.set(id, { ...memory.before.get(id), ...now })
    memory.now.set(id, { ...now, ...structuredClone(record) })
    memory.last = structuredClone(record)
  }
}

function recordsIn(data: unknown): Fields[] {
  if (!Array.isArray(data)) return typeof data === 'object' && data !== null ? [data as Fields] : []
  return data.flatMap((one: unknown) =>
    Array.isArray(fieldsOf(one).messages) ? (fieldsOf(one).messages as Fields[]) : [fieldsOf(one)],
  )
}

function answerLie(operation: OperationId, path: string, what: string, when: string): Lie {
  return about(operation, `${path} ${what}`, when, {
    answer: (incoming, _, memory) => {
      const body = JSON.parse(incoming.text) as Fields
      for (const record of recordsIn(body.data)) {
        const [outer, inner] = path.split('.') as [string, string?]
        const holder = inner === undefined ? record : fieldsOf(record[outer])
        const field = inner ?? outer
        const value = changes[what]?.(holder[field], field, holder, memory)
        if (value === undefined) continue
        if (value === missing) Reflect.deleteProperty(holder, field)
        else holder[field] = value
      }
      return { ...incoming, text: JSON.stringify(body) }
    },
  })
}

const bodyOf = ({ body }: Outgoing): Fields => (body?.toString().startsWith('{') ? (JSON.parse(body.toString()) as Fields) : {})

/** The field is not stored, and the answer to the write says that it is. */
function effectLie(operation: OperationId, field: string, when: string): Lie {
  return about(operation, `${field} is not stored`, when, {
    instead: (request, _, resend) => {
      const body = bodyOf(request)
      const value = body[field]
      if (value === undefined || typeof value === 'object') return undefined
      const other =
        field === 'content' || field === 'subject' || field === 'firstName' || field === 'lastName' || field === 'name'
          ? { ...body, [field]: `${String(value).slice(0, -1)}x` }
          : without(body, field)
      return resend({ ...request, body: Buffer.from(JSON.stringify(other)) }).then((incoming) => {
        if (incoming.status >= 300) return incoming
        const answer = JSON.parse(incoming.text) as Fields
        if (field in fieldsOf(answer.data)) fieldsOf(answer.data)[field] = value
        return { ...incoming, text: JSON.stringify(answer) }
      })
    },
  })
}

const without = (fields: Fields, name: string) =>
  Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name))

const listChanges: Readonly<Record<string, (items: Fields[]) => Fields[]>> = {
  'lacks its last item': (items) => items.slice(0, -1),
  'lacks its first item': (items) => items.slice(1),
  'has its first item twice': (items) => [...items.slice(0, 1), ...items],
  'is empty': () => [],
}

function listLie(operation: OperationId, what: string, when: string): Lie {
  return about(operation, `the list ${what}`, when, {
    answer: (incoming) => {
      const body = JSON.parse(incoming.text) as Fields
      const change = listChanges[what] ?? ((items) => items)
      const data = body.data as Fields[]
      body.data =
        operation === 'listMessages'
          ? data.map((group) => ({ ...group, messages: change(group.messages as Fields[]) }))
          : change(data)
      return { ...incoming, text: JSON.stringify(body) }
    },
  })
}

function pageLie(operation: OperationId, field: string, when: string): Lie {
  return about(operation, `pagination.${field} is wrong`, when, {
    answer: (incoming) => {
      const body = JSON.parse(incoming.text) as Fields
      const pagination = fieldsOf(body.pagination)
      const value = pagination[field]
      pagination[field] = typeof value === 'boolean' ? !value : Number(value) + 1
      return { ...incoming, text: JSON.stringify(body) }
    },
  })
}

const wholes: Readonly<Record<string, Parameters<typeof about>[3]>> = {
  'has the status of another success': {
    answer: (incoming) => ({ ...incoming, status: incoming.status === 200 ? 201 : 200 }),
  },
  'its effect is done twice': {
    instead: async (request, send, resend) => {
      const first = await send()
      if (first.status < 300)
        await resend({
          ...request,
          headers: without(request.headers as Fields, 'idempotency-key') as Outgoing['headers'],
        })
      return first
    },
  },
  'is refused with 500': {
    answer: (incoming) => ({
      ...incoming,
      status: 500,
      text: JSON.stringify({ success: false, message: 'Internal server error' }),
    }),
  },
  'is done for the other team': {
    instead: (request, _, resend) => {
      const key = request.headers['x-api-key']
      if (key === undefined) return undefined
      const other = key === 'other-server-key-of-acme' ? 'another-key-which-globex-has' : 'other-server-key-of-acme'
      return resend({ ...request, headers: { ...request.headers, 'x-api-key': other } })
    },
  },
  'accepts a field that is not listed': {
    instead: (request, _, resend) => {
      const body = bodyOf(request)
      return 'nickname' in body
        ? resend({ ...request, body: Buffer.from(JSON.stringify(without(body, 'nickname'))) })
        : undefined
    },
  },
}

const wholeLie = (operation: OperationId, what: string, when: string): Lie =>
  about(operation, what, when, wholes[what] ?? {})

/** Rules by which a lie breaks no promise. */
export function isAboutNothing({ operation, name }: Lie): string | undefined {
  const of = promise('error.statusIsDocumented')
  if (of.operations !== 'all') return undefined
  if (name.includes('is refused with 500')) return 'a 500 is documented of every operation'
  if (operation === 'listConversationsOfContact' && name.includes('is empty')) return undefined
  return undefined
}

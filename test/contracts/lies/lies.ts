import type { Incoming, Outgoing, Send } from '../../../contracts/client/transport.ts'
import {
  deletesById,
  recordCreates,
  recordUpdates,
  resolutions,
  updates,
  withBody,
} from '../../../spec/operation-groups.ts'
import { operations } from '../../../spec/operations.ts'
import type { OperationId } from '../../../spec/types.ts'
import { parseJson } from '../../../lib/json.ts'
import { operationAsked } from '../deviants/deviant.ts'
import { credentials } from '../other-server/server.ts'

// Lies that are generated: which answer or effect is wrong, how, and when.

type Fields = Record<string, unknown>

/** A lie in the answers to an operation, or in what it does. */
export interface Lie {
  readonly operation: OperationId
  readonly field?: string
  readonly what: string
  readonly when: When
  readonly telling: Telling
}

export const nameOf = ({ operation, field, what, when }: Lie) =>
  `${operation}: ${field === undefined ? '' : `${field} `}${what}, ${when}`

interface Telling {
  /** The request that is sent instead. */
  readonly sends?: (request: Outgoing, body: Fields) => Outgoing | undefined
  /** The request is sent twice. */
  readonly isDoneTwice?: true
  /** The server sends nothing. */
  readonly isRefused?: true
  /** Told only where a refusal is due. */
  readonly isOfRefusals?: boolean
  /** The answer that is given instead. */
  readonly answers?: (incoming: Incoming, body: Fields, scene: Scene) => Incoming
}

/** The answers so far. */
class Scene {
  readonly counts = new Map<OperationId, number>()
  readonly updated = new Set<string>()
  readonly #keys = new Set<string>()
  readonly #before = new Map<string, Fields>()
  readonly #now = new Map<string, Fields>()
  #latest: Fields = {}
  repeatsKey = false

  begin(operation: OperationId, { headers }: Outgoing): void {
    this.counts.set(operation, (this.counts.get(operation) ?? 0) + 1)
    const key = headers['idempotency-key']
    this.repeatsKey = key !== undefined && this.#keys.has(key)
    if (key !== undefined) this.#keys.add(key)
  }

  end({ method, url }: Outgoing, incoming: Incoming): void {
    if (incoming.status >= 300) return
    if (method === 'PUT') this.updated.add(idIn(url))
    for (const record of recordsIn(fieldsOf(JSON.parse(incoming.text)).data)) {
      const id = String(record._id)
      const now = this.#now.get(id) ?? {}
      const isChanged = (field: string) => record[field] !== undefined && record[field] !== now[field]
      const old = Object.keys(now).filter(isChanged)
      this.#before.set(id, { ...this.#before.get(id), ...Object.fromEntries(old.map((field) => [field, now[field]])) })
      this.#now.set(id, { ...now, ...record })
      this.#latest = record
    }
  }

  before = (id: unknown): Fields => this.#before.get(String(id)) ?? {}

  other = (id: unknown): Fields => (this.#latest._id === id ? {} : this.#latest)
}

const idIn = (url: string) => /\/([0-9a-f]{24})(?:$|\?)/.exec(url)?.[1] ?? ''

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

const bodyOf = ({ body }: Outgoing) => fieldsOf(parseJson(body?.toString() ?? ''))

/** The records in the data of an answer, and the messages of a history. */
const recordsIn = (data: unknown): Fields[] =>
  [data ?? []].flat().flatMap((one) => {
    const { messages } = fieldsOf(one)
    return Array.isArray(messages) ? messages.map(fieldsOf) : [fieldsOf(one)]
  })

const isKeyOf = (team: string, { headers }: Outgoing) => headers['x-api-key'] === team

const times = {
  always: () => true,
  'from the second time on': (_, { counts }, operation) => (counts.get(operation) ?? 0) > 1,
  'from the third time on': (_, { counts }, operation) => (counts.get(operation) ?? 0) > 2,
  'after an update': ({ url }, { updated }) => updated.has(idIn(url)),
  'with a filter': ({ url }) => /channel=|types=\w+&types|statuses=\w+&statuses/.test(url),
  'beyond the first page': ({ url }) => /page=(?!1\b)/.test(url),
  'with a limit of 1': ({ url }) => /limit=1\b/.test(url),
  'for WhatsApp': ({ body, url }) => /"whatsapp"|types=whatsapp/.test(`${String(body)} ${url}`),
  'for e-mails': ({ body, url }) => /:"email"|types=email|channel=email/.test(`${String(body)} ${url}`),
  'for the other team': (request) => isKeyOf(credentials.otherTeam, request),
  'for a repeated key': (_, { repeatsKey }) => repeatsKey,
} satisfies Readonly<Record<string, (request: Outgoing, scene: Scene, operation: OperationId) => boolean>>

type When = keyof typeof times

const isOneOf = (operation: OperationId, ids: readonly OperationId[]) => ids.includes(operation)

/** Whether a request to an operation can come at this time. */
function mayCome(operation: OperationId, when: When): boolean {
  const isList = operation === 'listMessages' || operation === 'listTemplates'
  if (when === 'after an update') return isOneOf(operation, [...updates, ...deletesById, 'getTemplate'])
  if (when === 'with a filter' || when === 'beyond the first page' || when === 'with a limit of 1') return isList
  if (when === 'for WhatsApp' || when === 'for e-mails')
    return isList || ['sendMessage', 'sendBulkMessages', 'createTemplate', 'updateTemplate'].includes(operation)
  if (when === 'for a repeated key') return isOneOf(operation, withBody)
  // Of the requests of the other team, most are refused.
  if (when === 'for the other team') return /^(create|find)/.test(operation)
  return true
}

type Kind = 'text' | 'number' | 'list' | 'name'

const contact = { firstName: 'text', lastName: 'text', email: 'name', phone: 'name', source: 'text' } as const
const ofContact = { ...contact, status: 'list', lifecycleStage: 'list' } as const
const conversation = {
  _id: 'name',
  'contactId._id': 'name',
  'contactId.email': 'name',
  'contactId.phoneNumber': 'name',
} as const
const message = {
  content: 'text',
  channel: 'list',
  direction: 'list',
  conversationId: 'name',
  contactId: 'name',
} as const
const template = {
  name: 'text',
  uniqueName: 'name',
  templateType: 'list',
  content: 'text',
  status: 'list',
  language: 'list',
} as const
const company = { name: 'text', domain: 'name' } as const
const product = { name: 'text', sku: 'name', unitPrice: 'number', unitCost: 'number' } as const
const deal = { name: 'text', amount: 'number', currency: 'list', stage: 'name', pipeline: 'name' } as const
const quote = { name: 'text', dealId: 'name', status: 'list', template: 'name' } as const

/** The documented fields in the answers to an operation. */
const answered: Readonly<Partial<Record<OperationId, Readonly<Record<string, Kind>>>>> = {
  createContact: ofContact,
  updateContact: ofContact,
  createOrUpdateContact: ofContact,
  deleteContact: { _id: 'name', firstName: 'text', email: 'name' },
  findOrCreateConversation: conversation,
  createContactWithConversation: conversation,
  createConversation: conversation,
  getConversation: conversation,
  listConversationsOfContact: conversation,
  sendLiveMessage: message,
  sendEmailMessage: { ...message, subject: 'text' },
  sendMessage: message,
  listMessages: { ...message, subject: 'text' },
  listTemplates: template,
  getTemplate: template,
  createTemplate: { name: 'text', templateType: 'list', status: 'list', subject: 'text' },
  updateTemplate: { name: 'text', content: 'text', language: 'list' },
  ...{ createCompany: company, updateCompany: company, createProduct: product, updateProduct: product },
  ...{ createDeal: deal, updateDeal: deal, createQuote: quote, updateQuote: quote },
}

/** The fields that an operation stores. */
const stored: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  createContact: Object.keys(ofContact),
  updateContact: Object.keys(ofContact),
  createOrUpdateContact: Object.keys(ofContact),
  createTemplate: ['content', 'language'],
  updateTemplate: ['name', 'content', 'language'],
  updateCompany: ['name', 'domain'],
  updateProduct: Object.keys(product),
  updateDeal: ['name', 'amount', 'currency', 'stage'],
  updateQuote: ['name', 'status'],
  sendLiveMessage: ['content'],
  sendEmailMessage: ['content', 'subject'],
  sendMessage: ['content'],
}

const missing = Symbol('missing')

/** A change of a value; `undefined` where there is none to change. */
type Change = (value: unknown, field: string, record: Fields, scene: Scene) => unknown

const inText =
  (change: (text: string) => string): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : undefined

const lists: Readonly<Record<string, readonly string[]>> = {
  status: ['open', 'closed', 'approved', 'rejected', 'draft', 'sent'],
  channel: ['chat', 'email', 'sms', 'whatsapp'],
  direction: ['incoming', 'outgoing'],
  templateType: ['sms', 'email', 'whatsapp'],
  lifecycleStage: ['Lead', 'Ads'],
  currency: ['EUR', 'USD'],
  language: ['en', 'de'],
}

const ofEach: Readonly<Record<string, Change>> = {
  'is missing': (value) => (value === undefined || value === '' || value === null ? undefined : missing),
  'has the value of another record': (value, field, { _id }, { other }) =>
    value === undefined ? undefined : other(_id)[field],
}

const ofChanged: Readonly<Record<string, Change>> = {
  'has its value before the last write': (_, field, { _id }, { before }) => before(_id)[field],
}

const ofKinds: Readonly<Record<Kind, Readonly<Record<string, Change>>>> = {
  name: {},
  text: {
    'is one character shorter': inText((text) => text.slice(0, -1)),
    'loses its markup': inText((text) => text.replaceAll(/<[^>]+>/g, '')),
    'loses its style attributes': inText((text) => text.replaceAll(/ style="[^"]*"/g, '')),
    'has its entities decoded': inText((text) => text.replaceAll('&amp;', '&').replaceAll('&lt;', '<')),
    'has its markup encoded': inText((text) => text.replaceAll('<', '&lt;')),
    'loses its stars': inText((text) => text.replaceAll('*', '')),
    'loses what is beyond ASCII': inText((text) => text.replaceAll(/[^\p{ASCII}]/gu, '?')),
    'is cut at 255 characters': inText((text) => text.slice(0, 255)),
  },
  number: {
    'is a number more': (value) => (typeof value === 'number' ? value + 1 : undefined),
    'loses its cents': (value) => (typeof value === 'number' ? Math.trunc(value) : undefined),
    'is 1 for 0': (value) => (value === 0 ? 1 : undefined),
  },
  list: {
    'is another of its list': (value, field) => lists[field]?.find((one) => value !== undefined && one !== value),
  },
}

const json = (incoming: Incoming, change: (body: Fields) => void): Incoming => {
  const body = fieldsOf(JSON.parse(incoming.text))
  change(body)
  return { ...incoming, text: JSON.stringify(body) }
}

/** A value in an answer is another one. A write promises nothing about a field that it was not given, unless it keeps that field. */
const valueLie = (operation: OperationId, path: string, change: Change): Telling => ({
  answers: (incoming, sent, scene) =>
    json(incoming, ({ data }) => {
      const [outer = '', inner] = path.split('.')
      const isKept = operation.startsWith('update') && outer !== 'status'
      if (!isKept && stored[operation]?.includes(outer) && !(outer in sent)) return
      for (const record of recordsIn(data)) {
        const holder = inner === undefined ? record : fieldsOf(record[outer])
        const field = inner ?? outer
        const value = change(holder[field], field, holder, scene)
        if (value === missing) Reflect.deleteProperty(holder, field)
        else if (value !== undefined) holder[field] = value
      }
    }),
})

const withBodyOf = (request: Outgoing, body: Fields): Outgoing => ({
  ...request,
  body: Buffer.from(JSON.stringify(body)),
})

const without = <All extends object>(fields: All, name: string) =>
  Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name)) as All

/** Another value is stored, or none, and the answer to the write shows the value that was sent. */
const effectLie = (field: string): Telling => ({
  sends: (request, body) => {
    const value = body[field]
    if (typeof value !== 'string' && typeof value !== 'number') return undefined
    const isText = /^(content|subject|name|firstName|lastName)$/.test(field)
    return withBodyOf(request, isText ? { ...body, [field]: `${String(value).slice(0, -1)}x` } : without(body, field))
  },
  answers: (incoming, sent) =>
    json(incoming, ({ data }) => {
      if (field in fieldsOf(data)) fieldsOf(data)[field] = sent[field]
    }),
})

const ofLists: Readonly<Record<string, (items: unknown[]) => unknown[]>> = {
  'lacks its last item': (items) => items.slice(0, -1),
  'lacks its first item': (items) => items.slice(1),
  'has its first item twice': (items) => [...items.slice(0, 1), ...items],
  'is empty': () => [],
}

const listLie = (operation: OperationId, change: (items: unknown[]) => unknown[]): Telling => ({
  answers: (incoming) =>
    json(incoming, (body) => {
      const data = body.data as Fields[]
      body.data =
        operation === 'listMessages'
          ? data.map((group) => ({ ...group, messages: change(group.messages as unknown[]) }))
          : change(data)
    }),
})

const pages: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  listMessages: ['currentPage', 'totalPages', 'hasMore'],
  listTemplates: ['totalResults', 'totalPages', 'currentPage', 'limit', 'hasMore'],
}

const pageLie = (field: string): Telling => ({
  answers: (incoming) =>
    json(incoming, (body) => {
      const pagination = fieldsOf(body.pagination)
      pagination[field] = typeof pagination[field] === 'boolean' ? !pagination[field] : Number(pagination[field]) + 1
    }),
})

const ofWholes: Readonly<Record<string, Telling & { readonly of: (operation: OperationId) => boolean }>> = {
  'has the status of another success': {
    of: () => true,
    answers: (incoming) => ({ ...incoming, status: incoming.status === 200 ? 201 : 200 }),
  },
  'fails with 500': { of: () => true, answers: (incoming) => ({ ...incoming, status: 500, text: refusal.text }) },
  'is done twice': { of: (id) => operations[id].method === 'post', isDoneTwice: true },
  'is refused': { of: () => true, isRefused: true },
  'is done for the other team': {
    of: () => true,
    sends: (request) => {
      const { team, otherTeam } = credentials
      const key = isKeyOf(team, request) ? otherTeam : team
      return 'x-api-key' in request.headers
        ? { ...request, headers: { ...request.headers, 'x-api-key': key } }
        : undefined
    },
  },
  'takes a field that is not listed': {
    of: (id) => isOneOf(id, withBody),
    isOfRefusals: true,
    sends: (request, body) => ('nickname' in body ? withBodyOf(request, without(body, 'nickname')) : undefined),
  },
  'changes nothing': {
    of: (id) => isOneOf(id, updates),
    sends: (request, { templateType, ...rest }) =>
      Object.keys(rest).length > 0 ? withBodyOf(request, { templateType }) : undefined,
    answers: (incoming, sent) => json(incoming, ({ data }) => Object.assign(fieldsOf(data), sent)),
  },
  'deletes nothing': {
    of: (id) => isOneOf(id, deletesById),
    sends: (request) => {
      const isTemplate = request.url.includes('/templates/')
      const headers = { ...request.headers, 'content-type': 'application/json' }
      const url = request.url.replace(/(companies|deals)\/(\w+\/)?(?=[0-9a-f]{24})/, '$1/edit/')
      return isTemplate ? { ...request, method: 'GET' } : withBodyOf({ ...request, url, headers, method: 'PUT' }, {})
    },
    answers: (incoming) =>
      json(incoming, (body) => {
        if (!('email' in fieldsOf(body.data))) delete body.data
      }),
  },
}

/** The lies of all kinds, in all operations, at all times that make sense. */
export function lies(): Lie[] {
  const one = (operation: OperationId, what: string, telling: Telling, field?: string) => ({
    ...{ operation, what, telling },
    ...(field !== undefined && { field }),
  })
  const ids = Object.keys(operations) as OperationId[]
  const all = ids.flatMap((id) => [
    ...Object.entries(answered[id] ?? {}).flatMap(([field, kind]) =>
      Object.entries({ ...ofEach, ...(/^(update|get|list|delete)/.test(id) && ofChanged), ...ofKinds[kind] }).map(
        ([what, change]) => one(id, what, valueLie(id, field, change), field),
      ),
    ),
    ...(stored[id] ?? []).map((field) => one(id, 'is not stored', effectLie(field), field)),
    ...(id.startsWith('list') ? Object.entries(ofLists) : []).map(([what, change]) =>
      one(id, `the list ${what}`, listLie(id, change)),
    ),
    ...(pages[id] ?? []).map((field) => one(id, 'is wrong', pageLie(field), `pagination.${field}`)),
    ...Object.entries(ofWholes).flatMap(([what, { of, ...telling }]) => (of(id) ? [one(id, what, telling)] : [])),
  ])
  const whens = Object.keys(times) as When[]
  return all.flatMap((lie) => whens.filter((when) => mayCome(lie.operation, when)).map((when) => ({ ...lie, when })))
}

/** Lies that break no promise, with the reason. */
const nothingPromised: readonly (readonly [reason: string, concerns: (lie: Lie) => boolean])[] = [
  ['a 500 is documented of every operation', ({ what }) => what === 'fails with 500'],
  [
    'a status may move by itself',
    ({ operation, field, when }) =>
      (field === 'status' || field === 'lifecycleStage') &&
      (/^(get|list|updateTemplate)/.test(operation) || when === 'for a repeated key'),
  ],
  [
    'a server may refuse a repeated key, answer it with less, or do nothing for it',
    ({ what, when }) =>
      when === 'for a repeated key' &&
      /^(is missing|is not stored|changes nothing|is refused|is done twice|has the status)/.test(what),
  ],
  [
    'an update of these need not return the record',
    ({ operation, what }) => what === 'is missing' && isOneOf(operation, recordUpdates),
  ],
  [
    'the second finds what the first has made, or no operation shows it',
    ({ operation, what }) =>
      what === 'is done twice' &&
      isOneOf(operation, [...resolutions, ...recordCreates, 'createOrUpdateContact', 'createTemplate']),
  ],
  [
    'a bulk send is queued, and no answer says how it goes on or what each address lacks',
    ({ operation, what }) => operation === 'sendBulkMessages' && /^is (done|refused)/.test(what),
  ],
  [
    'what was taken less than three times, or goes to WhatsApp, may be refused for a reason of the server',
    ({ what, when }) =>
      what === 'is refused' &&
      (/^(always|from)/.test(when) || when === 'for the other team' || when === 'for WhatsApp'),
  ],
]

export const reasonOfNone = (lie: Lie) => nothingPromised.find(([, concerns]) => concerns(lie))?.[0]

type Wrap = (send: Send) => Send

/** Finds the lies that would change something, and tells none. */
export const watching =
  (lies: readonly Lie[], met: (lie: Lie) => void): Wrap =>
  (send) =>
    inScene(async (request, operation, scene, timeout) => {
      const incoming = await send(request, timeout)
      const body = bodyOf(request)
      const due = lies.filter((lie) => lie.operation === operation && times[lie.when](request, scene, operation))
      for (const lie of due) if (isMet(lie.telling, request, body, incoming, scene)) met(lie)
      return [incoming, incoming]
    }, send)

function isMet(
  { sends, answers, isOfRefusals = false }: Telling,
  request: Outgoing,
  body: Fields,
  incoming: Incoming,
  scene: Scene,
) {
  if (isOfRefusals !== incoming.status >= 400) return false
  if (sends) return sends(request, body) !== undefined
  if (!answers) return true
  const { text, status } = answers(incoming, body, scene)
  return text !== incoming.text || status !== incoming.status
}

/** Tells a lie; `met` is called each time that it changes something. */
export const telling =
  ({ operation, when, telling }: Lie, met: () => void): Wrap =>
  (send) =>
    inScene(async (request, asked, scene, timeout) => {
      const { sends, answers, isDoneTwice, isRefused } = telling
      const body = bodyOf(request)
      const isDue = asked === operation && times[when](request, scene, operation)
      const other = isDue && sends ? sends(request, body) : request
      const isTold = isDue && other !== undefined
      if (isTold && isRefused) {
        met()
        return [refusal, refusal]
      }
      const honest = await send(other ?? request, timeout)
      if (isTold && (sends !== undefined || isMet(telling, request, body, honest, scene))) met()
      if (!isTold || honest.status >= 300) return [honest, honest]
      if (isDoneTwice) await send({ ...request, headers: without(request.headers, 'idempotency-key') }, timeout)
      return [answers?.(honest, body, scene) ?? honest, honest]
    }, send)

const refusal: Incoming = {
  status: 400,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify({ success: false, message: 'This is not possible' }),
}

/** The answer that is given, and the answer that is remembered. */
type Answers = (
  request: Outgoing,
  operation: OperationId,
  scene: Scene,
  timeout: number,
) => Promise<[Incoming, Incoming]>

function inScene(answer: Answers, send: Send): Send {
  const scene = new Scene()
  return async (request, timeout) => {
    const operation = operationAsked(request)
    if (operation === undefined) return send(request, timeout)
    scene.begin(operation, request)
    const [given, honest] = await answer(request, operation, scene, timeout)
    scene.end(request, honest)
    return given
  }
}

import fc from 'fast-check'
import {
  type Parameter,
  type Schema,
  describedOperations,
  document,
  membersOf,
  resolve,
} from '../../../spec/document.ts'
import type { OperationId } from '../../../spec/types.ts'

// Values for fields that the document leaves open, so that the server accepts some requests. `@contacts 3` becomes the id of
// a contact from an answer; `@provider`, `@sender` and `@addresses` become values that fit the channel.

/** Values that fit a schema of the document. */
function valuesOf(schema: Schema, field = ''): fc.Arbitrary<unknown> {
  const meant = resolve<Schema>(document, schema)
  if (meant.const !== undefined) return fc.constant(meant.const)
  if (meant.enum) return fc.constantFrom(...meant.enum)
  if (meant.oneOf) return fc.oneof(...meant.oneOf.map((branch) => valuesOf(branch, field)))
  const types = [meant.type ?? (meant.allOf ? 'object' : 'any')].flat() as (keyof typeof byType)[]
  return fc.oneof(...types.map((type) => byType[type](meant, field)))
}

type ValuesOf = (schema: Schema, field: string) => fc.Arbitrary<unknown>

const byType = {
  object: objectsOf,
  array: ({ items = {} }, field) => fc.array(valuesOf(items as Schema, field), { maxLength: 3 }),
  string: textOf,
  number: () => fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  integer: () => fc.integer({ min: 1, max: 100 }),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  any: (_, field) => fields[field] ?? fc.jsonValue({ maxDepth: 2 }),
} satisfies Record<string, ValuesOf>

function objectsOf(schema: Schema): fc.Arbitrary<unknown> {
  const { properties, required } = membersOf(document, schema, 'text')
  const listed = Object.entries(properties).map(([name, member]) => [name, valuesOf(member, name)])
  const all = fc.record(Object.fromEntries(listed) as Record<string, fc.Arbitrary<unknown>>)
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  const few = fc.subarray(optional, { maxLength: Math.min(2, optional.length) })
  const others = schema.additionalProperties === true ? unlisted : fc.constant({})
  return fc.tuple(others, all, fc.oneof(few, fc.subarray(optional))).map(([others, values, chosen]) => {
    const isSent = ([name]: [string, unknown]) => required.includes(name) || chosen.includes(name)
    return { ...others, ...Object.fromEntries(Object.entries(values).filter(isSent)) }
  })
}

function textOf({ format, pattern }: Schema, field: string): fc.Arbitrary<unknown> {
  if (format === 'email') return email
  if (format === 'date-time') return instant
  if (pattern !== undefined) return phone
  return fields[field] ?? text
}

/** Values by the channel of the body. */
export const fitting: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '@provider': { email: 'email-provider', sms: 'sms-provider', whatsapp: 'whatsapp-provider' },
  '@sender': { email: 'hello@acme.example.com', sms: '+14155550100', whatsapp: '+14155550101' },
  '@addresses': {
    email: 'person1@example.com, person2@example.com',
    sms: '+14155550101,+14155550102',
    whatsapp: '+14155550103',
  },
}

/** The parts of a request of an operation, as documented. */
function partsOfRequest(id: OperationId) {
  const { parameters = [], requestBody } = described.get(id) ?? {}
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, valuesOf(schema)])
  const from = (place: string) => valuesOf(parametersIn(parameters, place))
  return {
    path: from('path') as fc.Arbitrary<Draft['path']>,
    query: from('query') as fc.Arbitrary<Draft['query']>,
    bodies: Object.fromEntries(bodies) as Readonly<Record<string, fc.Arbitrary<unknown>>>,
  }
}

const described = new Map(describedOperations(document).map((operation) => [operation.operationId, operation]))

function parametersIn(parameters: readonly Parameter[], place: string) {
  const here = parameters.filter((parameter) => parameter.in === place)
  return {
    type: 'object',
    properties: Object.fromEntries(here.map(({ name, schema }) => [name, schema])),
    required: here.filter(({ required }) => required).map(({ name }) => name),
  }
}

const ids = (kind: string) => fc.nat({ max: 40 }).map((number) => `@${kind} ${number}`)
const email = fc.nat({ max: 30 }).map((number) => `person${number}@example.com`)
const phone = fc.nat({ max: 30 }).map((number) => `+141555501${String(number).padStart(2, '0')}`)
const instant = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const word = fc.stringMatching(/^[a-z]{1,8}$/)
const text = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('Hello {{contact.firstName}}', '{{constructor.constructor}}', '{{{{}}{{', '{{1}}'),
  },
)

const hints: Readonly<Record<string, fc.Arbitrary<string>>> = {
  conversationId: ids('conversations'),
  contactId: ids('contacts'),
  recipientId: ids('contacts'),
  recipientIds: ids('contacts'),
  contacts: ids('contacts'),
  templateId: ids('templates'),
  replyToMessageId: ids('messages'),
  companyId: ids('companies'),
  company: ids('companies'),
  productId: ids('products'),
  dealId: ids('deals'),
  quoteId: ids('quotes'),
  providerId: fc.constantFrom('@provider', '@sender'),
  provider: fc.constant('@provider'),
  to: fc.constant('@addresses'),
  email,
  phone,
  uniqueName: fc.uuid(),
  currency: fc.constantFrom('EUR', 'USD'),
  closeDate: instant.map((time) => time.slice(0, 10)),
  date: instant.map((time) => time.slice(0, 10)),
  time: instant.map((time) => time.slice(11, 16)),
  channel: fc.constantFrom('chat', 'email', 'sms', 'whatsapp'),
  templateButtons: fc.constant('[{"type":"QUICK_REPLY","text":"Thanks"}]'),
}

/** Values of fields, mostly in the right form. */
const fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = Object.fromEntries(
  Object.entries(hints).map(([field, hint]) => [
    field,
    fc.oneof({ weight: 15, arbitrary: hint }, { weight: 1, arbitrary: text }),
  ]),
)

const unlisted = fc.dictionary(word, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })

/** A generated request, with symbolic names for ids. */
export interface Draft {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent instead of the body, unchanged. */
  readonly text?: string
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, unknown>>
}

/** Requests of an operation: two of three are as documented, the others unusual in one way. */
export function requestsOf(id: OperationId): fc.Arbitrary<Draft> {
  return fc
    .tuple(draftsOf(id), fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: oddity }))
    .map(([draft, spoil]) => (spoil ? spoil(draft) : draft))
}

function draftsOf(id: OperationId): fc.Arbitrary<Draft> {
  const { path, query, bodies } = partsOfRequest(id)
  const sent = Object.entries(bodies).map(([type, body]) =>
    fc.record({ [type === 'application/json' ? 'body' : 'form']: body }),
  )
  return fc
    .record({
      path,
      query,
      headers: fc.constant({ 'x-api-key': 'acme-key' }),
      sent: sent.length === 0 ? fc.constant({}) : fc.oneof(...sent),
    })
    .map(({ sent, ...draft }) => ({ ...draft, ...sent }))
}

type Spoil = (draft: Draft) => Draft
type Path = readonly (string | number)[]

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

const junkText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '__proto__',
    'constructor',
    '..',
    'x'.repeat(10_000),
    '{{'.repeat(5_000),
    '+1',
    '@',
  ),
)
const junk = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: junkText },
  { weight: 2, arbitrary: fc.constantFrom(0, -1, 1e308, 1.5, true, false) },
  { weight: 2, arbitrary: fc.constantFrom([], {}, [[]], [null], { a: null }, JSON.parse(deep(20)) as unknown) },
  { weight: 1, arbitrary: fc.jsonValue() },
)

const place = fc.nat()

const inBody: readonly fc.Arbitrary<Spoil>[] = [
  fc.tuple(place, junk).map(([at, value]) => changing((body) => replaced(body, pathIn(body, at), value))),
  place.map((at) => changing((body) => removed(body, pathIn(body, at)))),
  fc
    .tuple(junkText, junk)
    .map(([name, value]) =>
      changing((body) => (isFields(body) ? { ...body, [name === '__proto__' ? 'proto' : name]: value } : value)),
    ),
]

const asText: readonly fc.Arbitrary<Spoil>[] = [
  place.map((at) => (draft) => {
    const text = draft.body === undefined ? '' : JSON.stringify(draft.body)
    return withText(draft, text.slice(0, at % (text.length + 1)))
  }),
  fc
    .constantFrom(
      '',
      ' ',
      'null',
      '{}',
      '{"a":1,}',
      '{"a":NaN}',
      '\ufeff{}',
      '{"__proto__":{"a":1}}',
      '{"a":{"constructor":{"prototype":1}}}',
      deep(33),
      '"text"',
      '{"a":1}{"a":1}',
    )
    .map((text) => (draft) => withText(draft, text)),
]

const header = (name: string, ...values: string[]): fc.Arbitrary<Spoil> =>
  fc.constantFrom(...values).map((value) => (draft) => ({ ...draft, headers: { ...draft.headers, [name]: value } }))

const around: readonly fc.Arbitrary<Spoil>[] = [
  header(
    'content-type',
    'text/plain',
    'application/jsonp',
    'application/json; charset=latin1',
    'multipart/form-data',
    '',
  ),
  header('x-api-key', '', 'nobody', 'globex-key ', 'acme-key, globex-key'),
  header('authorization', 'Bearer', 'Bearer x.y.z', 'Basic YTpi', 'Bearer eyJhbGciOiJub25lIn0.e30.'),
  header('idempotency-key', '', 'once', 'k'.repeat(256)),
  junkText.map((text) => (draft) => ({
    ...draft,
    path: Object.fromEntries(Object.keys(draft.path).map((name) => [name, text])),
  })),
  fc
    .tuple(
      fc.constantFrom('page', 'limit', 'types', 'statuses', 'channel', 'email', 'x'),
      fc.array(junkText, { maxLength: 2 }),
    )
    .map(([name, values]) => (draft) => ({ ...draft, query: { ...draft.query, [name]: values } })),
]

/** Makes one thing about a request unusual, which may make it invalid or not. */
const oddity: fc.Arbitrary<Spoil> = fc.oneof(
  ...inBody.map((arbitrary) => ({ weight: 4, arbitrary })),
  ...[...asText, ...around].map((arbitrary) => ({ weight: 1, arbitrary })),
)

function changing(change: (body: unknown) => unknown): Spoil {
  return ({ body, form, ...draft }) => {
    const after = change(form ?? body)
    return form ? { ...draft, form: isFields(after) ? after : {} } : { ...draft, body: after }
  }
}

function withText({ body, form, ...draft }: Draft, text: string): Draft {
  return { ...draft, text }
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The path to a part of the body, or to the whole. */
function pathIn(body: unknown, at: number): Path {
  const paths = pathsIn(body)
  return paths[at % paths.length] ?? []
}

function pathsIn(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [[]]
  const inner = Object.entries(value).flatMap(([key, part]) => pathsIn(part).map((path) => [key, ...path]))
  return [[], ...inner]
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return by
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string | number, unknown>
  copy[key] = replaced(copy[key], rest, by)
  return copy
}

function removed(body: unknown, path: Path): unknown {
  return path.length === 0 ? undefined : JSON.parse(JSON.stringify(replaced(body, path, undefined)))
}

import fc from 'fast-check'
import type { Draft } from './requests.ts'

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
export const oddity: fc.Arbitrary<Spoil> = fc.oneof(
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

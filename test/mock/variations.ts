import { describedOperations, document, fieldsOf } from '../../spec/document.ts'
import type { OperationId } from '../../spec/types.ts'
import { examples } from './asks.ts'
import type { Ask } from './harness.ts'

const described = new Map(describedOperations(document).map((operation) => [operation.operationId, operation]))

const unknownId = '66f0a1b2c3d4e5f601239999'

const values = [
  '',
  null,
  'pigeon',
  -1,
  [],
  ['x'],
  { pigeon: 1 },
  [{ pigeon: 1 }],
  ['1 of many'].concat(Array.from({ length: 1_000 }, () => 'x')),
  '{{contact.firstName}} {{pigeon}}',
  unknownId,
  'GRACE@example.com',
  '+1 415 555 0124',
  'https://192.168.0.1/plan.pdf',
]

const queries: readonly Ask['query'][] = [
  { colour: 'teal' },
  { page: 0 },
  { page: 2_000 },
  { limit: 101 },
  { types: 'pigeon' },
  { types: 'sms,email' },
  { types: 'whatsapp', statuses: 'rejected' },
  { 'types[]': 'sms' },
  { channel: 'pigeon' },
  { email: '' },
  { email: 'GRACE@example.com' },
]

/** The example of an operation, and the same request with one thing changed. */
export function variationsOf(id: OperationId): Ask[] {
  const { path, query, body } = examples[id]
  const plain: Ask = { path, query, ...(body ? { body } : {}) }
  const withHeader = (name: string, value: string) => ({ ...plain, headers: { [name]: value } })
  const withId = (to: string) => ({
    ...plain,
    path: Object.fromEntries(Object.keys(path).map((name) => [name, to])),
  })
  return [
    plain,
    { ...plain, key: null },
    withHeader('authorization', 'Bearer x'),
    { ...withHeader('authorization', 'Bearer x'), key: null },
    withHeader('idempotency-key', ''),
    withHeader('content-type', ''),
    withId('not an id'),
    withId(unknownId),
    ...queries.map((changed) => ({ ...plain, query: { ...query, ...changed } })),
    ...(body ? bodiesLike(id, body).map((changed) => ({ ...plain, body: changed })) : []),
  ]
}

function bodiesLike(id: OperationId, body: Readonly<Record<string, unknown>>): unknown[] {
  const { content = {} } = described.get(id)?.requestBody ?? {}
  const listed = Object.values(content).flatMap(({ schema }) => fieldsOf(document, schema))
  const fields = [...new Set([...listed, 'pigeon', '_id', 'createdAt'])]
  return [
    {},
    '',
    { ...body, pigeon: 'x'.repeat(1_100_000) },
    { ...body, pigeon: JSON.parse('['.repeat(40) + ']'.repeat(40)) as unknown },
    ...Object.keys(body).map((field) => ({ ...body, [field]: undefined })),
    ...fields.flatMap((field) => values.map((value) => ({ ...body, [field]: value }))),
  ]
}

import type { World } from '../../fixtures/world.ts'
import { assumption, type AssumptionName } from '../../spec/assumptions.ts'
import { describedOperations, document, type Examples } from '../../spec/document.ts'
import { operations, type OperationId } from '../../spec/operations.ts'
import { openSandbox, type CallOptions, type ApiResponse } from './helpers.ts'
import type { WrittenChoices } from '../../spec/choices.ts'

export const operationIds = Object.keys(operations) as OperationId[]
export const withBody = operationIds.filter((id) => operations[id].contentTypes.length > 0)

/** The operations that can rely on the assumption in a response. */
export function concernedBy(name: AssumptionName): readonly OperationId[] {
  const { operations: concerned } = assumption(name)
  return concerned === 'all' ? operationIds : concerned
}

export const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+14155550123' }

export const grace = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', phone: '+14155550124' }

/** An id that no record has. */
export const unknownId = '66f0a1b2c3d4e5f601239999'

export const idOf = async (telling: Promise<ApiResponse>): Promise<string> => (await telling).body.data._id

/** The ids in the examples of the document. */
const ids = {
  contactId: '66f0a1b2c3d4e5f601234567',
  conversationId: '66f0a1b2c3d4e5f601235001',
  templateId: '66f0a1b2c3d4e5f601236001',
  companyId: '66f0a1b2c3d4e5f601230001',
  productId: '66f0a1b2c3d4e5f601237001',
  dealId: '66f0a1b2c3d4e5f601231001',
  quoteId: '66f0a1b2c3d4e5f601232001',
}

const at = '2026-03-01T09:30:00.000Z'

/** `acme` has every record that the examples name, so that every example succeeds; `globex` has none. */
export const furnished: World = {
  teams: [
    {
      _id: 'acme',
      name: 'acme',
      apiKeys: ['acme-key'],
      groups: ['66f0a1b2c3d4e5f60123aaaa'],
      users: [
        { _id: 'acme-admin', role: 'admin' },
        { _id: 'acme-agent', role: 'agent' },
      ],
      providers: [
        { _id: 'email-provider', channel: 'email', address: 'hello@acme.example.com' },
        { _id: 'sms-provider', channel: 'sms', address: '+14155550100' },
        { _id: 'whatsapp-provider', channel: 'whatsapp', address: '+14155550101' },
      ],
      contacts: [
        {
          _id: ids.contactId,
          firstName: 'Grace',
          lastName: 'Hopper',
          email: 'grace@example.com',
          phone: '+14155550124',
          teamId: 'acme',
          createdAt: at,
          updatedAt: at,
        },
      ],
      conversations: [{ _id: ids.conversationId, contactId: ids.contactId, teamId: 'acme', createdAt: at }],
      templates: [
        {
          _id: ids.templateId,
          templateType: 'sms',
          name: 'Way to the mill',
          uniqueName: 'way-to-the-mill',
          content: 'Follow the river.',
          status: 'approved',
          provider: 'sms-provider',
        },
      ],
      companies: [{ _id: ids.companyId, name: 'Analytical Engines', teamId: 'acme' }],
      products: [{ _id: ids.productId, name: 'Difference engine', unitPrice: 1200 }],
      deals: [{ _id: ids.dealId, name: 'Engine for the mill', pipeline: 'sales', stage: 'offer' }],
      quotes: [
        {
          _id: ids.quoteId,
          dealId: ids.dealId,
          name: 'Engine for the mill',
          status: 'draft',
          template: 'default-basic',
        },
      ],
    },
    { _id: 'globex', name: 'globex', apiKeys: ['globex-key'] },
  ],
}

/** A request for each operation, from the examples of the document. */
export const examples = Object.fromEntries(
  describedOperations(document).map(({ operationId, parameters, requestBody }): [string, Example] => {
    const [body] = valuesOf(requestBody?.content['application/json']?.examples)
    const query = parameters.filter((parameter) => parameter.in === 'query')
    return [
      operationId,
      {
        path: ids,
        query: Object.fromEntries(query.map(({ name, examples }) => [name, valuesOf(examples)[0]])) as Example['query'],
        body: body as Example['body'],
      },
    ]
  }),
) as Readonly<Record<OperationId, Example>>

function valuesOf(examples: Examples = {}): unknown[] {
  return Object.values(examples).map(({ value }) => value)
}

type Example = CallOptions &
  Required<Pick<CallOptions, 'path' | 'query'>> & { readonly body: Record<string, unknown> | undefined }

/** The URL of an operation, with the ids of its example. */
export function targetOf(id: OperationId, { path, query } = examples[id]): string {
  const url = new URL(
    operations[id].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? '')),
    'http://localhost',
  )
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) url.searchParams.append(name, String(value))
  }
  return url.pathname + url.search
}

/** A sandbox with the records of the examples, and functions that send it bytes under any content type. */
export async function openFurnished(assume: WrittenChoices = {}) {
  const { sandbox, call } = await openSandbox({ world: furnished, assume })
  const send = async (id: OperationId, body: string | Uint8Array, headers: Record<string, string> = {}) => {
    const answer = await sandbox.fetch(targetOf(id), {
      method: operations[id].method.toUpperCase(),
      headers: { 'x-api-key': 'acme-key', ...headers },
      body: new Uint8Array(Buffer.from(body)),
    })
    return {
      status: answer.status,
      body: (await answer.json()) as { success: boolean; message: string; data: Record<string, unknown> },
      assumed: answer.headers.get('x-sandbox-assumed')?.split(', ') ?? [],
    }
  }
  const sendJson = (id: OperationId, body: string | Uint8Array) =>
    send(id, body, { 'content-type': 'application/json' })
  return { sandbox, call, send, sendJson }
}

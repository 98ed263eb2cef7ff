import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Heading, type Intent, Ledger } from '../../client/ledger/ledger.ts'
import { type Marks, newMarks } from '../../client/mint.ts'
import { cleanLedger } from '../../contracts/index.ts'
import { createSandbox } from '../../index.ts'
import { thisProcess } from '../../shared/running-process.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { recordsIn } from './records.ts'
import { folder, serverThat } from './harness.ts'

const apiKey = 'acme-key'

const others = ['refuse', 'replay', 'execute'] as const
const choices: readonly WrittenChoices[] = others.flatMap((repeatedKeyOtherBody) =>
  (['no', 'yes'] as const).flatMap((failuresKept) =>
    (['team', 'teamAndOperation'] as const).map((keyScope) => ({ repeatedKeyOtherBody, failuresKept, keyScope })),
  ),
)

const product = { operation: 'createProduct', path: '/api/products', kind: 'product' } as const
const company = { operation: 'createCompany', path: '/api/companies/create', kind: 'company' } as const

/** Of a run whose process has ended. */
const headingOf = (origin: string, marks: Marks): Heading => ({
  ledger: 1,
  origin,
  startedAt: new Date().toISOString(),
  ...marks,
  process: { ...thisProcess(), boot: 'an earlier one' },
})

/** Two requests with one key: of the first the answer is known, of the second not. */
const pairs = [
  ['the same request', product, { unitPrice: 3 }, product, { name: 'Engine', unitPrice: 3 }],
  ['another body', product, { unitPrice: 3 }, product, { name: 'Wheel', unitPrice: 3 }],
  ['another operation', product, { unitPrice: 3 }, company, { name: 'Engines' }],
  ['another body, and the first was refused', product, {}, product, { name: 'Wheel', unitPrice: 3 }],
  ['another operation, and the first was refused', product, {}, company, { name: 'Engines' }],
] as const

describe.each(choices)('a run that was killed after it had repeated a key, cleaned where %j', (assume) => {
  it.each(pairs.flatMap((pair) => [true, false].map((arrived) => [...pair, arrived] as const)))(
    'leaves nothing: %s',
    async (_, first, firstBody, second, secondBody, arrived) => {
      await using sandbox = await createSandbox({ port: 0, world: 'two-teams', assume })
      const before = recordsIn(await sandbox.world())
      const marks = newMarks()
      const key = `${marks.run}-key-1`
      const named = (name: string) => `${name} ${marks.run}`
      const send = async (path: string, body: object) => {
        const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': key }
        const answer = await sandbox.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
        return ((await answer.json()) as { data?: { _id: string } }).data?._id
      }
      const path = join(folder(), `${marks.run}.jsonl`)
      const heading = headingOf(sandbox.url, marks)
      const ledger = Ledger.create(path, heading, apiKey)
      const intend = ({ operation, kind }: Pick<Intent, 'operation' | 'kind'>, body: object) =>
        ledger.intend({ operation, who: 'team', kind, emails: [], phones: [], at: 0, again: { key, body } })

      const body = { name: named('Engine'), ...firstBody }
      const intent = intend(first, body)
      const id = await send(first.path, body)
      ledger.record(id === undefined ? { nothing: intent } : { created: intent, id, marked: true })
      const again = { ...secondBody, name: named(secondBody.name) }
      intend(second, again)
      if (arrived) await send(second.path, again)
      ledger.close()

      expect(await cleanLedger(path, { env: { CRM_API_KEY: apiKey } })).toEqual([])
      expect(recordsIn(await sandbox.world())).toEqual(before)
    },
  )
})

it('a server that ignores keys and wants each name once has a product left, and it is said', async () => {
  const names = new Map<string, string>()
  let count = 0
  const url = await serverThat((request, response) => {
    const answer = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const id = request.url?.split('/').at(-1) ?? ''
    if (request.method === 'DELETE') names.delete(id)
    if (request.method !== 'POST') {
      answer(200, { success: true, message: 'Done', data: { _id: id, name: names.get(id) } })
      return
    }
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const { name } = JSON.parse(text) as { name: string }
      if ([...names.values()].includes(name)) {
        answer(400, { success: false, message: 'There is one of this name' })
        return
      }
      const _id = `p${++count}`
      names.set(_id, name)
      answer(201, { success: true, message: 'Created', data: { _id, name } })
    })
  })
  const marks = newMarks()
  const [engine, wheel] = [`Engine ${marks.run}`, `Wheel ${marks.run}`]
  const path = join(folder(), `${marks.run}.jsonl`)
  const ledger = Ledger.create(path, headingOf(url, marks), apiKey)
  const common = { operation: 'createProduct', who: 'team', kind: 'product', emails: [], phones: [], at: 0 } as const
  const intend = (name: string) =>
    ledger.intend({ ...common, name, again: { key: `${marks.run}-key-1`, body: { name, unitPrice: 1 } } })
  names.set('p0', wheel)
  ledger.record({ nothing: intend(engine) })
  intend(wheel)
  ledger.close()
  const why = 'no answer said what became of it, and nothing can find it'
  expect(await cleanLedger(path, { env: { CRM_API_KEY: apiKey } })).toEqual([{ kind: 'product', what: wheel, why }])
  expect([...names.values()]).toEqual([wheel])
})

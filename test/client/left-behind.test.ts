import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Client } from '../../client/client.ts'
import { StepFailed } from '../../client/errors.ts'
import { finishLedger, startLedger } from '../../client/ledger/run-ledger.ts'
import { createTarget } from '../../client/target/target.ts'
import { undiciTransport } from '../../client/undici-transport.ts'
import { cleanLedger } from '../../contracts/index.ts'
import { Ledger } from '../../client/ledger/ledger.ts'
import { createMint, newMarks } from '../../client/mint.ts'
import { folder, serverThat } from './harness.ts'
import { acme, ended, product, ledgerOf, sandbox, engine } from './killed-run.ts'

describe('A server that ignores keys', () => {
  /** It gives every create a new id, drops the first answer, and remembers what exists. */
  async function forgetful() {
    let run = ''
    const existing = new Set<string>()
    let count = 0
    const url = await serverThat((request, answer) => {
      const [, , , id = ''] = (request.url ?? '').split('/')
      if (request.method === 'DELETE') existing.delete(id)
      if (request.method === 'POST') existing.add(`p${++count}`)
      if (request.method === 'POST' && count === 1) return void request.socket.destroy()
      const data = request.method === 'DELETE' ? {} : { data: { _id: `p${count}`, name: `Engine ${run}` } }
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ success: true, ...data }))
    })
    const onRun = (mark: string) => (run = mark)
    return { url, existing, onRun }
  }

  it('has what it made left, and only that, and is said to have', async () => {
    const { url, existing, onRun } = await forgetful()
    const target = createTarget({ baseUrl: url, timeout: 1 }, { team: 'acme-key' })
    const { path, marks, release } = startLedger(target, new Date(), folder())
    const transport = undiciTransport(url)
    const [mint, ledger] = [createMint(marks), Ledger.open(path, marks.run, 'acme-key')]
    const client = new Client({ target, mint, ledger, send: transport.send })
    onRun(marks.run)
    const name = mint.name('Engine')
    await expect(client.call('createProduct', { body: { name, unitPrice: 1 } })).rejects.toThrow(StepFailed)
    await transport.close()
    release()
    expect((await finishLedger(path, target)).residue).toEqual([
      {
        kind: 'product',
        what: name,
        why: 'no answer said what became of it, and nothing can find it: the server does not remember an Idempotency-Key',
      },
    ])
    expect([...existing]).toEqual(['p1'])
    expect(existsSync(path)).toBe(true)
  })
})

describe('A server that gives a new record the id of another', () => {
  const headers = { 'x-api-key': 'acme-key', 'content-type': 'application/json' }
  const template = (uniqueName: string) => ({
    templateType: 'sms',
    name: uniqueName,
    uniqueName,
    content: 'We open at nine.',
    provider: 'sms-provider',
    language: 'en',
  })

  /** What a run has made under the id of an older record, or of none, when it is cleaned up after. */
  async function cleaned(kind: 'template' | 'product', { isKnown = true, isNamed = true }) {
    const server = await sandbox()
    const make = async (body: object) => {
      const answer = await server.fetch(`/api/${kind}s`, { method: 'POST', headers, body: JSON.stringify(body) })
      return ((await answer.json()) as { data: { _id: string } }).data._id
    }
    const bodyFor = (name: string) => (kind === 'template' ? template(name) : { ...engine, name })
    const older = await make(bodyFor('older_one'))
    const marks = newMarks()
    const uniqueName = `new_${marks.run.replace('-', '_')}`
    const made = await make(bodyFor(uniqueName))
    const path = join(folder(), `${marks.run}.jsonl`)
    const heading = { ledger: 1, origin: server.url, startedAt: new Date().toISOString(), ...marks, process: ended }
    const ledger = Ledger.create(path, { ...heading, ledger: 1 }, 'acme-key')
    const operation = kind === 'template' ? 'createTemplate' : 'createProduct'
    const name = isNamed ? { uniqueName } : {}
    const intent = ledger.intend({ ...product, operation, kind, ...name })
    ledger.record({ created: intent, id: isKnown ? older : '0123456789abcdef01234567', marked: true })
    ledger.close()
    const residue = await cleanLedger(path, { env: acme })
    const [team] = (await server.world()).teams
    const ids = [...(team?.templates ?? []), ...(team?.products ?? [])].map(({ _id }) => _id)
    return { residue, hasOlder: ids.includes(older), hasMade: ids.includes(made) }
  }

  it.each([
    ['of another one', true],
    ['that none has', false],
  ])('has the template found in the list when the id is one %s', async (_, isKnown) => {
    expect(await cleaned('template', { isKnown })).toEqual({ residue: [], hasOlder: true, hasMade: false })
  })

  it('has no template deleted when nothing can find it', async () => {
    expect(await cleaned('template', { isNamed: false })).toMatchObject({
      residue: [{ kind: 'template' }],
      hasOlder: true,
      hasMade: true,
    })
  })

  it('has a product left that nothing can find, and it is said', async () => {
    expect(await cleaned('product', {})).toEqual({
      residue: [expect.objectContaining({ why: 'the server gave it the id of another record, so neither is deleted' })],
      hasOlder: true,
      hasMade: true,
    })
  })
})

describe('What is carried out after the run', () => {
  it('is looked for once more, and said to stay when it was only queued', async () => {
    const deleted: unknown[] = []
    const url = await serverThat((request, answer) => {
      deleted.push(request.url)
      answer
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"success":false,"message":"Resource not found"}')
    })
    const bulk = { ...product, operation: 'sendBulkMessages', kind: 'contact' } as const
    const { path } = ledgerOf(url, ({ run }) => [{ ...bulk, emails: [`${run}-1@example.com`] }])
    const target = createTarget({ baseUrl: url }, { team: 'acme-key' })
    expect(await finishLedger(path, target, 300)).toEqual({ residue: [], stays: ['queued'] })
    expect(deleted).toHaveLength(2)
  })

  it.each([
    ['has reached its phone', [{ channel: 'sms', direction: 'outgoing', content: 'Dear Ada' }], []],
    ['was only queued', [{ channel: 'chat', direction: 'outgoing', content: 'Conversation started' }], ['queued']],
  ])('is known by the texts of a conversation when it %s', async (_, messages, stays) => {
    let found = 0
    let phoneNumber = ''
    const url = await serverThat(({ url: path = '' }, answer) => {
      const data = path.startsWith('/api/messages/')
        ? [{ date: '2026-03-01', messages }]
        : { _id: `conversation-${++found}`, contactId: { _id: `contact-${found}`, phoneNumber }, phone: phoneNumber }
      answer.writeHead(200, { 'content-type': 'application/json' })
      answer.end(JSON.stringify({ success: true, message: 'Done', data }))
    })
    const bulk = { ...product, operation: 'sendBulkMessages', kind: 'contact' } as const
    const { path } = ledgerOf(url, (marks) => {
      phoneNumber = createMint(marks).phone()
      return [{ ...bulk, phones: [phoneNumber] }]
    })
    const target = createTarget({ baseUrl: url }, { team: 'acme-key' })
    expect(await finishLedger(path, target, 300)).toEqual({ residue: [], stays })
  })
})

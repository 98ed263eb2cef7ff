import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, { appendFileSync, existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Client } from '../../client/client.ts'
import { StepFailed } from '../../client/errors.ts'
import { finishLedger, startLedger } from '../../client/ledger/run-ledger.ts'
import { createTarget } from '../../client/target/target.ts'
import { undiciTransport } from '../../client/undici-transport.ts'
import { cleanLedger, CannotVerify } from '../../contracts/index.ts'
import { type Intent, Ledger } from '../../client/ledger/ledger.ts'
import { readLedger } from '../../client/ledger/read-ledger.ts'
import { createMint, type Marks, newMarks } from '../../client/mint.ts'
import { createSandbox } from '../../index.ts'
import { type Process, thisProcess } from '../../shared/running-process.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { folder, serverThat, serverThatSays } from './harness.ts'

const acme = { CRM_API_KEY: 'acme-key' }

/** A process of an earlier boot of this machine. */
const ended = { ...thisProcess(), boot: 'an earlier one' }

const product = { operation: 'createProduct', who: 'team', kind: 'product', emails: [], phones: [] } as const

/** The ledger of a run that was killed before any of these requests was answered. */
function ledgerOf(origin: string, intents: (marks: Marks) => Omit<Intent, 'intent'>[], process: Process = ended) {
  const marks = newMarks()
  const path = join(folder(), `${marks.run}.jsonl`)
  const heading = { ledger: 1, origin, startedAt: new Date().toISOString(), ...marks, process } as const
  const ledger = Ledger.create(path, heading, 'acme-key')
  for (const intent of intents(marks)) ledger.intend(intent)
  ledger.close()
  return { path, marks }
}

async function sandbox(assume: WrittenChoices = {}) {
  const server = await createSandbox({ port: 0, world: 'two-teams', assume })
  onTestFinished(() => server.close())
  return server
}

/** A sandbox, and the ledger of a run that was killed before it got the answer to this create. */
async function unanswered(body: object, { assume = {}, arrived }: { assume?: WrittenChoices; arrived: boolean }) {
  const server = await sandbox(assume)
  const bodyFor = (run: string) => ({ ...body, name: `Difference engine ${run}` })
  const { path, marks } = ledgerOf(server.url, ({ run }) => [
    { ...product, at: 0, again: { key: `${run}-key-1`, body: bodyFor(run) } },
  ])
  const key = `${marks.run}-key-1`
  const before = (await server.world()).teams[0]?.products?.length
  const headers = { 'x-api-key': 'acme-key', 'content-type': 'application/json', 'idempotency-key': key }
  if (arrived)
    await server.fetch('/api/products', { method: 'POST', headers, body: JSON.stringify(bodyFor(marks.run)) })
  const added = async () => ((await server.world()).teams[0]?.products?.length ?? 0) - (before ?? 0)
  return { path, added }
}

const engine = { name: 'Difference engine', unitPrice: 1200.5 }
const refused = { name: 'Difference engine' }

describe('A create that was never answered', () => {
  it.each([
    ['had arrived', true],
    ['had not arrived', false],
  ])('leaves nothing when it %s', async (_, arrived) => {
    const { path, added } = await unanswered(engine, { arrived })
    expect(await cleanLedger(path, { env: acme })).toEqual([])
    expect(await added()).toBe(0)
  })

  it.each([
    ['had arrived', true],
    ['had not arrived', false],
  ])('and would have been refused has made nothing, when it %s', async (_, arrived) => {
    const { path } = await unanswered(refused, { arrived })
    expect(await cleanLedger(path, { env: acme })).toEqual([])
  })

  it('is reported as left when a repeated key is refused, and nothing else is left', async () => {
    const { path, added } = await unanswered(engine, { assume: { repeatedKey: 'refuse' }, arrived: true })
    expect(await cleanLedger(path, { env: acme })).toMatchObject([{ kind: 'product', what: 'of createProduct' }])
    expect(await added()).toBe(1)
  })
})

describe('A ledger', () => {
  const contact = (email: string) =>
    ({ ...product, operation: 'createContact', kind: 'contact', emails: [email] }) as const

  it('is nothing more when its key was used before, for what is known and deleted', async () => {
    const server = await sandbox()
    const marks = newMarks()
    const path = join(folder(), `${marks.run}.jsonl`)
    const heading = {
      ledger: 1,
      origin: server.url,
      startedAt: new Date().toISOString(),
      ...marks,
      process: ended,
    } as const
    const ledger = Ledger.create(path, heading, 'acme-key')
    const [key, body] = [`${marks.run}-key-1`, { name: `Difference engine ${marks.run} 2`, unitPrice: 1200.5 }]
    const before = (await server.world()).teams[0]?.products
    const headers = { 'x-api-key': 'acme-key', 'content-type': 'application/json', 'idempotency-key': key }
    const answer = await server.fetch('/api/products', { method: 'POST', headers, body: JSON.stringify(body) })
    const { data } = (await answer.json()) as { data: { _id: string } }
    const intent = { ...product, name: body.name, at: 0, again: { key, body } }
    ledger.record({ created: ledger.intend(intent), id: data._id, marked: true })
    ledger.intend(intent)
    ledger.close()
    expect(await cleanLedger(path, { env: acme })).toEqual([])
    expect((await server.world()).teams[0]?.products).toEqual(before)
  })

  it('is not finished with a credential that no longer works', async () => {
    const url = await serverThatSays(401, { success: false, message: 'Unauthorized' })
    const { path } = ledgerOf(url, () => [{ ...product, name: 'Engine 7', again: { key: 'k', body: engine } }])
    expect(await cleanLedger(path, { env: acme })).toEqual([
      { kind: 'product', what: 'Engine 7', why: 'createProduct answering 401 (Unauthorized)' },
    ])
  })

  /** Requests to a server for which everything was fine. */
  async function listening() {
    const asked: unknown[] = []
    const url = await serverThat((request, answer) => {
      asked.push(request.url)
      answer.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}')
    })
    return { url, asked }
  }

  it.each<[string, (text: string) => string, string]>([
    ['another address', (text) => text.replace('of-the-run@', 'grace@'), 'Line 2 of'],
    ['another server', (text) => text.replace('http://127.0.0.1', 'http://localhost'), 'set CRM_API_KEY to the key of'],
    ['another mark', (text) => text.replace(/contract-\w+/, 'e'), 'set CRM_API_KEY to the key of that run'],
    ['a line of somebody else', (text) => `${text}{"intent":"x","emails":[]}\n`, 'Line 3 of'],
    ['a line that is no object', (text) => `${text}null\n`, 'Line 3 of'],
    ['a line that is no JSON', (text) => `${text}{"intent":\n`, 'Line 3 of'],
    ['no seal', (text) => text.replace(/,"seal":"[^"]*"/, ''), 'set CRM_API_KEY to the key of that run'],
  ])('with %s deletes nothing, and sends the key to nobody', async (_, change, why) => {
    const { url, asked } = await listening()
    const { path } = ledgerOf(url, () => [contact('of-the-run@example.com')])
    writeFileSync(path, change(readFileSync(path, 'utf8')))
    const error = await cleanLedger(path, { env: acme }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CannotVerify)
    expect((error as Error).message).toContain(why)
    expect((error as Error).message).not.toContain('\n')
    expect(asked).toEqual([])
  })

  it('with a line of another run of the same team deletes nothing', async () => {
    const { url, asked } = await listening()
    const [one, other] = [ledgerOf(url, () => []), ledgerOf(url, () => [contact('of-the-run@example.com')])]
    const [, line = ''] = readFileSync(other.path, 'utf8').split('\n')
    appendFileSync(one.path, `${line}\n`)
    await expect(cleanLedger(one.path, { env: acme })).rejects.toThrow('Line 2 of')
    expect(asked).toEqual([])
  })

  it('of another team is refused in a sentence', async () => {
    const { url, asked } = await listening()
    const { path } = ledgerOf(url, () => [contact('of-the-run@example.com')])
    await expect(cleanLedger(path, { env: { CRM_API_KEY: 'globex-key' } })).rejects.toThrow('with another key')
    await expect(cleanLedger(path, { env: {} })).rejects.toThrow('The key of a team is missing: set CRM_API_KEY.')
    expect(asked).toEqual(['/_sandbox/teams']) // a sandbox would tell its key
  })

  it('beyond this machine needs the host once more', async () => {
    const { path } = ledgerOf('https://crm.example.com', () => [])
    await expect(cleanLedger(path, { env: acme })).rejects.toThrow('--confirm-host crm.example.com')
  })

  it('deletes no address that the run did not make up, whatever it says', async () => {
    const { url, asked } = await listening()
    const { path } = ledgerOf(url, () => [contact('ada@example.com')])
    await cleanLedger(path, { env: acme })
    expect(asked).toEqual([])
  })

  it('of a run that goes on is not touched', async () => {
    const { url, asked } = await listening()
    const running = spawn('sleep', ['60'])
    onTestFinished(() => void running.kill())
    const { path } = ledgerOf(url, () => [contact('a@example.com')], processOf(running.pid ?? 0))
    const before = readFileSync(path)
    await expect(cleanLedger(path, { env: acme })).rejects.toThrow(
      `The run of ${path} still goes on, as process ${running.pid}: wait until it is over, or end it.`,
    )
    expect(readFileSync(path)).toEqual(before)
    running.kill('SIGKILL')
    await once(running, 'close')
    await cleanLedger(path, { env: acme })
    expect(existsSync(path)).toBe(false)
    expect(asked).toEqual([])
  })

  it.each([
    ['on another computer', { host: 'build-7' }, ' on build-7'],
    ['in another container of the same name', { namespace: 'pid:[1]' }, ''],
  ])('of a run %s is not touched for a minute after it was last written', async (_, place, where) => {
    const { url } = await listening()
    const { path } = ledgerOf(url, () => [], { ...thisProcess(), ...place })
    await expect(cleanLedger(path, { env: acme })).rejects.toThrow(`as process ${process.pid}${where}`)
    const aMinuteAgo = new Date(Date.now() - 61_000)
    utimesSync(path, aMinuteAgo, aMinuteAgo)
    await cleanLedger(path, { env: acme })
    expect(existsSync(path)).toBe(false)
  })

  it.each<[string, object[], Record<string, string>]>([
    ['shows nothing, beside one of somebody else', [{ marked: true }, { marked: true }], { c1: 'Babbage & Sons' }],
    ['shows nothing, and never did', [{ marked: false }], {}],
    ['was known to be of somebody else', [{ marked: true, foreign: true }], { c1: 'RUN' }],
  ])('deletes no record that %s', async (_, made, shown) => {
    const asked: string[] = []
    let run = ''
    const url = await serverThat(({ method, url: at = '' }, answer) => {
      const name = shown[at.split('/').at(-1) ?? '']?.replace('RUN', run)
      asked.push(`${method}`)
      answer.writeHead(200, { 'content-type': 'application/json' })
      answer.end(JSON.stringify({ success: true, data: name === undefined ? {} : { name } }))
    })
    const company = { ...product, operation: 'createCompany', kind: 'company' } as const
    const { path, marks } = ledgerOf(url, () => made.map(() => company))
    run = marks.run
    const ledger = Ledger.open(path, run, 'acme-key')
    const intents = readLedger(path, 'acme-key').entries.map(({ intent }) => intent)
    for (const [index, { marked, foreign }] of made
      .map((one) => one as { marked: boolean; foreign?: true })
      .entries()) {
      const [id, intent = ''] = [`c${index + 1}`, intents[index]]
      ledger.record({ created: intent, id, marked })
      if (foreign) ledger.record({ foreign: intent, id })
    }
    ledger.close()
    const residue = await cleanLedger(path, { env: acme })
    expect(residue.map(({ what }) => what)).toEqual(made.map((_one, index) => `c${index + 1}`))
    expect(asked).not.toContain('DELETE')
  })

  it('whose last line was cut is finished', async () => {
    const server = await sandbox()
    const { path } = ledgerOf(server.url, ({ run }) => [contact(`${run}-1@example.com`)])
    appendFileSync(path, '{"intent":"x-2","opera')
    expect(await cleanLedger(path, { env: acme })).toEqual([])
    expect(existsSync(path)).toBe(false)
  })

  it('is finished even if it cannot be written', async () => {
    const server = await sandbox()
    const { path, marks } = ledgerOf(server.url, ({ run }) => [contact(`${run}-1@example.com`)])
    const body = JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace', email: `${marks.run}-1@example.com` })
    const headers = { 'x-api-key': 'acme-key', 'content-type': 'application/json' }
    const before = await server.world()
    expect((await server.fetch('/api/contacts', { method: 'POST', headers, body })).status).toBe(201)
    vi.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    })
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await cleanLedger(path, { env: acme })).toEqual([])
    expect((await server.world()).teams[0]?.contacts).toEqual(before.teams[0]?.contacts)
    expect(existsSync(path)).toBe(false)
  })
})

/** As the operating system knows another process. */
function processOf(pid: number): Process {
  const began = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')[19]
  return { ...thisProcess(), pid, began }
}

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
      residue: [
        expect.objectContaining({ why: 'the server gave it the id of another record, so neither was touched' }),
      ],
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

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, { appendFileSync, existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { cleanLedger, CannotVerify } from '../../contracts/index.ts'
import { Ledger } from '../../client/ledger/ledger.ts'
import { readLedger } from '../../client/ledger/read-ledger.ts'
import { newMarks } from '../../client/mint.ts'
import { type Process, thisProcess } from '../../shared/running-process.ts'
import { folder, serverThat, serverThatSays } from './harness.ts'
import { acme, ended, product, ledgerOf, sandbox, engine } from './killed-run.ts'

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

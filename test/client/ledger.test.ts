import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, { appendFileSync, existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CannotRun } from '../../client/errors.ts'
import { checkEarlierRuns, isUnresolved, Ledger } from '../../client/ledger.ts'
import { newMarks } from '../../client/mint.ts'
import { createTarget } from '../../client/target/target.ts'
import { type Process, thisProcess } from '../../shared/running-process.ts'
import { folder, key } from './harness.ts'

const target = createTarget({ baseUrl: 'https://staging.example.com' }, { team: key })
const intent = { operation: 'createContact', who: 'team', kind: 'contact', body: { email: 'a@example.com' } } as const

const create = (about = target) => Ledger.create(folder(), about, { ledger: 'check', ...newMarks() })

/** The ledger of a run that has ended, with one open intent; its process can be another one. */
async function ended(process?: Process, about = target) {
  const ledger = create(about)
  await ledger.intend(intent)
  ledger.close()
  const [heading = '', ...lines] = readFileSync(ledger.path, 'utf8').split('\n')
  const changed = JSON.stringify({ ...(JSON.parse(heading) as object), ...(process ? { process } : {}) })
  writeFileSync(ledger.path, [changed, ...lines].join('\n'))
  return ledger.path
}

const statesIn = (path: string) => {
  const ledger = Ledger.open(path, target)
  ledger.close()
  return [...ledger.entries.values()].map(({ state }) => state)
}

describe('A ledger', () => {
  it('has an intent on the disk before the request may leave, and no key', async () => {
    const ledger = create()
    const name = await ledger.intend(intent)
    const text = readFileSync(ledger.path, 'utf8')
    expect(text.trim().split('\n').length).toBe(2)
    expect(text).not.toContain(key)
    expect(ledger.entries.get(name)).toMatchObject({ ...intent, state: 'open' })
    expect(statSync(ledger.path).mode & 0o777).toBe(0o600)
  })

  it('shares one wait for the disk among intents of one moment, and waits for none on this machine', async () => {
    const sync = vi.spyOn(fs, 'fdatasync')
    onTestFinished(() => void vi.restoreAllMocks())
    const own = create(createTarget({ baseUrl: 'http://127.0.0.1:4010' }, { team: key }))
    await own.intend(intent)
    expect(sync).not.toHaveBeenCalled()
    const ledger = create()
    await Promise.all([1, 2, 3].map(() => ledger.intend(intent)))
    expect(sync).toHaveBeenCalledTimes(1)
  })

  it('knows what became of each intent', async () => {
    const ledger = create()
    const [created = '', nothing = '', deleted = ''] = await Promise.all([1, 2, 3, 4].map(() => ledger.intend(intent)))
    ledger.record({ created, id: 'c1' })
    ledger.record({ nothing })
    ledger.record({ created: deleted, id: 'c2' })
    ledger.record({ deleted })
    ledger.close()
    expect(statesIn(ledger.path)).toEqual(['created', 'nothing', 'deleted', 'open'])
  })

  it('is read up to a line that was cut, and goes on after it', async () => {
    const path = await ended()
    appendFileSync(path, '{"intent":"x-2","opera')
    const ledger = Ledger.open(path, target)
    await ledger.intend(intent)
    ledger.close()
    expect(statesIn(path)).toEqual(['open', 'open'])
  })

  it.each(['', 'hello\n', '{}\n', '[]\n', 'null\n', '{"ledger":"check","origin":"","run":"e"}\n'])(
    'is not read from a file with %j',
    (text) => {
      const path = join(folder(), 'x.jsonl')
      writeFileSync(path, text)
      expect(() => Ledger.open(path, target)).toThrow('is no ledger of a run')
      checkEarlierRuns(target, dirname(path))
    },
  )

  it.each([
    ['another server', { baseUrl: 'https://example.com' }, key, 'is about another server than'],
    [
      'another team',
      { baseUrl: 'https://staging.example.com' },
      'globex-key',
      'set CRM_API_KEY to the key of that run',
    ],
  ])('is not opened for %s', async (_, wanted, team, why) => {
    const path = await ended()
    expect(() => Ledger.open(path, createTarget(wanted, { team }))).toThrow(why)
  })

  it('is not opened twice, nor while the process that wrote it is running', async () => {
    const path = await ended()
    const first = Ledger.open(path, target)
    expect(() => Ledger.open(path, target)).toThrow(`still goes on, as process ${process.pid}`)
    first.close()
    const running = spawn('sleep', ['60'])
    onTestFinished(() => void running.kill())
    const other = await ended(processOf(running.pid ?? 0))
    expect(() => Ledger.open(other, target)).toThrow(`still goes on, as process ${running.pid}`)
    expect(() => {
      checkEarlierRuns(target, dirname(other))
    }).toThrow(`A run on staging.example.com is going on, as process ${running.pid}`)
    running.kill('SIGKILL')
    await once(running, 'close')
    expect(statesIn(other)).toEqual(['open'])
  })

  it.each([{ host: 'build-7' }, { namespace: 'pid:[1]' }])(
    'of a process that cannot be looked up (%j) is opened a minute after it was last written',
    async (place) => {
      const path = await ended({ ...thisProcess(), ...place })
      expect(() => Ledger.open(path, target)).toThrow(`as process ${process.pid}`)
      const aMinuteAgo = new Date(Date.now() - 61_000)
      utimesSync(path, aMinuteAgo, aMinuteAgo)
      expect(statesIn(path)).toEqual(['open'])
    },
  )

  it('prevents a new run on the same host while a record may be left, and no longer', async () => {
    const path = await ended()
    const check = (about = target) => {
      checkEarlierRuns(about, dirname(path))
    }
    expect(check).toThrow(`first finish it: verify --clean ${path} --confirm-host staging.example.com`)
    check(createTarget({ baseUrl: 'https://example.com' }, {}))
    const ledger = Ledger.open(path, target)
    for (const { intent: nothing } of ledger.entries.values()) ledger.record({ nothing })
    ledger.close()
    expect([...ledger.entries.values()].some(isUnresolved)).toBe(false)
    check()
    checkEarlierRuns(target, join(folder(), 'nowhere'))
    expect(() => {
      checkEarlierRuns(target, path)
    }).toThrow(CannotRun)
  })
})

describe('A disk that', () => {
  const real = fs.writeSync

  /** A ledger whose writes behave as they are told. */
  function ledgerOn(write: (file: number, bytes: Buffer, from: number) => number) {
    const ledger = create()
    vi.spyOn(fs, 'writeSync').mockImplementation(write as typeof fs.writeSync)
    onTestFinished(() => void vi.restoreAllMocks())
    return ledger
  }

  it('writes a few bytes at a time gets the whole line all the same', async () => {
    const ledger = ledgerOn((file, bytes, from) => real(file, bytes, from, 1))
    await ledger.intend(intent)
    expect(readFileSync(ledger.path, 'utf8')).toMatch(/"a@example.com"\}\}\n$/)
  })

  it('is full in the middle of a line keeps no part of it, and the request is not sent', async () => {
    let written = 0
    const ledger = ledgerOn((file, bytes, from) => {
      if (written > 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      return (written += real(file, bytes, from, 20))
    })
    const before = readFileSync(ledger.path, 'utf8')
    await expect(ledger.intend(intent)).rejects.toThrow(`The ledger ${ledger.path} cannot be written (ENOSPC).`)
    expect([written, readFileSync(ledger.path, 'utf8')]).toEqual([20, before])
    vi.restoreAllMocks()
    await ledger.intend(intent)
    expect(existsSync(ledger.path)).toBe(true)
  })

  it('cannot be synchronised has nothing written ahead', async () => {
    const ledger = create()
    vi.spyOn(fs, 'fdatasync').mockImplementation((_: number, done: (error: Error) => void) => {
      done(Object.assign(new Error('broken'), { code: 'EIO' }))
    })
    onTestFinished(() => void vi.restoreAllMocks())
    await expect(ledger.intend(intent)).rejects.toThrow(`The ledger ${ledger.path} cannot be written (EIO).`)
  })

  it('cannot be written at all is reported in a sentence', () => {
    const path = join(folder(), 'file')
    writeFileSync(path, '')
    expect(() => Ledger.create(path, target, { ledger: 'check', ...newMarks() })).toThrow('cannot be written')
  })
})

/** As the operating system knows another process. */
function processOf(pid: number): Process {
  const began = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')[19]
  return { ...thisProcess(), pid, began }
}

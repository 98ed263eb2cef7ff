import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CannotRun } from '../../../contracts/client/errors.ts'
import { checkEarlierRuns, Ledger, unresolvedIn } from '../../../contracts/client/ledger.ts'
import { newMarks } from '../../../contracts/client/mint.ts'
import { createTarget } from '../../../contracts/client/target/target.ts'
import { type Process, thisProcess } from '../../../lib/running-process.ts'
import { key } from './helpers.ts'
import { newFolder } from '../../for-one-test.ts'

const target = createTarget({ baseUrl: 'https://staging.example.com' }, { team: key })
const intent = { operation: 'createContact', who: 'team', kind: 'contact', body: { email: 'a@example.com' } } as const

const create = (about = target) => Ledger.create(newFolder(), about, { ledger: 'check', ...newMarks() })

/** The path of the ledger of a run that has ended, with one open intent. `process` replaces its process. */
function ended(process?: Process): string {
  const ledger = create()
  ledger.intend(intent)
  ledger.close()
  const [heading = '', ...lines] = readFileSync(ledger.path, 'utf8').split('\n')
  const changed = JSON.stringify({ ...(JSON.parse(heading) as object), ...(process ? { process } : {}) })
  writeFileSync(ledger.path, [changed, ...lines].join('\n'))
  return ledger.path
}

function statesIn(path: string) {
  const ledger = Ledger.open(path, target)
  ledger.close()
  return [...ledger.entries.values()].map(({ state }) => state)
}

describe('A ledger', () => {
  it('has an intent on the disk before the request may leave, and no key', () => {
    const sync = vi.spyOn(fs, 'fdatasyncSync')
    onTestFinished(() => void vi.restoreAllMocks())
    const ledger = create()
    const name = ledger.intend(intent)
    const text = readFileSync(ledger.path, 'utf8')
    expect(text.trim().split('\n').length).toBe(2)
    expect(text).not.toContain(key)
    expect(ledger.entries.get(name)).toMatchObject({ ...intent, state: 'open' })
    expect(statSync(ledger.path).mode & 0o777).toBe(0o600)
    expect(sync).toHaveBeenCalledTimes(1)
  })

  it('is written on Windows, which cannot sync a folder', () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
    vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
      if (fs.fstatSync(file).isDirectory()) throw new Error('operation not permitted')
    })
    onTestFinished(() => void vi.restoreAllMocks())
    expect(() => create()).not.toThrow()
  })

  it('restores the outcome of each intent', () => {
    const ledger = create()
    const states = ['created', 'nothing', 'deleted', 'foreign', 'open'] as const
    for (const state of states) ledger.record(ledger.intend(intent), { state })
    ledger.close()
    expect(statesIn(ledger.path)).toEqual(states)
  })

  it('is read up to an incomplete line, and continued after it', () => {
    const path = ended()
    appendFileSync(path, '{"intent":"x-2","opera')
    const ledger = Ledger.open(path, target)
    ledger.intend(intent)
    ledger.close()
    expect(statesIn(path)).toEqual(['open', 'open'])
  })

  it.each(['', 'hello\n', '{}\n', '[]\n', 'null\n', '{"ledger":"check","origin":"","run":"e"}\n'])(
    'is not read from a file with %j',
    (text) => {
      const path = join(newFolder(), 'x.jsonl')
      writeFileSync(path, text)
      expect(() => Ledger.open(path, target)).toThrow('is no ledger of a run')
      checkEarlierRuns(target, dirname(path))
    },
  )

  it.each([
    ['another server', 'https://example.com', key, 'is about another server than'],
    ['another team', target.origin, 'globex-key', 'set CRM_API_KEY to the key of that run'],
  ])('is not opened for %s', (_, baseUrl, team, why) =>
    expect(() => Ledger.open(ended(), createTarget({ baseUrl }, { team }))).toThrow(why),
  )

  it('is not opened twice, nor while the process that wrote it is running', async () => {
    const path = ended()
    const first = Ledger.open(path, target)
    expect(() => Ledger.open(path, target)).toThrow(`still goes on, as process ${process.pid}`)
    first.close()
    const running = spawn('sleep', ['60'])
    onTestFinished(() => void running.kill())
    const other = ended(processOf(running.pid ?? 0))
    expect(() => Ledger.open(other, target)).toThrow(`still goes on, as process ${running.pid}`)
    expect(() => {
      checkEarlierRuns(target, dirname(other))
    }).toThrow(`A run on staging.example.com is going on, as process ${running.pid}`)
    running.kill('SIGKILL')
    await once(running, 'close')
    expect(statesIn(other)).toEqual(['open'])
  })

  it('is named, and prevents no run, on this machine, where the server may have been restarted without its records', () => {
    const local = createTarget({ baseUrl: 'http://127.0.0.1:4010' }, { team: key })
    const ledger = Ledger.create(newFolder(), local, { ledger: 'check', ...newMarks() })
    ledger.intend(intent)
    ledger.close()
    expect(checkEarlierRuns(local, dirname(ledger.path))).toEqual([
      `An earlier run may have left records on 127.0.0.1:4010; \`verify --clean ${ledger.path}\` deletes them.`,
    ])
  })

  it('prevents a new run on the same host while a record may be left, and no longer', () => {
    const path = ended()
    const check = (about = target) => checkEarlierRuns(about, dirname(path))
    expect(check).toThrow(`first finish it: verify --clean ${path} --confirm-host staging.example.com`)
    check(createTarget({ baseUrl: 'https://example.com' }, {}))
    const ledger = Ledger.open(path, target)
    for (const name of ledger.entries.keys()) ledger.record(name, { state: 'nothing' })
    ledger.close()
    expect(unresolvedIn(ledger)).toEqual([])
    check()
    checkEarlierRuns(target, join(newFolder(), 'nowhere'))
    expect(() => checkEarlierRuns(target, path)).toThrow(CannotRun)
  })
})

describe('A disk that', () => {
  const append = fs.appendFileSync
  const appendPart = (file: fs.PathOrFileDescriptor, line: string | Uint8Array) => {
    append(file, String(line).slice(0, 20))
    throw Object.assign(new Error('full'), { code: 'ENOSPC' })
  }
  const fail = () => {
    throw Object.assign(new Error('broken'), { code: 'EIO' })
  }

  it.each([
    [
      'is full in the middle of a line',
      () => vi.spyOn(fs, 'appendFileSync').mockImplementation(appendPart),
      'ENOSPC',
      1,
    ],
    ['cannot be synchronised', () => vi.spyOn(fs, 'fdatasyncSync').mockImplementation(fail), 'EIO', 2],
  ])('%s prevents the request, and keeps whole lines', (_, mock, code, lines) => {
    const ledger = create()
    mock()
    onTestFinished(() => void vi.restoreAllMocks())
    expect(() => ledger.intend(intent)).toThrow(`The ledger ${ledger.path} cannot be written (${code}).`)
    expect(readFileSync(ledger.path, 'utf8').split('\n')).toEqual([
      ...Array<unknown>(lines).fill(expect.stringMatching(/\}$/)),
      '',
    ])
    expect(ledger.entries.size).toBe(0)
  })

  it('cannot be written at all is reported in a sentence', () => {
    const path = join(newFolder(), 'file')
    writeFileSync(path, '')
    expect(() => Ledger.create(path, target, { ledger: 'check', ...newMarks() })).toThrow('cannot be written')
  })
})

/** The identity of another process. */
function processOf(pid: number): Process {
  const began = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')[19]
  return { ...thisProcess(), pid, began }
}

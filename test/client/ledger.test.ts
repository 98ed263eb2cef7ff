import fs, { appendFileSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CannotRun } from '../../client/errors.ts'
import { type Files, Ledger } from '../../client/ledger/ledger.ts'
import { isUnresolved, ledgersIn, readLedger } from '../../client/ledger/read-ledger.ts'
import { checkEarlierRuns } from '../../client/ledger/run-ledger.ts'
import { newMarks } from '../../client/mint.ts'
import { createTarget } from '../../client/target/target.ts'
import { folder, key } from './harness.ts'

const origin = 'https://staging.example.com'
const heading = { ledger: 1, origin, startedAt: '2026-03-01T09:30:00.000Z', ...newMarks() } as const
const intent = {
  operation: 'createContact',
  who: 'team',
  kind: 'contact',
  emails: ['a@example.com'],
  phones: [],
} as const

function newLedger() {
  const ledgers = folder()
  const path = join(ledgers, 'run.jsonl')
  return { ledgers, path, ledger: Ledger.create(path, heading, key) }
}

const statesIn = (path: string) => readLedger(path, key).entries.map(({ state }) => state)

const unresolvedLedgers = (path: string, about: string) =>
  ledgersIn(path, about)
    .filter(isUnresolved)
    .map((one) => one.path)

describe('A ledger', () => {
  it('has an intent on the disk before the request is sent', () => {
    const { path, ledger } = newLedger()
    ledger.intend(intent)
    expect(readFileSync(path, 'utf8').trim().split('\n').length).toBe(2)
    expect(readLedger(path, key).entries).toMatchObject([{ ...intent, state: 'open' }])
  })

  it('can only be read by its owner', () => {
    expect(statSync(newLedger().path).mode & 0o777).toBe(0o600)
  })

  it('knows what became of each intent', () => {
    const { path, ledger } = newLedger()
    const [made, nothing, gone] = [ledger.intend(intent), ledger.intend(intent), ledger.intend(intent)]
    ledger.intend(intent)
    ledger.record({ created: made, id: 'c1', marked: true })
    ledger.record({ nothing })
    ledger.record({ created: gone, id: 'c2', marked: true })
    ledger.record({ gone })
    expect(statesIn(path)).toEqual(['made', 'over', 'over', 'open'])
  })

  it('takes the intents of several writers', () => {
    const { path, ledger } = newLedger()
    const other = Ledger.open(path, heading.run, key)
    const [one, two] = [ledger.intend(intent), other.intend(intent)]
    expect(one).not.toBe(two)
    other.record({ nothing: one })
    expect(statesIn(path)).toEqual(['over', 'open'])
  })

  it('is read up to a line that was cut', () => {
    const { path, ledger } = newLedger()
    ledger.intend(intent)
    appendFileSync(path, '{"intent":"x-2","opera')
    expect(statesIn(path)).toEqual(['open'])
  })

  it('never overwrites another', () => {
    const { path } = newLedger()
    expect(() => Ledger.create(path, heading, key)).toThrow('EEXIST')
  })

  it.each(['', 'hello', '{}', '[]', 'null'])('is not read from a file with %j', (text) => {
    const path = join(folder(), 'x.jsonl')
    writeFileSync(path, text)
    expect(() => readLedger(path, key)).toThrow('is no ledger of a run')
    expect(unresolvedLedgers(dirname(path), origin)).toEqual([])
  })

  it.each(['{"held":null}', '{"held":"x"}', '{"held":{}}', '{"intent":null}', '{"stays":{}}', '[]', '7'])(
    'prevents no new run, nor its start, with the line %s, which no run has written',
    (line) => {
      const { ledgers, path } = newLedger()
      appendFileSync(path, `${line}\n`)
      const target = createTarget({ baseUrl: origin }, { team: key })
      utimesSync(path, 0, 0)
      const check = () => {
        checkEarlierRuns(target, ledgers)
      }
      if (line.includes('intent')) expect(check).toThrow('first finish it')
      else check()
      expect(() => readLedger(path, key)).toThrow('is not as the run wrote it, so nothing is deleted')
    },
  )

  it('cannot be looked for in a file', () => {
    const path = join(folder(), 'ledgers')
    writeFileSync(path, '')
    expect(() => unresolvedLedgers(path, origin)).toThrow(CannotRun)
  })

  it('prevents a new run on the same host while a record is open', () => {
    const { ledgers, path, ledger } = newLedger()
    expect(unresolvedLedgers(ledgers, origin)).toEqual([])
    const name = ledger.intend(intent)
    expect(unresolvedLedgers(ledgers, origin)).toEqual([path])
    expect(unresolvedLedgers(ledgers, 'https://example.com')).toEqual([])
    ledger.record({ nothing: name })
    expect(unresolvedLedgers(ledgers, origin)).toEqual([])
    expect(unresolvedLedgers(join(ledgers, 'nowhere'), origin)).toEqual([])
  })
})

describe('A disk that', () => {
  /** A ledger whose writes behave as they are told. */
  function ledgerOn(writeSync: Files['writeSync']) {
    const path = join(folder(), 'run.jsonl')
    const disk = { writeSync: fs.writeSync }
    const files: Files = {
      ...fs,
      writeSync: ((...args: Parameters<typeof fs.writeSync>) => disk.writeSync(...args)) as Files['writeSync'],
    }
    const ledger = Ledger.create(path, heading, key, files)
    disk.writeSync = writeSync
    return { path, ledger, mend: () => (disk.writeSync = fs.writeSync) }
  }

  it('writes a few bytes at a time gets the whole line all the same', () => {
    const few = ((file: number, bytes: Buffer, from: number) =>
      fs.writeSync(file, bytes, from, 1)) as Files['writeSync']
    const { path, ledger } = ledgerOn(few)
    ledger.intend(intent)
    expect(statesIn(path)).toEqual(['open'])
  })

  it('is full in the middle of a line keeps no part of it', () => {
    let written = 0
    const full = ((file: number, bytes: Buffer, from: number) => {
      if (written > 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      return (written += fs.writeSync(file, bytes, from, 20))
    }) as Files['writeSync']
    const { path, ledger, mend } = ledgerOn(full)
    const before = readFileSync(path, 'utf8')
    expect(() => ledger.intend(intent)).toThrow(`The ledger ${path} cannot be written (ENOSPC).`)
    expect(written).toBe(20)
    expect(readFileSync(path, 'utf8')).toBe(before)
    mend()
    ledger.intend(intent)
    expect(statesIn(path)).toEqual(['open'])
  })

  it('takes nothing more is no endless loop', () => {
    const { ledger } = ledgerOn(() => 0)
    expect(() => ledger.intend(intent)).toThrow('cannot be written (EIO)')
  })

  it('cannot be synchronised has nothing written ahead', () => {
    const path = join(folder(), 'run.jsonl')
    const fdatasyncSync = () => {
      throw Object.assign(new Error('broken'), { code: 'EIO' })
    }
    const ledger = Ledger.create(path, heading, key, { ...fs, fdatasyncSync })
    expect(() => ledger.intend(intent)).toThrow(`The ledger ${path} cannot be written (EIO).`)
  })

  it('cannot be written at all is reported in a sentence', () => {
    const { path } = newLedger()
    expect(() => Ledger.create(join(path, 'run.jsonl'), heading, key)).toThrow(`The folder ${path} cannot be written`)
  })
})

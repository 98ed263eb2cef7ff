import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Ledger, readLedger, unresolvedLedgers } from '../../client/ledger/ledger.ts'
import { newMarks } from '../../client/mint.ts'
import { folder } from './harness.ts'

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
  return { ledgers, path, ledger: Ledger.create(path, heading) }
}

const statesIn = (path: string) => readLedger(path).entries.map(({ state }) => state)

describe('A ledger', () => {
  it('has an intent on the disk before the request is sent', () => {
    const { path, ledger } = newLedger()
    ledger.intend(intent)
    expect(readFileSync(path, 'utf8').trim().split('\n').length).toBe(2)
    expect(readLedger(path).entries).toMatchObject([{ ...intent, state: 'open' }])
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
    const other = Ledger.open(path)
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
    expect(() => Ledger.create(path, heading)).toThrow('EEXIST')
  })

  it.each(['', 'hello', '{}', '[]', 'null'])('is not read from a file with %j', (text) => {
    const path = join(folder(), 'x.jsonl')
    writeFileSync(path, text)
    expect(() => readLedger(path)).toThrow('is no ledger of a run')
    expect(unresolvedLedgers(dirname(path), origin)).toEqual([])
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

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Residue } from '../../client/clean.ts'
import { type KnownDeviation, readKnownDeviations } from '../../contracts/known-deviations.ts'
import type { CheckResult, Finding, OperationAnswers } from '../../contracts/judge/outcome.ts'
import { type Report, buildReport } from '../../contracts/report.ts'
import { createTarget } from '../../client/target/target.ts'
import { operations } from '../../spec/operations.ts'
import { promises } from '../../spec/promises.ts'
import { folder } from '../client/harness.ts'

const startedAt = new Date('2026-03-01T09:30:00.000Z')
const target = createTarget({ baseUrl: 'http://127.0.0.1:4010' }, { team: 'key' })

/** Every operation has answered, and every promise was kept. */
const answers: OperationAnswers[] = Object.values(operations).map(({ id }) => ({
  operation: id,
  successes: 1,
  refusals: 0,
  unlisted: [],
}))
const kept: CheckResult[] = promises.map(({ id }, index) => ({
  promise: id,
  outcome: 'kept',
  faults: [],
  answers: index === 0 ? answers : [],
  observed: [],
  seconds: 0.01,
}))

interface Case {
  readonly change?: Partial<CheckResult>
  readonly problems?: string[]
  readonly residue?: Residue[]
  readonly known?: KnownDeviation[]
  readonly unseen?: string
  readonly only?: string[]
}

/** A run in which one check ended differently. */
function reportWith({ change, problems = [], residue = [], known = [], unseen, only = [] }: Case): Report {
  const results = kept.map((result) => ({
    ...result,
    ...(change && result.promise === promise ? change : {}),
    answers: result.answers.filter(({ operation }) => operation !== unseen),
  }))
  const selection = { only, operations: [] }
  return buildReport({ target, selection, run: { results, problems }, residue, known, startedAt, endedAt: startedAt })
}

const promise = 'contact.createAnswers201'
const finding: Finding = { promise, expected: '201', actual: '200', operation: 'createContact' }
const broken: Case = { change: { outcome: 'broken', finding } }
const left: Residue[] = [{ kind: 'contact', what: 'c1', why: 'createContact answering 500' }]
const deviation: KnownDeviation = { promise, reason: 'Ticket 7', expires: '2026-03-01' }

describe('The verdict', () => {
  it.each<[string, Case, Report['exitCode'], Report['verdict']]>([
    ['every promise is kept', {}, 0, 'conformant'],
    ['one is broken', broken, 1, 'broken'],
    ['a check went wrong', { change: { outcome: 'failed', reason: 'TypeError' } }, 2, 'harness failed'],
    ['a file of checks could not be loaded', { problems: ['SyntaxError'] }, 2, 'harness failed'],
    [
      'the server did not answer',
      { change: { outcome: 'inconclusive', stopped: { reason: 'it gives no answers', unreachable: true } } },
      2,
      'harness failed',
    ],
    ['the run was stopped', { change: { stopped: { reason: 'stopped', unreachable: false } } }, 3, 'inconclusive'],
    ['an operation never answered', { unseen: 'sendMessage' }, 3, 'inconclusive'],
    ['records may be left', { residue: left }, 4, 'residue left'],
    ['a check could not tell', { change: { outcome: 'inconclusive', reason: 'left open' } }, 0, 'conformant'],
    ['the most severe is 2', { ...broken, problems: ['x'], residue: left, unseen: 'sendMessage' }, 2, 'harness failed'],
    ['the most severe is 1', { ...broken, residue: left, unseen: 'sendMessage' }, 1, 'broken'],
    ['the most severe is 4', { residue: left, unseen: 'sendMessage' }, 4, 'residue left'],
  ])('when %s', (_, about, exitCode, verdict) => {
    const report = reportWith(about)
    expect([report.exitCode, report.verdict]).toEqual([exitCode, verdict])
    expect(report.reasons.length > 0).toBe(exitCode !== 0)
  })

  it('counts what an answer to another check has broken', () => {
    const results = kept.map((result, index) => (index === 9 ? { ...result, faults: [finding, finding] } : result))
    const selection = { only: ['messages'], operations: [] }
    const run = { results, problems: [] }
    const report = buildReport({ target, selection, run, residue: [], known: [], startedAt, endedAt: startedAt })
    expect(report.exitCode).toBe(1)
    expect(report.promises.find(({ id }) => id === promise)).toMatchObject({ outcome: 'broken', findings: [finding] })
  })

  it('warns of a broken promise that is only usual', () => {
    const usual: Finding = { ...finding, promise: 'error.notFoundText' }
    const report = reportWith({ change: { faults: [usual] } })
    expect(report.exitCode).toBe(0)
    expect(report.promises.find(({ id }) => id === 'error.notFoundText')?.outcome).toBe('warned')
  })

  it('requires of a narrowed run only the operations that it is about', () => {
    expect(reportWith({ only: ['contact.'], unseen: 'sendMessage' }).exitCode).toBe(0)
    expect(reportWith({ only: ['contact.'], unseen: 'deleteContact' }).exitCode).toBe(3)
  })

  it('requires only the operations within the reach', () => {
    const reading = createTarget({ baseUrl: 'http://127.0.0.1:4010', upTo: 'read' }, { team: 'key' })
    const needed = buildReport({
      target: reading,
      selection: { only: [], operations: [] },
      run: { results: kept, problems: [] },
      residue: [],
      known: [],
      startedAt,
      endedAt: startedAt,
    }).operations.filter(({ needed }) => needed)
    expect(needed.map(({ effect }) => effect)).toEqual(Array(5).fill('read'))
  })
})

describe('A known deviation', () => {
  it('does not fail a run until the end of its last day', () => {
    const report = reportWith({ ...broken, known: [deviation] })
    expect(report.exitCode).toBe(0)
    expect(report.promises.find(({ id }) => id === promise)).toMatchObject({ outcome: 'known', reason: 'Ticket 7' })
  })

  it('fails once it has expired', () => {
    const report = reportWith({ ...broken, known: [{ ...deviation, expires: '2026-02-28' }] })
    expect(report.exitCode).toBe(1)
    expect(report.reasons).toContain(`The known deviation from ${promise} expired on 2026-02-28.`)
  })

  it('fails once it no longer occurs', () => {
    const report = reportWith({ known: [deviation] })
    expect(report.exitCode).toBe(1)
    expect(report.reasons).toEqual([`The known deviation from ${promise} no longer occurs: take it off the list.`])
  })

  it('does not have to occur when its check was skipped', () => {
    expect(reportWith({ change: { outcome: 'skipped' }, known: [deviation] }).exitCode).toBe(0)
  })

  it.each([
    ['nothing', '', 'must be a list'],
    ['no YAML', '[', 'is neither YAML nor JSON'],
    ['another promise', '- promise: contact.createAnswer201', 'close to it: contact.createAnswers201'],
    ['no reason', `- promise: ${promise}`, 'gives no reason'],
    ['no day', `- { promise: ${promise}, reason: x }`, 'must say when'],
    ['a day that is none', `- { promise: ${promise}, reason: x, expires: 2026-13-41 }`, 'must say when'],
  ])('is not written as %s', (_, text, why) => {
    const path = join(folder(), 'known.yaml')
    writeFileSync(path, text)
    expect(() => readKnownDeviations(path)).toThrow(why)
  })

  it('is written as promise, reason and last day', () => {
    const path = join(folder(), 'known.yaml')
    writeFileSync(path, `- promise: ${promise}\n  reason: Ticket 7\n  expires: 2026-03-01\n`)
    expect(readKnownDeviations(path)).toEqual([deviation])
    expect(() => readKnownDeviations(join(path, 'x'))).toThrow('cannot be read')
  })
})

describe('No server is conformant', () => {
  const reason = 'needs createContact: --up-to write allows it'
  const skipped = kept.map((result) => ({ ...result, outcome: 'skipped' as const, reason }))
  const facts = {
    target,
    selection: { only: [], operations: [] },
    residue: [],
    known: [],
    startedAt,
    endedAt: startedAt,
  }

  it('of which nothing was judged', () => {
    const { exitCode, reasons } = buildReport({ ...facts, run: { results: skipped, problems: [] } })
    expect([exitCode, reasons]).toEqual([3, ['Nothing was judged: every check was skipped or inconclusive.']])
  })

  it('when it keeps teams apart by a check that was skipped for no choice of the operator', () => {
    const verdictAfter = (reason: string) => {
      const results = kept.map((result) =>
        result.promise === 'access.readsStayInTheTeam' ? { ...result, outcome: 'skipped' as const, reason } : result,
      )
      return buildReport({ ...facts, run: { results, problems: [] } })
    }
    expect(verdictAfter('needs a pipeline of the team').exitCode).toBe(3)
    const { exitCode, limits } = verdictAfter('needs the key of a second team, in CRM_OTHER_API_KEY')
    expect([exitCode, limits]).toEqual([
      0,
      [
        'Not judged is whether teams are kept apart in all ways: access.readsStayInTheTeam (needs the key of a second team, in CRM_OTHER_API_KEY).',
      ],
    ])
  })

  it('without saying that only some promises were selected', () => {
    const selection = { only: ['contacts'], operations: [] }
    const { limits } = buildReport({ ...facts, selection, run: { results: kept, problems: [] } })
    expect(limits[0]).toMatch(/^Only \d+ of \d+ promises were selected\.$/)
  })

  it('when it could not be judged whether it keeps teams apart', () => {
    const results = kept.map((result) =>
      result.promise === 'access.readsStayInTheTeam' ? { ...result, outcome: 'inconclusive' as const } : result,
    )
    const { exitCode, reasons } = buildReport({ ...facts, run: { results, problems: [] } })
    expect(exitCode).toBe(3)
    expect(reasons).toEqual(['It could not be judged whether teams are kept apart: access.readsStayInTheTeam.'])
  })
})

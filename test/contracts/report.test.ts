import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toTerminal } from '../../client/reports/terminal.ts'
import { createTarget } from '../../client/target/target.ts'
import { type KnownDeviation, readKnownDeviations } from '../../contracts/known-deviations.ts'
import type { CheckResult } from '../../contracts/judge/outcome.ts'
import { toDocument } from '../../contracts/report-forms.ts'
import type { Report } from '../../contracts/report.ts'
import { folder } from '../client/harness.ts'
import { conformant, finding, kept, promise, reportOf } from './facts.ts'

interface Case {
  readonly change?: Partial<CheckResult>
  readonly problems?: string[]
  readonly residue?: Report['residue']
  readonly known?: KnownDeviation[]
  readonly unseen?: string
  readonly only?: string[]
}

/** A run in which the check of one promise ended differently. */
function reportWith({ change, problems, residue = [], known = [], unseen, only = [] }: Case, of: string = promise) {
  const results = conformant.map((result) => ({
    ...result,
    ...(result.promise === of ? change : {}),
    answers: result.answers.filter(({ operation }) => operation !== unseen),
  }))
  return reportOf(results, { residue, known, selection: { only, operations: [] } }, problems)
}

const broken: Case = { change: { outcome: 'broken', finding } }
const left = [{ kind: 'contact', what: 'c1', why: 'createContact answering 500' }] as const
const deviation: KnownDeviation = { promise, reason: 'Ticket 7', expires: '2026-03-01' }
const promiseIn = ({ promises }: Report, id: string = promise) => promises.find((one) => one.id === id)

describe('The verdict', () => {
  it.each<[string, Case, Report['exitCode'], Report['verdict']]>([
    ['every promise is kept', {}, 0, 'conformant'],
    ['a promise is broken', broken, 1, 'broken'],
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
    ['a check was inconclusive', { change: { outcome: 'inconclusive', reason: 'left open' } }, 0, 'conformant'],
    ['the most severe is 2', { ...broken, problems: ['x'], residue: left, unseen: 'sendMessage' }, 2, 'harness failed'],
    ['the most severe is 1', { ...broken, residue: left, unseen: 'sendMessage' }, 1, 'broken'],
    ['the most severe is 4', { residue: left, unseen: 'sendMessage' }, 4, 'residue left'],
    ['no selected promise needs the operation', { only: ['contact.'], unseen: 'sendMessage' }, 0, 'conformant'],
    ['a selected promise needs the operation', { only: ['contact.'], unseen: 'deleteContact' }, 3, 'inconclusive'],
    ['a deviation is known until today', { ...broken, known: [deviation] }, 0, 'conformant'],
    ['a known deviation was not checked', { change: { outcome: 'skipped' }, known: [deviation] }, 0, 'conformant'],
  ])('when %s', (_, about, exitCode, verdict) => {
    const report = reportWith(about)
    expect([report.exitCode, report.verdict]).toEqual([exitCode, verdict])
    expect(report.reasons.length > 0).toBe(exitCode !== 0)
  })

  it('counts a promise that an answer to another check broke', () => {
    const report = reportWith(
      { change: { faults: [finding, finding] }, only: ['messages'] },
      'contact.updateAnswers200',
    )
    expect(report.exitCode).toBe(1)
    expect(promiseIn(report)).toMatchObject({ outcome: 'broken', findings: [finding] })
  })

  it('warns of a broken promise that is only usual', () => {
    const report = reportWith({ change: { faults: [{ ...finding, promise: 'error.notFoundText' }] } })
    expect([report.exitCode, promiseIn(report, 'error.notFoundText')?.outcome]).toEqual([0, 'warned'])
    const lastLine = 'Verdict: conformant, with 1 warning that --strict counts as broken.\n'
    expect(toTerminal(toDocument(report)).endsWith(lastLine)).toBe(true)
  })

  it('counts a warning as broken when it is strict, unless the deviation is known', () => {
    const results = [{ ...kept(promise), faults: [{ ...finding, promise: 'error.notFoundText' as const }] }]
    const selection = { only: [promise], operations: ['createContact'] }
    const strict = (known: KnownDeviation[] = []) =>
      reportOf([...conformant, ...results], { strict: true, selection, known })
    const reason = '1 warning, which --strict does not allow: error.notFoundText.'
    expect(strict()).toMatchObject({ exitCode: 1, verdict: 'broken', reasons: [reason] })
    expect(strict([{ ...deviation, promise: 'error.notFoundText' }]).exitCode).toBe(0)
  })

  it('requires only the operations within the reach', () => {
    const target = createTarget({ baseUrl: 'http://127.0.0.1:4010', upTo: 'read' }, { team: 'key' })
    const unanswered = conformant.map((result) => ({ ...result, answers: [] }))
    const reads = /^5 operations never answered as promised: (get|list)\w+(, (get|list)\w+){4}\.$/
    expect(reportOf(unanswered, { target }).reasons).toEqual([expect.stringMatching(reads)])
  })

  it('is inconclusive when no promise was judged', () => {
    const reason = 'needs createContact: --up-to write allows it'
    const { exitCode, reasons } = reportOf(conformant.map((one) => ({ ...one, outcome: 'skipped', reason })))
    expect([exitCode, reasons]).toEqual([3, ['Nothing was judged: every check was skipped or inconclusive.']])
  })

  it('names the number of the promises when some were not selected', () => {
    const { limits } = reportWith({ only: ['contacts'] })
    expect(limits[0]).toMatch(/^Only \d+ of \d+ promises were selected\.$/)
  })

  const reads = 'access.readsStayInTheTeam'
  const noKey = 'needs the key of a second team, in CRM_OTHER_API_KEY'
  it.each<[Partial<CheckResult>, Report['exitCode'], string[], string[]]>([
    [{ outcome: 'inconclusive' }, 3, [`It could not be judged whether teams are kept apart: ${reads}.`], []],
    [
      { outcome: 'skipped', reason: 'needs a pipeline' },
      3,
      [`It could not be judged whether teams are kept apart: ${reads}.`],
      [`Not judged is whether teams are kept apart in all ways: ${reads} (needs a pipeline).`],
    ],
    [
      { outcome: 'skipped', reason: noKey },
      0,
      [],
      [`Not judged is whether teams are kept apart in all ways: ${reads} (${noKey}).`],
    ],
  ])('with %j for a promise that keeps teams apart is %i', (change, exitCode, reasons, limits) => {
    expect(reportWith({ change }, reads)).toMatchObject({ exitCode, reasons, limits })
  })
})

describe('A known deviation', () => {
  it('is reported with its reason', () => {
    const report = reportWith({ ...broken, known: [deviation] })
    expect(promiseIn(report)).toMatchObject({ outcome: 'known', reason: 'Ticket 7' })
  })

  it('fails after its last day, and once it no longer occurs', () => {
    const expired = reportWith({ ...broken, known: [{ ...deviation, expires: '2026-02-28' }] })
    expect(expired.exitCode).toBe(1)
    expect(expired.reasons).toContain(`The known deviation from ${promise} expired on 2026-02-28.`)
    const gone = reportWith({ known: [deviation] })
    expect(gone.exitCode).toBe(1)
    expect(gone.reasons).toEqual([`The known deviation from ${promise} no longer occurs: take it off the list.`])
  })

  const written = (text: string) => {
    const path = join(folder(), 'known.yaml')
    writeFileSync(path, text)
    return path
  }

  it.each([
    ['an empty file', '', 'must be a list'],
    ['no YAML', '[', 'is neither YAML nor JSON'],
    ['another promise', '- promise: contact.createAnswer201', 'close to it: contact.createAnswers201'],
    ['no reason', `- promise: ${promise}`, 'gives no reason'],
    ['no day', `- { promise: ${promise}, reason: x }`, 'must say when'],
    ['an impossible day', `- { promise: ${promise}, reason: x, expires: 2026-13-41 }`, 'must say when'],
  ])('is refused with %s', (_, text, why) => {
    expect(() => readKnownDeviations(written(text))).toThrow(why)
  })

  it('is written as promise, reason and last day', () => {
    const path = written(`- promise: ${promise}\n  reason: Ticket 7\n  expires: 2026-03-01\n`)
    expect(readKnownDeviations(path)).toEqual([deviation])
    expect(() => readKnownDeviations(join(path, 'x'))).toThrow('cannot be read')
  })
})

it('a report in the terminal has short lines, and one line for records of which it says the same', () => {
  const results = conformant.map((result) => ({ ...result, outcome: 'broken' as const, finding, answers: [] }))
  const same = { kind: 'contact', what: 'Ada', why: 'it does not show the mark of the run' } as const
  const text = toTerminal(toDocument(reportOf(results, { residue: [same, same, same] })))
  const notes = text.slice(text.indexOf('Stays') + 1).split('\n')
  expect(text).toContain('Ada: it does not show the mark of the run (3 times)')
  expect(text).toMatch(/^\d+ promises broken: (\S+,\s){5}\d+ more\.$/ms)
  expect(notes.slice(-12).filter((line) => line.length > 100)).toEqual([])
})

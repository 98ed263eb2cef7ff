import { createTarget, redactorFor } from '../../contracts/client/target/target.ts'
import type { CheckResult, Finding, Outcome } from '../../contracts/judge/outcome.ts'
import { buildReport, redactAll, type Report } from '../../contracts/reports/report.ts'
import { operations } from '../../spec/operations.ts'
import { promises, promise as promiseOf, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { describe, expect, it } from 'vitest'
import type { ReportDocument } from '../../contracts/reports/document.ts'
import { toJson } from '../../contracts/reports/write.ts'
import { toHtml } from '../../contracts/reports/html.ts'
import { toJunit } from '../../contracts/reports/junit.ts'
import { toMarkdown } from '../../contracts/reports/markdown.ts'
import { toTerminal } from '../../contracts/reports/terminal.ts'
import { toAnnotations, toCases, toDocument } from '../../contracts/reports/report-forms.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeCost, storiesOfAll } from '../../contracts/cost.ts'
import { readKnownDeviations, type KnownDeviation } from '../../contracts/known-deviations.ts'
import { newFolder } from '../for-one-test.ts'

const promise = 'contact.createAnswers201'
const finding: Finding = { promise, expected: '201', actual: '200', operation: 'createContact' }

const kept = (id: CheckResult['promise']): CheckResult => ({
  promise: id,
  outcome: 'kept',
  faults: [],
  answers: [],
  observed: [],
  exercised: [],
  requests: 0,
  seconds: 0.01,
})

/** A run in which every operation has answered and every promise was kept. */
const conformant: readonly CheckResult[] = promises.map(({ id }, index) => ({
  ...kept(id),
  answers:
    index === 0
      ? Object.values(operations).map((one) => ({ operation: one.id, successes: 1, refusals: 0, unlisted: [] }))
      : [],
}))

type Facts = Parameters<typeof buildReport>[0]

/** The report of a run with these results and, unless they are named, no other facts. */
function reportOf(results: readonly CheckResult[], facts: Partial<Facts> = {}, problems: string[] = []) {
  return buildReport({
    target: createTarget({ baseUrl: 'http://127.0.0.1:4010' }, { team: 'acme-key' }),
    selection: { only: [], operations: [] },
    run: { results, situations: [], problems },
    residue: [],
    known: [],
    startedAt: new Date('2026-03-01T09:30:00.000Z'),
    endedAt: new Date('2026-03-01T09:51:07.250Z'),
    ...facts,
  })
}

const documentAs = (write: (document: ReportDocument) => string) => (report: Report) => write(toDocument(report))
const forms = {
  terminal: documentAs(toTerminal),
  JUnit: (report: Report) => toJunit(toCases(report)),
  JSON: toJson,
  HTML: documentAs(toHtml),
  Markdown: documentAs(toMarkdown),
}

const credentials = {
  team: 'canary-team-key',
  otherTeam: 'canary/other?key',
  admin: 'canary+admin',
  agent: 'canary-agent',
}
const people = { emailTo: ['canary.person@example.org'], phoneTo: ['+491510022262739'] }
const target = createTarget({ baseUrl: 'http://127.0.0.1:4010', ...people }, credentials)
const redact = redactorFor(target)
const canaries = [...Object.values(credentials), ...people.emailTo, ...people.phoneTo]

/** A report that repeats the words of a server in every possible place. */
function reportThatSays(words: string): Report {
  const finding = { promise, expected: '201', actual: words, operation: 'createContact', answered: words } as const
  const results = [
    {
      ...kept(promise),
      outcome: 'broken',
      finding,
      faults: [{ ...finding, promise: 'error.messageIsText' }],
      answers: [{ operation: 'createContact', successes: 1, refusals: 0, unlisted: [words] }],
      observed: [{ assumption: 'recordAfterUpdate', choice: words }],
    },
    { ...kept('contact.createRequires'), outcome: 'inconclusive', reason: words },
  ] as const
  const selection = { only: ['contact.create'], operations: [] }
  return reportOf(results, { target, selection, residue: [{ kind: 'contact', what: words, why: words }] }, [words])
}

it.each(Object.entries({ ...forms, annotations: toAnnotations }))(
  'A report as %s has nothing that a CI system takes for a command of its own',
  (form, write) => {
    const words = '\n::error::no\n  ::add-mask::x\n##[error]no ##vso[task.setvariable]x\n\u202e\u001b[31m'
    const text = write(redactAll(reportThatSays(words), redact))
    const lines = form === 'annotations' ? text.replace(/^::(error|warning) title=[\w.]+::/gm, '') : text
    // In JSON a text is in quotes, on the line of its name.
    expect(lines).not.toMatch(form === 'JSON' ? /^\s*(::|##)/m : /^\s*::|##\w*\[/m)
    if (form !== 'JSON') expect(lines).not.toMatch(/[\u001b]/)
  },
)

describe.each(Object.entries(forms))('A report for the %s', (form, write) => {
  it('contains no secret that a server repeats, encoded or not', () => {
    const written = canaries.flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
      Buffer.from(`to ${secret}`).toString('base64url'),
    ])
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJ0ZWFtSWQiOiJhY21lIn0.c2lnbmF0dXJl'
    const said = [...written, token].map((spelled) => `<${spelled}>`)
    for (const words of [said, ...said.map((one) => [one])]) {
      const text = write(redactAll(reportThatSays(words.join(' ')), redact))
      expect([...written, token].filter((secret) => text.includes(secret))).toEqual([])
    }
    const text = write(redactAll(reportThatSays(token), redact))
    expect(text).toContain('redacted')
  })

  it('is redacted before it is cut, so that no part of a secret is left', () => {
    for (let before = 380; before < 410; before++) {
      const words = `${'.'.repeat(before)}${credentials.team}${'.'.repeat(700)}`
      expect(write(redactAll(reportThatSays(words), redact))).not.toContain('canary')
    }
  })

  it('would contain them without the redaction', () =>
    expect(write(reportThatSays('canary-team-key'))).toContain('canary-team-key'))

  it('contains the promise, the expected and the actual value', () => {
    const text = write(reportThatSays('nothing'))
    for (const part of ['contact.createAnswers201', 'Creating a contact returns 201.', '201', 'nothing'])
      expect(text).toContain(part)
  })

  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)> ]]> \u0000\u0008\u001b[31m \`\`\`\n# h | | &amp; 'x'`

  it('shows whatever a server says as text', () => {
    const text = write(reportThatSays(hostile))
    if (form === 'HTML' || form === 'JUnit') expect(text).not.toMatch(/<script|<img|\u0000|\u0008|\u001b/)
    if (form === 'Markdown') expect(text.replace(/^(`{3,})[^`]*?text\n[\s\S]*?\n\1$/gm, '')).not.toMatch(/<script|<img/)
    if (form === 'terminal') expect(text).not.toMatch(/\u001b|\u0008/)
    if (form === 'JSON') expect((JSON.parse(text) as Report).promises[0]?.id).toBe('error.messageIsText')
  })
})

describe('The page', () => {
  const page = forms.HTML(reportThatSays('x'))

  it('loads no files and runs no scripts', () => {
    expect(page).toContain("default-src 'none'; style-src 'sha256-")
    expect(page).not.toMatch(/<script|javascript:|https?:\/\/(?!127\.0\.0\.1)|style="/)
  })

  it('has a row for each promise, with its outcome and operations', () => {
    expect(page).toContain(`<td title="">${promise}: `)
    expect(page).toContain('</td><td class="bad">broken</td><td>createContact</td></tr>')
  })
})

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
      { change: { outcome: 'inconclusive', stopped: { reason: 'it gives no responses', unreachable: true } } },
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
    const reads = /^The run got no promised response from 5 operations: (get|list)\w+(, (get|list)\w+){4}\.$/
    expect(reportOf(unanswered, { target }).reasons).toEqual([expect.stringMatching(reads)])
  })

  it('is inconclusive when no promise was judged', () => {
    const reason = 'needs createContact: --up-to write allows it'
    const skipped = { outcome: 'skipped', reason, skipped: 'limits' } as const
    const { exitCode, reasons } = reportOf(conformant.map((one) => ({ ...one, ...skipped })))
    expect([exitCode, reasons]).toEqual([3, ['Nothing was judged: every check was skipped or inconclusive.']])
  })

  it.each([
    [0.09, 0],
    [0.11, 3],
  ])('with a share of %d undecided exits with %i', (share, exitCode) => {
    const open = { outcome: 'inconclusive', reason: 'a step failed' } as const
    const others = conformant.filter(({ promise }) => !promise.startsWith('access.'))
    const undecided = new Set(others.slice(0, share * conformant.length).map(({ promise }) => promise))
    const report = reportOf(conformant.map((one) => (undecided.has(one.promise) ? { ...one, ...open } : one)))
    expect(report.exitCode).toBe(exitCode)
    expect(report.reasons.filter((reason) => reason.includes('could not be decided'))).toHaveLength(exitCode / 3)
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
      { outcome: 'skipped', reason: 'needs a pipeline', skipped: 'missing' },
      3,
      [`It could not be judged whether teams are kept apart: ${reads}.`],
      [`Not judged is whether teams are kept apart in all ways: ${reads} (needs a pipeline).`],
    ],
    [
      { outcome: 'skipped', reason: noKey, skipped: 'credential' },
      0,
      [],
      [`Not judged is whether teams are kept apart in all ways: ${reads} (${noKey}).`],
    ],
  ])('with %j for a promise that keeps teams apart is %i', (change, exitCode, reasons, limits) =>
    expect(reportWith({ change }, reads)).toMatchObject({ exitCode, reasons, limits }),
  )
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
    const path = join(newFolder(), 'known.yaml')
    writeFileSync(path, text)
    return path
  }

  it.each([
    ['an empty file', '', 'must be a list'],
    ['no YAML', '[', 'is neither YAML nor JSON'],
    ['another promise', '- promise: contact.createAnswer201', 'no promise "contact.createAnswer201"; close to it'],
    ['no reason', `- promise: ${promise}`, 'gives no reason'],
    ['no day', `- { promise: ${promise}, reason: x }`, 'must say when'],
    ['an impossible day', `- { promise: ${promise}, reason: x, expires: 2026-13-41 }`, 'must say when'],
  ])('is refused with %s', (_, text, why) => expect(() => readKnownDeviations(written(text))).toThrow(why))

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

describe('The cost of a run', () => {
  const beyond = { upTo: 'send', rate: 2, concurrency: 1, loopback: false } as const
  const whole = { only: [], operations: [] }
  const countIn = (line: string) => Number(/^About ([\d,]+) /.exec(line)?.[1]?.replaceAll(',', ''))

  it.each([
    [
      describeCost(beyond, whole, { which: 'unchecked' }),
      'N minutes at 2 a second, N minutes at 20 a second (--rate). --situations pairs adds about N.',
    ],
    [describeCost({ ...beyond, rate: 50 }, whole, { which: 'all' }), 'N minutes at 50 a second (--rate).'],
    [
      describeCost({ ...beyond, upTo: 'read' }, { ...whole, only: ['errors'] }),
      'N seconds at 2 a second, N seconds at 20 a second (--rate).',
    ],
    [
      describeCost({ ...beyond, rate: Infinity, concurrency: 8 }, whole, { which: 'all' }),
      '8 at a time (--concurrency).',
    ],
  ])('is said as %s', (line, rest) => {
    expect(line).toMatch(/^About [\d,]+ requests[:,] /)
    const numbers = /[\d,]*\d( minute| second)s?\b|[\d,]*\d(?=\.$)/g
    expect(
      line
        .replace(/^.*? requests[:,] /, '')
        .replaceAll(numbers, (_, unit = '') => `N${String(unit)}${unit === '' ? '' : 's'}`),
    ).toBe(rest)
  })

  it('is that of its checks and its stories', () => {
    const [all, none] = [countIn(describeCost(beyond, whole, { which: 'all' })), countIn(describeCost(beyond, whole))]
    const part = countIn(describeCost(beyond, { ...whole, only: ['contacts'] }))
    const half = countIn(describeCost(beyond, whole, { which: 'all', most: storiesOfAll / 2 }))
    const here = { ...beyond, loopback: true, rate: Infinity }
    const one = describeCost(here, { ...whole, only: ['contact.createAnswers201'] }, { which: 'unchecked' })
    expect(one).toMatch(/^At most about \d{3} requests, 1 at a time/)
    expect([part > 100, part < none / 4, none < half, half < all]).toEqual([true, true, true, true])
  })
})

describe('Findings', () => {
  const step = (status: number) => [{ operation: 'createContact' as const, input: {}, line: `curl ${status}`, status }]
  const refused = (id: PromiseId, operation: OperationId, status: number, message: string): Finding => ({
    ...{ promise: id, operation, expected: 'a success', actual: `${operation} answering ${status}` },
    answered: `${status} ${JSON.stringify({ success: false, message, path: `/api/${operation}` })}`,
    story: step(status),
  })
  const differs = (operation: OperationId, field: string): Finding => ({
    ...{ promise: 'contact.updateKeepsTheRest', operation, field, expected: `${field} "a"`, actual: `${field} null` },
    answered: '200 {"success":true}',
    story: step(200),
  })
  const succeeds = (operation: OperationId) => ({ operation, successes: 1, refusals: 0, unlisted: [] })

  /** The promises and the operations of each cause. */
  const causesOf = (faults: readonly Finding[], working: readonly OperationId[] = []) => {
    const results = [{ ...kept(promise), faults, answers: working.map(succeeds) }]
    return reportOf(results).causes.map(({ promises, operations }) => [promises.join(' '), operations.join(' ')])
  }
  const [create, upsert] = ['contact.createAnswers201', 'contact.upsertAnswers200'] as const

  it.each<[string, Finding[], OperationId[], string[][]]>([
    [
      'the same refusal by operations that never succeed is one',
      [refused(create, 'createContact', 403, 'No'), refused(upsert, 'createOrUpdateContact', 403, 'No')],
      [],
      [[`${create} ${upsert}`, 'createContact createOrUpdateContact']],
    ],
    [
      'other refusals are others',
      [refused(create, 'createContact', 403, 'No'), refused(upsert, 'createOrUpdateContact', 403, 'Off')],
      [],
      [
        [create, 'createContact'],
        [upsert, 'createOrUpdateContact'],
      ],
    ],
    [
      'the same refusal by operations that work in other cases is one for each',
      [refused(create, 'createContact', 400, 'No'), refused(upsert, 'createOrUpdateContact', 400, 'No')],
      ['createContact', 'createOrUpdateContact'],
      [
        [create, 'createContact'],
        [upsert, 'createOrUpdateContact'],
      ],
    ],
    [
      'the same refusal of one operation is one for all promises',
      [
        refused(create, 'createContact', 400, 'No'),
        refused('contact.requiredFieldsSuffice', 'createContact', 400, 'No'),
      ],
      ['createContact'],
      [[`${create} contact.requiredFieldsSuffice`, 'createContact']],
    ],
    [
      'the same difference from one promise is one for all operations',
      [refused(create, 'createContact', 400, 'No'), refused(create, 'createDeal', 400, 'Off')],
      ['createContact', 'createDeal'],
      [[create, 'createContact createDeal']],
    ],
    [
      'the fields of one operation are one',
      [differs('updateContact', 'city'), differs('updateContact', 'state'), differs('createOrUpdateContact', 'city')],
      ['updateContact', 'createOrUpdateContact'],
      [
        ['contact.updateKeepsTheRest', 'updateContact'],
        ['contact.updateKeepsTheRest', 'createOrUpdateContact'],
      ],
    ],
    [
      'a wrong value of one field is one for all promises',
      [
        differs('updateContact', 'city'),
        { ...differs('updateContact', 'city'), promise: 'contact.updateShowsTheChange' },
      ],
      ['updateContact'],
      [['contact.updateShowsTheChange contact.updateKeepsTheRest', 'updateContact']],
    ],
  ])('of which %s', (_, faults, working, causes) => expect(causesOf(faults, working)).toEqual(causes))

  it('of one cause are one block, with the story once, and each promise of JUnit and JSON names the cause', () => {
    const faults = promises.map(({ id }) => refused(id, 'createContact', 403, 'No'))
    const report = reportOf([{ ...kept(promise), faults }])
    const text = forms.terminal(report)
    expect(text.match(/curl 403 # 1: 403/g)).toHaveLength(1)
    expect(text).toContain('No promised response from createContact\n')
    expect(text.split('\n').length).toBeLessThan(50)
    expect(forms.JUnit(report).match(/curl 403 # 1: 403/g)).toHaveLength(1)
    expect(forms.JUnit(report)).toContain(`cause:    the same as that of ${report.causes[0]?.promises[0]}`)
    expect(report.promises.flatMap(({ findings }) => findings.map(({ cause }) => cause))).toEqual(faults.map(() => 1))
  })
})

describe('The JUnit report', () => {
  const words = `"><b a='1'>&amp; ]]> \u0000\u001b[31m\ud800 Größe`
  const shown = '&quot;&gt;&lt;b a=&#39;1&#39;&gt;&amp;amp; ]]&gt; \ufffd\ufffd[31m\ufffd Größe'
  const outcomes: readonly (readonly [CheckResult['promise'], Outcome])[] = [
    ['contact.createAnswers201', 'kept'],
    ['contact.updateAnswers200', 'broken'],
    ['contact.createdAtStays', 'warned'],
    ['deal.createAnswers200', 'skipped'],
    ['deal.updateAnswers200', 'inconclusive'],
    ['deal.deleteAnswers200', 'failed'],
  ]

  // Checked by hand against the schema of Jenkins (jenkins-junit.xsd).
  it('has a case for each promise with the element of its outcome, counts, seconds and times', () => {
    const results = outcomes.map(([id, outcome]) => {
      const finding = {
        promise: id,
        expected: '201',
        actual: words,
        answered: words,
        story: [{ operation: 'createContact' as const, input: {}, line: 'curl', status: 201 }],
      }
      const isFound = outcome === 'broken' || outcome === 'warned'
      return { ...kept(id), outcome, ...(isFound && { finding }), reason: words, seconds: 1234.5678 }
    })
    const report = reportOf(results, { selection: { only: outcomes.map(([id]) => id), operations: [] } })
    const text = (id: PromiseId) =>
      `requirement: ${promiseOf(id).words}\nexpected: 201\nactual:   ${shown}\nresponse: ${shown}\nrepeat it with:\ncurl # 1: 201`
    const start = (id: PromiseId, classname = 'Index') =>
      `    <testcase classname="${classname}" name="${id}: ${promiseOf(id).words}" time="1234.568"`
    const time = 'time="3703.703" timestamp="2026-03-01T09:30:00.000Z"'
    const stays = text('contact.createdAtStays')
    expect(toJunit(toCases(report))).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites name="crm-sandbox verify" tests="6" failures="1" errors="1" time="1267.250">',
        `  <testsuite name="contacts" tests="3" failures="1" errors="0" skipped="0" ${time}>`,
        `${start('contact.createdAtStays', 'Contact')}><system-out>warned: ${shown}\n${stays}</system-out></testcase>`,
        `${start('contact.createAnswers201')}/>`,
        `${start('contact.updateAnswers200')}><failure message="expected 201, got ${shown}">` +
          `${text('contact.updateAnswers200')}</failure></testcase>`,
        '  </testsuite>',
        `  <testsuite name="deals" tests="3" failures="0" errors="1" skipped="2" ${time}>`,
        `${start('deal.createAnswers200')}><skipped message="${shown}"/></testcase>`,
        `${start('deal.updateAnswers200')}><skipped message="${shown}"/></testcase>`,
        `${start('deal.deleteAnswers200')}><error message="${shown}"/></testcase>`,
        '  </testsuite>',
        '</testsuites>',
        '',
      ].join('\n'),
    )
  })
})

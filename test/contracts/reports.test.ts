import { describe, expect, it } from 'vitest'
import type { ReportDocument } from '../../client/reports/document.ts'
import { toJson } from '../../client/reports/write.ts'
import { toHtml } from '../../client/reports/html.ts'
import { toJunit } from '../../client/reports/junit.ts'
import { toMarkdown } from '../../client/reports/markdown.ts'
import { toTerminal } from '../../client/reports/terminal.ts'
import { toAnnotations, toCases, toDocument } from '../../contracts/report-forms.ts'
import { redactAll, type Report } from '../../contracts/report.ts'
import { createTarget, redactorFor } from '../../client/target/target.ts'
import { kept, promise, reportOf } from './facts.ts'

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
  const finding = { promise, expected: '201', actual: words, operation: 'createContact', curl: words } as const
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

  it('would contain them without the redaction', () => {
    expect(write(reportThatSays('canary-team-key'))).toContain('canary-team-key')
  })

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

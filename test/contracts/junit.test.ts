import { describe, expect, it } from 'vitest'
import { createTarget } from '../../client/target/target.ts'
import type { CheckResult, Outcome } from '../../contracts/judge/outcome.ts'
import { toJunit } from '../../client/reports/junit.ts'
import { toCases } from '../../contracts/report-forms.ts'
import { buildReport } from '../../contracts/report.ts'
import { promises } from '../../spec/promises.ts'

// What the schema of Jenkins (jenkins-junit.xsd) allows, as far as the report could go beyond it.

interface Rule {
  readonly needs: readonly string[]
  readonly may: readonly string[]
  readonly holds: readonly string[]
  readonly hasText: boolean
}

const counts = ['tests', 'failures', 'errors', 'time']
const inTestcase = ['skipped', 'error', 'failure', 'system-out', 'system-err']
const message: Rule = { needs: [], may: ['message', 'type'], holds: [], hasText: true }
const output: Rule = { needs: [], may: [], holds: [], hasText: true }

const schema: Readonly<Record<string, Rule>> = {
  testsuites: { needs: [], may: ['name', 'disabled', ...counts], holds: ['testsuite'], hasText: false },
  testsuite: {
    needs: ['name', 'tests'],
    may: [...counts, 'disabled', 'skipped', 'timestamp', 'hostname', 'id', 'package'],
    holds: ['properties', 'testcase', 'system-out', 'system-err'],
    hasText: false,
  },
  testcase: { needs: ['name', 'classname'], may: ['assertions', 'time', 'status'], holds: inTestcase, hasText: false },
  skipped: { ...message, may: ['message'] },
  error: message,
  failure: message,
  'system-out': output,
  'system-err': output,
}

const outcomes: readonly Outcome[] = ['kept', 'broken', 'warned', 'skipped', 'inconclusive', 'failed']
const words = `"><b a='1'>&amp; ]]> <!-- \u0000\u001b[31m\ud800 Größe\n# h`

const report = buildReport({
  target: createTarget({ baseUrl: 'http://127.0.0.1:4010' }, { team: 'acme-key' }),
  selection: { only: [], operations: [] },
  run: {
    results: promises.map(({ id }, index) => resultFor(id, outcomes[index % outcomes.length] ?? 'kept')),
    problems: [],
  },
  residue: [],
  known: [],
  startedAt: new Date('2026-03-01T09:30:00.000Z'),
  endedAt: new Date('2026-03-01T09:51:07.250Z'),
})
const written = toJunit(toCases(report))

describe('The JUnit report', () => {
  it('has only the elements and attributes that the schema of Jenkins knows', () => {
    expect(faultsOf(read(written))).toEqual([])
  })

  it('has a case for each promise, and each outcome as its element', () => {
    const cases = all(read(written), 'testcase')
    expect(cases).toHaveLength(promises.length)
    for (const { id, outcome } of report.promises) {
      const found = cases.find(({ attributes }) => attributes.name?.startsWith(`${id}: `))
      expect([outcome, ...(found?.children ?? []).map(({ name }) => name)]).toEqual([outcome, ...elementsOf[outcome]])
    }
  })

  it('counts in each suite, and in all, what stands in it', () => {
    const root = read(written)
    expect(root.name).toBe('testsuites')
    for (const suite of [root, ...all(root, 'testsuite')]) {
      const count = (name: string) => String(all(suite, name).length)
      const { tests, failures, errors, skipped = count('skipped') } = suite.attributes
      expect([tests, failures, errors, skipped]).toEqual(['testcase', 'failure', 'error', 'skipped'].map(count))
    }
  })

  it('writes times as the schema wants them', () => {
    for (const { attributes } of [...all(read(written), 'testsuite'), ...all(read(written), 'testcase')]) {
      expect(attributes.time).toMatch(/^\d+\.\d{3}$/)
      expect(attributes.timestamp ?? '2026-03-01T09:30:00.000Z').toBe('2026-03-01T09:30:00.000Z')
    }
  })

  it('would be refused with a count of skipped on all suites, a nested case or a text of its own', () => {
    const changes: readonly (readonly [string, string])[] = [
      ['<testsuites ', '<testsuites skipped="1" '],
      ['</testcase>', '<testcase name="a" classname="b"/></testcase>'],
      ['</testsuite>', 'text</testsuite>'],
      ['classname=', 'class='],
    ]
    for (const [old, changed] of changes)
      expect(faultsOf(read(written.replace(old, changed)))).toHaveLength(old === 'classname=' ? 2 : 1)
  })
})

const elementsOf: Readonly<Record<Outcome | 'known', readonly string[]>> = {
  known: ['system-out'],
  kept: [],
  broken: ['failure'],
  warned: ['system-out'],
  skipped: ['skipped'],
  inconclusive: ['skipped'],
  failed: ['error'],
}

function resultFor(promise: CheckResult['promise'], outcome: Outcome): CheckResult {
  const finding = { promise, expected: '201', actual: words, answered: words, curl: words }
  return {
    promise,
    outcome,
    ...(['broken', 'warned'].includes(outcome) ? { finding } : {}),
    ...(outcome === 'kept' ? {} : { reason: words }),
    faults: [],
    answers: [],
    observed: [],
    seconds: 1234.5678,
  }
}

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

function faultsOf({ name, attributes, children, text }: Element): string[] {
  const rule = schema[name]
  if (!rule) return [`there is no ${name}`]
  const { needs, may, holds, hasText } = rule
  return [
    ...needs.filter((one) => attributes[one] === undefined).map((one) => `${name} lacks ${one}`),
    ...Object.keys(attributes)
      .filter((one) => !needs.includes(one) && !may.includes(one))
      .map((one) => `${name} has ${one}`),
    ...children.filter((child) => !holds.includes(child.name)).map((child) => `${name} holds ${child.name}`),
    ...(hasText || text.trim() === '' ? [] : [`${name} has a text`]),
    ...children.flatMap(faultsOf),
  ]
}

const all = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)])

const token = /<(?<end>\/)?(?<name>[\w-]+)(?<attributes>(?: [\w-]+="[^"<]*")*)(?<empty>\/)?>|(?<text>[^<]+)/y
const notXml = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]|&(?!(?:amp|lt|gt|quot|#39);)/u

/** The root of a document in XML, which throws when it is not well-formed. */
function read(document: string): Element {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
  if (!document.startsWith(declaration) || notXml.test(document)) throw new Error('This is no XML.')
  const top: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  token.lastIndex = declaration.length
  while (token.lastIndex < document.length) {
    const at = token.lastIndex
    const { name = '', attributes = '', text, end, empty } = token.exec(document)?.groups ?? {}
    const parent = open.at(-1) ?? top
    if (text !== undefined) parent.text += text
    else if (end === undefined && name !== '') {
      const pairs = [...attributes.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])
      const element: Element = { name, attributes: Object.fromEntries(pairs) as never, children: [], text: '' }
      parent.children.push(element)
      if (empty === undefined) open.push(element)
    } else if (name === '' || open.pop()?.name !== name) throw new Error(`Broken at ${document.slice(at, at + 80)}`)
  }
  const [root, ...more] = top.children
  if (!root || more.length > 0 || open.length > 1) throw new Error('There must be one root, and all elements closed.')
  return root
}

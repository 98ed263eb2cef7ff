import { describe, expect, it } from 'vitest'
import { toJunit } from '../../client/reports/junit.ts'
import type { Outcome } from '../../contracts/judge/outcome.ts'
import { toCases } from '../../contracts/report-forms.ts'
import { promises } from '../../spec/promises.ts'
import { kept, reportOf } from './facts.ts'

/** The part of the schema of Jenkins (jenkins-junit.xsd) that the report could violate. */
const schema: Readonly<Record<string, { needs: string; may: string; holds: string }>> = {
  testsuites: { needs: '', may: 'name disabled tests failures errors time', holds: 'testsuite' },
  testsuite: {
    needs: 'name tests',
    may: 'failures errors time disabled skipped timestamp hostname id package',
    holds: 'properties testcase system-out system-err',
  },
  testcase: {
    needs: 'name classname',
    may: 'assertions time status',
    holds: 'skipped error failure system-out system-err',
  },
  skipped: { needs: '', may: 'message', holds: '#text' },
  error: { needs: '', may: 'message type', holds: '#text' },
  failure: { needs: '', may: 'message type', holds: '#text' },
  'system-out': { needs: '', may: '', holds: '#text' },
}

const elementsOf: Readonly<Record<Outcome, readonly string[]>> = {
  kept: [],
  broken: ['failure'],
  warned: ['system-out'],
  skipped: ['skipped'],
  inconclusive: ['skipped'],
  failed: ['error'],
}

const outcomes = Object.keys(elementsOf) as Outcome[]
const words = `"><b a='1'>&amp; ]]> <!-- \u0000\u001b[31m\ud800 Größe\n# h`

const report = reportOf(
  promises.map(({ id }, index) => {
    const outcome = outcomes[index % outcomes.length] ?? 'kept'
    const finding = { promise: id, expected: '201', actual: words, answered: words, curl: words }
    return {
      ...kept(id),
      outcome,
      ...(['broken', 'warned'].includes(outcome) ? { finding } : {}),
      ...(outcome === 'kept' ? {} : { reason: words }),
      seconds: 1234.5678,
    }
  }),
)
const written = toJunit(toCases(report))

describe('The JUnit report', () => {
  it('has only the elements and attributes of the schema', () => {
    expect(violationsIn(parse(written))).toEqual([])
  })

  it('has a case for each promise, with an element for its outcome', () => {
    const cases = all(parse(written), 'testcase')
    expect(cases).toHaveLength(promises.length)
    for (const { id, outcome } of report.promises) {
      const found = cases.find(({ attributes }) => attributes.name?.startsWith(`${id}: `))
      expect(found?.children.map(({ name }) => name)).toEqual(elementsOf[outcome as Outcome])
    }
  })

  it('counts the cases of each suite, and of all suites', () => {
    const root = parse(written)
    for (const suite of [root, ...all(root, 'testsuite')]) {
      const count = (name: string) => String(all(suite, name).length)
      const { tests, failures, errors, skipped = count('skipped') } = suite.attributes
      expect([tests, failures, errors, skipped]).toEqual(['testcase', 'failure', 'error', 'skipped'].map(count))
    }
  })

  it('has times in seconds, and timestamps in ISO 8601', () => {
    for (const { attributes } of [...all(parse(written), 'testsuite'), ...all(parse(written), 'testcase')]) {
      expect(attributes.time).toMatch(/^\d+\.\d{3}$/)
      expect(attributes.timestamp ?? report.startedAt).toBe('2026-03-01T09:30:00.000Z')
    }
  })

  it.each([
    ['<testsuites ', '<testsuites skipped="1" ', 1],
    ['</testcase>', '<testcase name="a" classname="b"/></testcase>', 1],
    ['</testsuite>', 'text</testsuite>', 1],
    ['classname=', 'class=', 2],
  ])('would violate the schema with %s as %s', (old, changed, count) => {
    expect(violationsIn(parse(written.replace(old, changed)))).toHaveLength(count)
  })
})

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
}

function violationsIn({ name, attributes, children }: Element): string[] {
  if (name === '#text') return []
  const { needs = '', may = '', holds = '' } = schema[name] ?? {}
  const [needed, allowed, held] = [needs.split(' '), `${needs} ${may}`.split(' '), holds.split(' ')]
  return [
    ...(schema[name] ? [] : [`there is no ${name}`]),
    ...needed.filter((one) => one !== '' && attributes[one] === undefined).map((one) => `${name} lacks ${one}`),
    ...Object.keys(attributes).filter((one) => !allowed.includes(one)),
    ...children.filter((child) => !held.includes(child.name)).map((child) => `${name} holds ${child.name}`),
    ...children.flatMap(violationsIn),
  ]
}

const all = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)])

const token = /<(\/)?([\w-]+)((?: [\w-]+="[^"<]*")*)(\/)?>|([^<]+)/y
const notXml = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]|&(?!(?:amp|lt|gt|quot|#39);)/u

/** The root of an XML document; throws an error unless the document is well-formed. */
function parse(document: string): Element {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
  if (!document.startsWith(declaration) || notXml.test(document)) throw new Error('This is no XML.')
  const top: Element = { name: '', attributes: {}, children: [] }
  const open = [top]
  token.lastIndex = declaration.length
  while (token.lastIndex < document.length) {
    const [, end, name = '', attributes = '', empty, text] = token.exec(document) ?? []
    if (text !== undefined) {
      if (text.trim() !== '') open.at(-1)?.children.push({ name: '#text', attributes: {}, children: [] })
    } else if (end === undefined && name !== '') {
      const pairs = [...attributes.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])
      const element: Element = { name, attributes: Object.fromEntries(pairs) as never, children: [] }
      open.at(-1)?.children.push(element)
      if (empty === undefined) open.push(element)
    } else if (name === '' || open.pop()?.name !== name) throw new Error(`This is not well-formed: ${name}`)
  }
  const [root, ...more] = top.children
  if (!root || more.length > 0 || open.length > 1) throw new Error('There must be one root, and all elements closed.')
  return root
}

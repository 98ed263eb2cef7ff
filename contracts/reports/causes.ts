import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { parseJson } from '../../lib/json.ts'
import { fieldsOf } from '../client/answer.ts'
import type { Finding } from '../judge/outcome.ts'

/** The promises that one wrong behaviour breaks, and the operations where it shows. */
export interface Cause {
  readonly promises: readonly PromiseId[]
  readonly operations: readonly OperationId[]
  /** These operations gave the same response throughout the run, and no promised one. */
  readonly isTotal: boolean
}

export type CausedFinding = Finding & {
  /** The number of its cause in the report, from 1 on. */
  readonly cause?: number
}

/**
 * Findings of one cause: the same refusal by operations that never succeed, the same difference from one promise, and the
 * same refusal where the same was expected.
 */
export function groupByCause(
  findings: readonly Finding[],
  succeeds: (operation: OperationId) => boolean,
): readonly { readonly cause: Cause; readonly findings: readonly Finding[] }[] {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const name = nameOf(finding, succeeds)
    groups.set(name, [...(groups.get(name) ?? []), finding])
  }
  const larger: Finding[][] = []
  for (const group of [...groups.values()].toSorted(
    (one, other) => operationsOf(other).length - operationsOf(one).length,
  )) {
    const same = larger.find((one) => isPartOf(group, one))
    if (same) same.push(...group)
    else larger.push(group)
  }
  const place = ([first]: Finding[]) => (first ? findings.indexOf(first) : -1)
  return larger
    .toSorted((one, other) => place(one) - place(other))
    .map((group) => {
      const operations = operationsOf(group)
      const isTotal = operations.length > 0 && !operations.some(succeeds) && new Set(group.map(refusalOf)).size === 1
      const promises = [...new Set(group.map(({ promise }) => promise))]
      return { cause: { promises, operations, isTotal }, findings: group }
    })
}

function nameOf(finding: Finding, succeeds: (operation: OperationId) => boolean): string {
  const { promise, operation = '', field, expected, actual } = finding
  const refusal = refusalOf(finding)
  if (refusal !== undefined && operation !== '' && !succeeds(operation)) return refusal
  return field === undefined
    ? [promise, shapeOf(expected), shapeOf(actual.replaceAll(operation, ''))].join('\n')
    : [promise, operation].join('\n')
}

/** An operation may break several promises with one refusal, or with the wrong value of one field. */
function isPartOf(group: readonly Finding[], other: readonly Finding[]): boolean {
  const [one, another] = [group[0], other[0]]
  if (!one || !another) return false
  if (one.field !== undefined && one.operation === another.operation)
    return group.every((each) => other.some(({ field, actual }) => field === each.field && actual === each.actual))
  if (refusalOf(one) === undefined || refusalOf(one) !== refusalOf(another)) return false
  const [own, operations] = [operationsOf(group), operationsOf(other)]
  return own.length > 0 && one.expected === another.expected && own.every((operation) => operations.includes(operation))
}

const operationsOf = (findings: readonly Finding[]) => [
  ...new Set(findings.flatMap(({ operation }) => operation ?? [])),
]

/** An error status, or a body that is no object, without the parts that differ between responses. */
function refusalOf({ answered = '', story = [] }: Finding): string | undefined {
  const { status = 0 } = story.at(-1) ?? {}
  const isObject = Object.keys(fieldsOf(parseJson(answered.slice(String(status).length)))).length > 0
  return status >= 400 || (status > 0 && !isObject) ? shapeOf(answered) : undefined
}

/** A text without methods, paths, ids, times and numbers. */
const shapeOf = (text: string) =>
  text
    .replaceAll(/\b(GET|POST|PUT|DELETE)\b/g, '')
    .replaceAll(/\/[^\s"'<>]*/g, '/')
    .replaceAll(/[\da-f-]{20,}|[\d.:+TZ-]*\d[\d.:+TZ-]*/gi, '0')

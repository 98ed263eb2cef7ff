interface CoverageInNumbers {
  readonly percent: number
  readonly met: number
  readonly total: number
  readonly neverCalled: readonly string[]
  readonly operations: readonly OutcomesOfOperation[]
  readonly assumptions: readonly { readonly name: string; readonly times: number }[]
}

interface OutcomesOfOperation {
  readonly operation: string
  readonly outcomes: readonly { readonly outcome: string; readonly times: number }[]
}

/** The covered outcomes and the missing ones, in a few lines. */
export function coverageInText(coverage: CoverageInNumbers): string {
  const { percent, met, total, neverCalled, operations, assumptions } = coverage
  const called = operations.filter(({ operation }) => !neverCalled.includes(operation))
  const unmet = called.map(
    ({ operation, outcomes }) => [operation, outcomes.filter(({ times }) => times === 0)] as const,
  )
  const lines = [
    ['Never called', neverCalled.join(', ')],
    ['Never met', unmet.flatMap(([id, left]) => (left.length > 0 ? `${id} ${namesOf(left)}` : [])).join('; ')],
    ['Relied on', assumptions.map(({ name, times }) => `${name} (${times})`).join(', ')],
  ]
  const shown = lines.flatMap(([title = '', words = '']) => (words === '' ? [] : `  ${title}: ${words}`))
  return [`Coverage: ${met} of ${total} outcomes (${percent}%)`, ...shown].join('\n')
}

const namesOf = (outcomes: OutcomesOfOperation['outcomes']) => outcomes.map(({ outcome }) => outcome).join(', ')

/** A table of all operations with how often each outcome was met, for the summary of a CI job. */
export function coverageAsMarkdown({ percent, met, total, operations, assumptions }: CoverageInNumbers): string {
  const all = new Set(operations.flatMap(({ outcomes }) => outcomes.map(({ outcome }) => outcome)))
  const columns = ['success', ...[...all].filter((outcome) => /^\d/.test(outcome)).toSorted(), 'repeatedKey']
  const rows = operations.map(({ operation, outcomes }) => {
    const times = new Map(outcomes.map(({ outcome, times }) => [outcome, times]))
    return [operation, ...columns.map((column) => cellOf(times.get(column)))]
  })
  const table = [['operation', ...columns], ['---', ...columns.map(() => '---:')], ...rows]
  const relied = assumptions.map(({ name, times }) => `\`${name}\` (${times})`).join(', ')
  return [
    `## Coverage of the CRM API: ${percent}%`,
    '',
    `${met} of ${total} outcomes were met. A blank cell is an outcome that the operation does not have.`,
    '',
    ...table.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    ...(relied === '' ? [] : [`The responses relied on these assumptions: ${relied}.`, '']),
  ].join('\n')
}

const cellOf = (times: number | undefined) => (times === undefined ? '' : times === 0 ? '**0**' : String(times))

import type { Residue } from '../client/clean.ts'

/** The result of a run, in the parts that the writers of the reports show. */
export interface ReportDocument {
  /** The server or the command that was judged. */
  readonly subject: string
  readonly verdict: string
  readonly tone: Tone
  /** When the run began, as an ISO 8601 time. */
  readonly at: string
  /** One sentence with counts. */
  readonly summary: string
  /** Sentences that qualify the verdict. */
  readonly notes: readonly string[]
  readonly parts: readonly Part[]
}

export type Tone = 'good' | 'bad' | 'doubtful' | 'muted'
export type ReportForm = 'terminal' | 'markdown' | 'html'

/** A section with a list, with details or with a table; an empty one is left out. */
export interface Part {
  readonly title?: string
  /** The forms that show it; all by default. */
  readonly forms?: readonly ReportForm[]
  readonly lines?: readonly string[]
  readonly details?: readonly Detail[]
  /** For Markdown and HTML only. */
  readonly table?: Table
}

export interface Detail {
  readonly title: string
  readonly text?: readonly string[]
  /** Several lines, shown as they are. */
  readonly code?: string
}

export interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

export interface Cell {
  readonly text: string
  readonly tone?: Tone
  /** Shown by HTML when the pointer rests on the cell. */
  readonly hint?: string
}

/** A run as a CI system reads it: JUnit XML, with one suite for each group. */
export interface CaseReport {
  /** The command, such as `verify`. */
  readonly command: string
  readonly at: string
  readonly seconds: number
  readonly cases: readonly Case[]
}

export interface Case {
  readonly suite: string
  readonly classname: string
  readonly name: string
  readonly seconds: number
  readonly result: 'passed' | 'failure' | 'error' | 'skipped'
  readonly message?: string
  readonly text?: string
}

/**
 * Records that may be on the server still, and those that no operation deletes. Equal lines are one, with their number; of many
 * records with the same reason, some are named.
 */
export function leftBehind(residue: readonly Residue[], stays: readonly string[]): Part[] {
  const groups = new Map<string, { readonly why: string; readonly lines: string[] }>()
  for (const { kind, what, why } of residue) {
    const group = groups.get(`${kind} ${why}`) ?? { why, lines: [] }
    groups.set(`${kind} ${why}`, group)
    group.lines.push(`${kind} ${what}`)
  }
  const lines = [...groups.values()].flatMap(({ why, lines: all }) => {
    const names = [...new Set(all)]
    if (names.length > mostNamed)
      return [`${names[0] ?? ''} and ${all.length - 1} more, which the ledger names: ${why}`]
    return names.map((name) => {
      const count = all.filter((one) => one === name).length
      return `${name}: ${why}${count === 1 ? '' : ` (${count} times)`}`
    })
  })
  return [
    { title: 'May be left behind', lines },
    { title: 'Stays, since no operation takes it back', lines: stays },
  ]
}

const mostNamed = 5

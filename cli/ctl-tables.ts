import { plainLines } from '../lib/text.ts'
import { isObject } from '../lib/json.ts'

type Fields = Readonly<Record<string, unknown>>

/** The answer of the control plane for people: its message and its fields, and lists as tables. */
export function inTables(
  message: string,
  data: unknown,
  width = 120,
  forMore = '--json has all',
  longestCell = 40,
): string {
  if (isListOfObjects(data)) return data.length === 0 ? `${message}: none` : tableOf(data, width, forMore, longestCell)
  const fields = fieldsIn(data)
  const facts = fields.filter(([, value]) => !isListOfObjects(value))
  const longest = Math.max(0, ...facts.map(([path]) => path.length))
  const lines = facts.map(([path, value]) => `${path.padEnd(longest)}  ${textOf(value, longestValue)}`)
  const tables = fields.flatMap(([path, value]) =>
    isListOfObjects(value) && value.length > 0 ? ['', `${path}:`, tableOf(value, width, forMore, longestCell)] : [],
  )
  return plainLines([message, ...lines, ...tables].join('\n'))
}

/** The values in an object, each with its path; a list is one value. */
function fieldsIn(value: unknown, path = ''): (readonly [path: string, value: unknown])[] {
  if (!isObject(value)) return value === undefined ? [] : [[path, value]]
  return Object.entries(value).flatMap(([name, one]) => fieldsIn(one, path === '' ? name : `${path}.${name}`))
}

/** The columns that fit, and how many do not. */
function tableOf(rows: readonly Fields[], width: number, forMore: string, longestCell: number): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const columns = names.map((name) => [name, ...rows.map((row) => textOf(row[name], longestCell))])
  const widths = columns.map((cells) => Math.max(...cells.map(({ length }) => length)))
  let fitting = 0
  for (let used = 0; fitting < columns.length && (used += (widths[fitting] ?? 0) + 2) <= width + 2;) fitting++
  const shown = columns.slice(0, Math.max(1, fitting))
  const lines = ['', ...rows].map((_, row) =>
    shown
      .map((cells, column) => (cells[row] ?? '').padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const left = names.slice(shown.length)
  return plainLines([...lines, ...(left.length > 0 ? [`… and ${left.join(', ')}; ${forMore}`] : [])].join('\n'))
}

const longestValue = 1_000

/** On one line. */
function textOf(value: unknown, longest: number): string {
  if (value === undefined) return ''
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ')
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}

const isListOfObjects = (value: unknown): value is readonly Fields[] => Array.isArray(value) && value.every(isObject)

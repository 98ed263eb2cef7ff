import { quoteForShell } from '../../lib/text.ts'
import { toCurl, type Exchange } from '../client/exchange.ts'
import { fieldsOf, idOf } from '../client/answer.ts'
import { parseJson } from '../../lib/parse-json.ts'

/** A request of the story of a finding, that a shell can repeat: `$1` stands for the id in the first response. */
export interface StoryStep {
  readonly line: string
  readonly status: number | undefined
  /** The numbers of the requests that were in flight at the same time. */
  readonly beside?: readonly number[]
}

/** The longest story: an earlier request is left out first. */
const mostSteps = 12

/**
 * The shortest story that is known to lead to an exchange: the earlier ones that made, changed or showed what it names, and what those
 * name in turn.
 */
export function stepsTo(last: Exchange, earlier: readonly Exchange[]): readonly StoryStep[] {
  const named = new Set(namesIn(last))
  const chosen = [last]
  for (const exchange of earlier.toReversed()) {
    if (chosen.length >= mostSteps) break
    const isWrite = exchange.request.method !== 'GET' && (exchange.incoming?.status ?? 0) < 400
    if (exchange === last || !isWrite || ![...namesIn(exchange)].some((name) => named.has(name))) continue
    chosen.unshift(exchange)
    for (const name of requestNames(exchange)) named.add(name)
  }
  return withVariables(chosen)
}

/** The ids and addresses in a text. */
const namePattern = /[0-9a-f]{24}|[0-9a-f]{8}-[0-9a-f-]{27}|[\w.+-]+@[\w.-]+|\+\d{7,15}/gi

const requestNames = ({ request: { url, body } }: Exchange) =>
  `${decodeURIComponent(url)} ${body?.toString() ?? ''}`.match(namePattern) ?? []

function namesIn(exchange: Exchange): readonly string[] {
  const data = fieldsOf(parseJson(exchange.incoming?.text ?? '')).data
  const own = [data]
    .flat()
    .map(idOf)
    .filter((id) => id !== undefined)
  return [...requestNames(exchange), ...(exchange.request.method === 'GET' ? [] : own)]
}

/** Lines in which the id of an earlier response is a variable. */
function withVariables(exchanges: readonly Exchange[]): readonly StoryStep[] {
  const ids = new Map<string, number>()
  return exchanges.map((exchange, index) => {
    const id = idOf(fieldsOf(parseJson(exchange.incoming?.text ?? '')).data)
    let line = toCurl(exchange)
    for (const [known, number] of ids) line = line.replaceAll(known, `'"$id${number}"'`)
    const isNew = id !== undefined && !ids.has(id) && exchange.request.method === 'POST'
    if (isNew) ids.set(id, index + 1)
    return { line: isNew ? `id${index + 1}=$(${line} | ${readId})` : line, status: exchange.incoming?.status }
  })
}

/** Reads the first id of a response. */
const readId = `sed -E ${quoteForShell('s/.*"data":[^{]*\\{[^{}]*"_id": ?"([^"]+)".*/\\1/')}`

import { randomUUID } from 'node:crypto'
import type { Answer } from '../answer.ts'
import type { Mint } from '../mint.ts'
import { type Call, deleteById, idOf } from './delete-by-id.ts'
import type { Entry } from './read-ledger.ts'

export const cannotTell = 'no answer said what became of it, and nothing can find it'

/** The requests with this key whose answers are known. */
export type AnsweredWith = (key: string) => readonly Entry[]

/**
 * Companies, products, deals and quotes can be neither listed nor found. A repeated request answers with what the first
 * one made, but only where the server remembers keys: to see that, the request is sent twice with a key of its own and
 * another name, and what these make is deleted. Returns why the record may still exist.
 */
export async function removeByKey(
  entry: Entry,
  call: Call,
  { run }: Mint,
  answeredWith: AnsweredWith,
): Promise<string | undefined> {
  const { again, operation } = entry
  if (!again) return cannotTell
  const key = randomUUID()
  const trial = { key, body: rename(again.body, run, key.slice(0, 8)) }
  const first = await call(operation, trial)
  // A body that is refused under another name and key has made nothing under its own.
  if (!first.succeeded) return isRefused(first) ? undefined : first.summary
  const second = await call(operation, trial)
  const ids = new Set([idIn(first), idIn(second)].filter((id) => id !== undefined))
  for (const id of ids) {
    const { problem } = await deleteById(entry, id, call)
    if (problem !== undefined) return problem
  }
  const repeatsAnswers = idIn(second) === idIn(first)
  const remembersKeys = repeatsAnswers || (second.status >= 400 && second.status < 500)
  return remembersKeys && ids.size === 1
    ? removeRepeated({ ...entry, again }, call, answeredWith(again.key), repeatsAnswers)
    : `${cannotTell}: the server does not remember an Idempotency-Key`
}

/** The server remembers keys: it answers with the record, or makes it now if the request had not arrived. */
async function removeRepeated(
  entry: Entry & Required<Pick<Entry, 'again'>>,
  call: Call,
  earlier: readonly Entry[],
  repeatsAnswers: boolean,
): Promise<string | undefined> {
  const answer = await call(entry.operation, entry.again)
  const id = idIn(answer)
  if (id === undefined) {
    if (!answer.succeeded && !isRefused(answer)) return answer.summary
    // The key belongs to an earlier request, so that this one was refused then, too.
    return isRefused(answer) && repeatsAnswers && earlier.length > 0 ? undefined : cannotTell
  }
  // What an earlier request with this key has made is deleted as that.
  return earlier.some((one) => one.id === id) ? undefined : (await deleteById(entry, id, call)).problem
}

const isRefused = ({ status }: Answer) => [400, 404, 409, 422].includes(status)

const idIn = (answer: Answer | undefined) => (answer?.succeeded ? idOf(answer.fields.data) : undefined)

/** The same body, with names, addresses and codes that are not taken: the run stands in them in several spellings. */
const rename = (body: unknown, run: string, mark: string) =>
  JSON.parse(
    JSON.stringify(body ?? null).replaceAll(new RegExp(run.replace('-', '[-_]'), 'gi'), `$&${mark}`),
  ) as unknown

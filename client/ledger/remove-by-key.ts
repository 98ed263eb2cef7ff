import { randomUUID } from 'node:crypto'
import type { Answer } from '../answer.ts'
import type { Mint } from '../mint.ts'
import { type Call, deleteById, idOf } from './delete-by-id.ts'
import type { Entry } from './read-ledger.ts'

export const cannotTell = 'no answer said what became of it, and nothing can find it'

/** The ids that answers gave to requests with this key. */
export type IdsByKey = (key: string) => readonly string[]

/**
 * Companies, products, deals and quotes can be neither listed nor found. A repeated request answers with what the first
 * one made, but only where the server remembers keys: to see that, the request is sent twice with a key of its own and
 * another name, and what these make is deleted. Returns why the record may still exist.
 */
export async function removeByKey(
  entry: Entry,
  call: Call,
  { run }: Mint,
  made: IdsByKey,
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
  const remembersKeys = second.status >= 400 && second.status < 500 ? ids.size === 1 : idIn(second) === idIn(first)
  return remembersKeys && ids.size === 1
    ? removeRepeated(entry, call, again, made(again.key))
    : `${cannotTell}: the server does not remember an Idempotency-Key`
}

/** The server remembers keys: it answers with the record, or makes it now if the request had not arrived. */
async function removeRepeated(
  entry: Entry,
  call: Call,
  again: NonNullable<Entry['again']>,
  made: readonly string[],
): Promise<string | undefined> {
  const answer = await call(entry.operation, again)
  const id = idIn(answer)
  if (id === undefined) return answer.succeeded || isRefused(answer) ? cannotTell : answer.summary
  // What an earlier request with this key has made is deleted as that.
  return made.includes(id) ? undefined : (await deleteById(entry, id, call)).problem
}

const isRefused = ({ status }: Answer) => status === 400 || status === 404

const idIn = (answer: Answer | undefined) => (answer?.succeeded ? idOf(answer.fields.data) : undefined)

/** The same body, with names, addresses and codes that are not taken: the run stands in them in several spellings. */
const rename = (body: unknown, run: string, mark: string) =>
  JSON.parse(
    JSON.stringify(body ?? null).replaceAll(new RegExp(run.replace('-', '[-_]'), 'gi'), `$&${mark}`),
  ) as unknown

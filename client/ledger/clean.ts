import type { OperationId } from '../../spec/types.ts'
import { type Answer, fieldsOf } from '../answer.ts'
import type { Client } from '../client.ts'
import type { Mint } from '../mint.ts'
import { kindNames, kinds, pathTo, viewInput } from '../operations/index.ts'
import type { Input } from '../request.ts'
import type { Entry, Ledger } from './ledger.ts'

/** A record that may still exist, and why. */
export interface Residue {
  readonly kind: string
  /** Its id, or what it can be recognised by. */
  readonly what: string
  readonly why: string
}

interface Cleaning {
  readonly client: Client
  readonly mint: Mint
  readonly ledger: Pick<Ledger, 'record'>
}

/** Deletes the records that a ledger says were made, and nothing else. Returns those that may be left. */
export async function clean(entries: readonly Entry[], cleaning: Cleaning): Promise<readonly Residue[]> {
  const residue: Residue[] = []
  const open = entries.filter(({ state }) => state !== 'over')
  for (const entry of kindNames.flatMap((kind) => open.filter((one) => one.kind === kind))) {
    const why = await remove(entry, cleaning).catch((error: unknown) => (error as Error).message)
    if (why === undefined) cleaning.ledger.record({ gone: entry.intent })
    else residue.push({ kind: entry.kind, what: nameOf(entry), why })
  }
  return residue
}

const nameOf = ({ id, emails, phones, uniqueName, operation }: Entry) =>
  id ?? emails[0] ?? phones[0] ?? uniqueName ?? `of ${operation}`

/** Returns why a record may still exist; `undefined` when it is gone. */
async function remove(entry: Entry, { client, mint }: Cleaning): Promise<string | undefined> {
  const call: Call = (operation, input) => client.call(operation, { caller: entry.who, ...input })
  if (entry.id === undefined) return removeWithoutId(entry, call)
  if (!entry.marked && !(await showsMark(entry, entry.id, call, mint))) {
    return 'it does not show the mark of the run, so it was not touched'
  }
  const { problem, wasKnown } = await deleteById(entry, entry.id, call)
  // The server may not know an id because the record was deleted before, or because it gave a wrong one.
  return problem ?? (wasKnown ? undefined : removeByEmail(entry, call))
}

/** No answer gave its id, and perhaps it was never made. */
async function removeWithoutId(entry: Entry, call: Call): Promise<string | undefined> {
  if (entry.kind === 'contact') return (await removeByEmail(entry, call)) ?? (await removeByPhone(entry, call))
  const ids = entry.kind === 'template' ? await findInList(entry, call) : await findByRepeating(entry, call)
  for (const id of ids ?? []) {
    const { problem } = await deleteById(entry, id, call)
    if (problem !== undefined) return problem
  }
  return ids ? undefined : 'no answer said what became of it'
}

type Call = (operation: OperationId, input: Input) => ReturnType<Client['call']>

async function deleteById(
  { kind }: Pick<Entry, 'kind'>,
  id: string,
  call: Call,
): Promise<{ problem?: string; wasKnown: boolean }> {
  const answer = await call(kinds[kind].deletedBy, pathTo(kind, id))
  const isGone = answer.succeeded || answer.status === 404
  return isGone ? { wasKnown: answer.succeeded } : { problem: answer.summary, wasKnown: true }
}

/** Only contacts of this run have the e-mail addresses that it minted. */
async function removeByEmail({ emails }: Entry, call: Call): Promise<string | undefined> {
  for (const email of emails) {
    const answer = await call('deleteContactsByEmail', { query: { email } })
    if (!answer.succeeded && answer.status !== 404) return answer.summary
  }
  return undefined
}

/** Resolving a number finds its contact, or makes one, which is then deleted like the other. */
async function removeByPhone(entry: Entry, call: Call): Promise<string | undefined> {
  for (const phone of entry.phones) {
    const answer = await call('findOrCreateConversation', { body: { phone } })
    const id = idOf(fieldsOf(answer.fields.data).contactId)
    const problem = id === undefined ? answer.summary : (await deleteById(entry, id, call)).problem
    if (problem !== undefined) return problem
  }
  return undefined
}

/** A retry with the same key is documented to be safe: it is answered with what the first request made. */
async function findByRepeating({ operation, kind, again }: Entry, call: Call): Promise<string[] | undefined> {
  const answer = again && (await call(operation, again))
  if (!answer || answer.succeeded) return idsIn(answer)
  if (answer.status !== 400 && answer.status !== 404) return undefined
  // Either the body is refused, and has made nothing, or the key, because it was used before. A new key shows which.
  const withNewKey = await call(operation, { ...again, key: `${again.key}-anew` })
  if (withNewKey.summary === answer.summary) return []
  for (const id of idsIn(withNewKey) ?? []) await deleteById({ kind }, id, call)
  return undefined
}

function idsIn(answer: Answer | undefined): string[] | undefined {
  const id = answer?.succeeded ? idOf(answer.fields.data) : undefined
  return id === undefined ? undefined : [id]
}

async function findInList({ uniqueName }: Entry, call: Call): Promise<string[]> {
  const query = { types: ['sms', 'email', 'whatsapp'], statuses: ['pending', 'approved', 'rejected'], limit: 100 }
  for (let page = 1; page <= 1000; page++) {
    const { fields, succeeded, summary } = await call('listTemplates', { query: { ...query, page } })
    if (!succeeded) throw new Error(summary)
    const found = [fields.data].flat().filter((one) => fieldsOf(one).uniqueName === uniqueName)
    if (found.length > 0) return found.map(idOf).filter((id) => id !== undefined)
    if (fieldsOf(fields.pagination).hasMore !== true) return []
  }
  return []
}

async function showsMark({ kind, phones }: Entry, id: string, call: Call, mint: Mint): Promise<boolean> {
  const answer = await call(kinds[kind].seenBy, viewInput(kind, id))
  const shown = JSON.stringify(answer.body)
  return answer.status === 404 || mint.marks(shown) || phones.some((phone) => shown.includes(phone))
}

function idOf(record: unknown): string | undefined {
  const { _id } = fieldsOf(record)
  return typeof _id === 'string' ? _id : undefined
}

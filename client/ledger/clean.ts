import type { OperationId } from '../../spec/types.ts'
import type { Answer } from '../answer.ts'
import type { Client } from '../client.ts'
import type { Asked } from '../request.ts'
import { cleaningOrder, kinds } from '../operations/kinds.ts'
import type { Entry, Ledger } from './ledger.ts'
import type { Mint } from '../mint.ts'

/** Something that may still be there, and why. */
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

/** Deletes what a ledger says was made, and nothing else; answers with what may be left. */
export async function clean(entries: readonly Entry[], cleaning: Cleaning): Promise<readonly Residue[]> {
  const residue: Residue[] = []
  const open = entries.filter(({ state }) => state !== 'over')
  for (const entry of cleaningOrder.flatMap((kind) => open.filter((one) => one.kind === kind))) {
    const why = await removed(entry, cleaning).catch(reasonOf)
    if (why === undefined) cleaning.ledger.record({ gone: entry.intent })
    else residue.push({ kind: entry.kind, what: nameOf(entry), why })
  }
  return residue
}

const reasonOf = (error: unknown) => (error as Error).message

const nameOf = ({ id, emails, phones, uniqueName, operation }: Entry) =>
  id ?? emails[0] ?? phones[0] ?? uniqueName ?? `of ${operation}`

/** Why a record may still be there; `undefined` when it is gone. */
async function removed(entry: Entry, { client, mint }: Cleaning): Promise<string | undefined> {
  const ask: Ask = (operation, asked) => client.call(operation, { who: entry.who, ...asked })
  if (entry.id === undefined) return removedUnseen(entry, ask)
  if (!entry.marked && !(await showsTheMark(entry, entry.id, ask, mint))) {
    return 'it does not show the mark of the run, so it was not touched'
  }
  const { left, known } = await deleted(entry, entry.id, ask)
  // An id that nobody knows may be that of a record that was deleted before, or a wrong one.
  return left ?? (known ? undefined : removedByAddress(entry, ask))
}

/** No answer gave its id; perhaps it was never made. */
async function removedUnseen(entry: Entry, ask: Ask): Promise<string | undefined> {
  if (entry.kind === 'contact') return (await removedByAddress(entry, ask)) ?? (await removedByPhone(entry, ask))
  const ids = entry.kind === 'template' ? await onTheList(entry, ask) : await madeAgain(entry, ask)
  for (const id of ids ?? []) {
    const { left } = await deleted(entry, id, ask)
    if (left !== undefined) return left
  }
  return ids ? undefined : 'no answer said what became of it'
}

async function deleted(
  { kind }: Pick<Entry, 'kind'>,
  id: string,
  ask: Ask,
): Promise<{ left?: string; known: boolean }> {
  const { delete: operation, parameter } = kinds[kind]
  const answer = await ask(operation, { path: { [parameter]: id } })
  const gone = answer.succeeded || answer.status === 404
  return gone ? { known: answer.succeeded } : { left: answer.said, known: true }
}

type Ask = (operation: OperationId, asked: Asked) => ReturnType<Client['call']>

/** An e-mail address that this run minted is in no contact but its own. */
async function removedByAddress({ emails }: Entry, ask: Ask): Promise<string | undefined> {
  for (const email of emails) {
    const answer = await ask('deleteContactsByEmail', { query: { email } })
    if (!answer.succeeded && answer.status !== 404) return answer.said
  }
  return undefined
}

/** To resolve a number finds its contact, or makes one that goes the same way. */
async function removedByPhone(entry: Entry, ask: Ask): Promise<string | undefined> {
  for (const phone of entry.phones) {
    const answer = await ask('findOrCreateConversation', { body: { phone } })
    const id = idOf(field(field(answer.body, 'data'), 'contactId'))
    const left = id === undefined ? answer.said : (await deleted(entry, id, ask)).left
    if (left !== undefined) return left
  }
  return undefined
}

/** That a retry with the same key is safe is documented: it answers with what the first request made. */
async function madeAgain({ operation, kind, again }: Entry, ask: Ask): Promise<string[] | undefined> {
  const answer = again && (await ask(operation, again))
  if (!answer || answer.succeeded) return idsIn(answer)
  if (answer.status !== 400 && answer.status !== 404) return undefined
  // It is about the body, which then has made nothing, or about a key that comes a second time.
  const anew = await ask(operation, { ...again, key: `${again.key}-anew` })
  if (anew.said === answer.said) return []
  for (const id of idsIn(anew) ?? []) await deleted({ kind }, id, ask)
  return undefined
}

function idsIn(answer: Answer | undefined): string[] | undefined {
  const id = answer?.succeeded ? idOf(field(answer.body, 'data')) : undefined
  return id === undefined ? undefined : [id]
}

async function onTheList({ uniqueName }: Entry, ask: Ask): Promise<string[]> {
  const query = { types: ['sms', 'email', 'whatsapp'], statuses: ['pending', 'approved', 'rejected'], limit: 100 }
  for (let page = 1; page <= 1000; page++) {
    const { body, succeeded, said } = await ask('listTemplates', { query: { ...query, page } })
    if (!succeeded) throw new Error(said)
    const ours = [field(body, 'data')].flat().filter((one) => field(one, 'uniqueName') === uniqueName)
    if (ours.length > 0) return ours.map(idOf).filter((id) => id !== undefined)
    if (field(field(body, 'pagination'), 'hasMore') !== true) return []
  }
  return []
}

async function showsTheMark({ kind }: Entry, id: string, ask: Ask, mint: Mint): Promise<boolean> {
  const { see, parameter } = kinds[kind]
  const answer = await ask(see, { path: { [parameter]: id }, ...(see === 'getTemplate' ? {} : { body: {} }) })
  return answer.status === 404 || mint.marks(JSON.stringify(answer.body))
}

function idOf(record: unknown): string | undefined {
  const id = field(record, '_id')
  return typeof id === 'string' ? id : undefined
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

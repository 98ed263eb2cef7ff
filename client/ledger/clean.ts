import { fieldsOf } from '../answer.ts'
import type { Client } from '../client.ts'
import type { Mint } from '../mint.ts'
import { kindNames, viewInput } from '../operations/index.ts'
import { orOnceMore } from '../once-more.ts'
import { sleep } from '../sleep.ts'
import { templatePages } from '../template-pages.ts'
import { readWhose, tellWhose, timesIn, wasBefore, type Whose } from '../whose-record.ts'
import { type Call, deleteById, idOf } from './delete-by-id.ts'
import { type AnsweredWith, cannotTell, removeByKey } from './remove-by-key.ts'
import type { Ledger } from './ledger.ts'
import type { Entry } from './read-ledger.ts'

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
  /** For how many milliseconds after a request its record may still appear. */
  readonly patience: number
  /** Whether every new record was given an id of its own: what another id leads to must not be deleted. */
  readonly trustsIds: boolean
}

interface WithKeys extends Cleaning {
  readonly answeredWith: AnsweredWith
  /** What was sent where the server found a record that was there before, which may have these addresses now. */
  readonly foreignEmails: ReadonlySet<string>
  /** When the run made its first record, by the clock of the server; unknown when no answer has shown it. */
  readonly began: number | undefined
  /** What the record of each intent is, which is looked at before anything is deleted. */
  readonly whose: ReadonlyMap<string, Whose>
}

/** What became of an entry: `problem` says why its record may still exist. */
interface Removal {
  readonly problem?: string | undefined
  /** Whether there was anything to remove. */
  readonly wasThere?: boolean
}

/** Deletes the records that a ledger says were made, and nothing else. Returns what may be left. */
export async function clean(
  entries: readonly Entry[],
  given: Cleaning,
): Promise<{ residue: readonly Residue[]; queued: number }> {
  const residue: Residue[] = []
  const answeredWith: AnsweredWith = (key) =>
    entries.filter(({ again, id, state }) => again?.key === key && (id !== undefined || state === 'over'))
  let queued = 0
  const open = entries.filter(({ state }) => state !== 'over')
  const whose = await lookAt(open, given)
  const trustsIds = given.trustsIds && ![...whose.values()].includes('another')
  const foreignEmails = new Set(entries.flatMap(({ foreign: isForeign, emails }) => (isForeign ? emails : [])))
  const times = entries.flatMap(({ since = 0 }) => (since > 0 ? since : []))
  const began = times.length > 0 ? Math.min(...times) : undefined
  const cleaning = { ...given, trustsIds, whose, answeredWith, foreignEmails, began }
  // What is found by its address may have an id that another entry knows, which is then gone.
  const inOrder = [...open.filter(({ id }) => id !== undefined), ...open.filter(({ id }) => id === undefined)]
  for (const entry of kindNames.flatMap((kind) => inOrder.filter((one) => one.kind === kind))) {
    const { problem, wasThere } = await orOnceMore(() => removeOnceThere(entry, cleaning)).catch(
      (error: unknown): Removal => ({
        problem: (error as Error).message,
      }),
    )
    if (problem !== undefined) residue.push({ kind: entry.kind, what: nameOf(entry), why: problem })
    else cleaning.ledger.record({ gone: entry.intent })
    if (entry.operation === 'sendBulkMessages' && entry.late && !wasThere) queued++
  }
  return { residue, queued }
}

const mostAtOnce = 8

/** Whose the records with these ids are. */
async function lookAt(entries: readonly Entry[], { client, mint }: Cleaning): Promise<ReadonlyMap<string, Whose>> {
  const whose = new Map<string, Whose>()
  const waiting = [...entries]
  const lookOn = async () => {
    for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
      const { id, kind, name, own, foreign, intent, since, who: caller } = entry
      const isNamed = kind !== 'quote' || name !== undefined
      if (id === undefined || foreign) continue
      const look: Call = (operation, input) => client.call(operation, { caller, ...input })
      whose.set(
        intent,
        own ? 'own' : await tellWhose({ kind, isNamed, since }, id, look, mint).catch((): Whose => 'unknown'),
      )
    }
  }
  await Promise.all(Array.from({ length: mostAtOnce }, lookOn))
  return whose
}

const nameOf = ({ id, name, emails, phones, uniqueName, operation }: Entry) =>
  id ?? name ?? emails[0] ?? phones[0] ?? uniqueName ?? `of ${operation}`

const ofOthers = 'somebody else, who was there before, has its number, so nobody is deleted'

const foreign = 'the server gave it the id of another record, so neither is deleted'

/** What was not answered, or is carried out later, is looked for once more when it has had the time to appear. */
async function removeOnceThere(entry: Entry, cleaning: WithKeys): Promise<Removal> {
  const removal = await remove(entry, cleaning)
  const rest = (entry.at ?? 0) + cleaning.patience - Date.now()
  if (!entry.late || removal.wasThere || removal.problem !== undefined || rest <= 0) return removal
  await sleep(rest)
  return remove(entry, cleaning)
}

async function remove(entry: Entry, cleaning: WithKeys): Promise<Removal> {
  const { client, whose, trustsIds } = cleaning
  const call: Call = (operation, input) => client.call(operation, { caller: entry.who, ...input })
  if (entry.foreign) return { problem: foreign }
  if (entry.id === undefined) return removeWithoutId(entry, call, cleaning)
  const found = whose.get(entry.intent)
  if (found === 'another')
    return entry.kind === 'template' && entry.uniqueName !== undefined
      ? removeFromList(entry, call)
      : { problem: foreign }
  if (found === 'unknown' && !(entry.marked && trustsIds))
    return { problem: 'cannot tell whose it is, since it does not show the mark of the run, so it was not touched' }
  const { problem, wasKnown } = await deleteById(entry, entry.id, call)
  // The server may not know an id because the record was deleted before, or because it gave a wrong one.
  if (problem !== undefined || wasKnown) return { problem, wasThere: true }
  return entry.kind === 'template' ? removeFromList(entry, call) : removeByEmail(entry, call, cleaning)
}

/** No answer gave its id, and perhaps it was never made. */
async function removeWithoutId(entry: Entry, call: Call, cleaning: WithKeys): Promise<Removal> {
  const { mint, trustsIds, answeredWith } = cleaning
  if (entry.kind === 'template') return removeFromList(entry, call)
  if (entry.kind !== 'contact')
    return { problem: trustsIds ? await removeByKey(entry, call, mint, answeredWith) : cannotTell }
  if (await isOfOthers(entry, call, cleaning)) return { problem: ofOthers }
  const byEmail = await removeByEmail(entry, call, cleaning)
  if (byEmail.problem !== undefined) return byEmail
  const byPhone = await removeByPhone(entry, call)
  return { ...byPhone, wasThere: Boolean(byEmail.wasThere) || Boolean(byPhone.wasThere) }
}

/** Whether a number is one that somebody else had before: the request has found this contact, and may have changed it. */
async function isOfOthers({ phones, at = 0 }: Entry, call: Call, { mint, began }: WithKeys): Promise<boolean> {
  for (const phone of phones) {
    const answer = await call('findOrCreateConversation', { body: { phone } })
    if (readWhose({ kind: 'conversation', isNamed: true }, answer, mint) === 'another') return true
    const conversation = fieldsOf(answer.fields.data)
    const id = idOf(conversation.contactId)
    if (id === undefined) continue
    const contact = fieldsOf((await call('updateContact', viewInput('contact', id))).fields.data)
    const now = Math.max(0, ...timesIn(conversation), ...timesIn(contact))
    if (wasBefore(contact, began ?? now - (Date.now() - at))) return true
  }
  return false
}

/** Only contacts of this run have the e-mail addresses that it minted. */
async function removeByEmail(
  { emails }: Entry,
  call: Call,
  { mint, foreignEmails }: Pick<WithKeys, 'mint' | 'foreignEmails'>,
): Promise<Removal> {
  let wasThere = false
  for (const email of emails.filter((one) => mint.marks(one))) {
    if (foreignEmails.has(email)) return { problem: foreign }
    const answer = await call('deleteContactsByEmail', { query: { email } })
    if (!answer.succeeded && answer.status !== 404) return { problem: answer.summary }
    wasThere ||= answer.succeeded && !/(^|\D)0(\D|$)/.test(answer.message)
  }
  return { wasThere }
}

/** A number bears no mark, but the ledger is sealed. Resolving a number finds its contact, or makes one, which is then deleted like the other. */
async function removeByPhone({ phones, late }: Entry, call: Call): Promise<Removal> {
  let wasThere = false
  for (const phone of phones) {
    const answer = await call('findOrCreateConversation', { body: { phone } })
    const id = idOf(fieldsOf(answer.fields.data).contactId)
    wasThere ||= late && (await hasTexts(idOf(answer.fields.data), call))
    const problem = id === undefined ? answer.summary : (await deleteById({ kind: 'contact' }, id, call)).problem
    if (problem !== undefined) return { problem }
  }
  return { wasThere }
}

/** A conversation with a text that was sent was there before it was asked for. */
async function hasTexts(conversationId: string | undefined, call: Call): Promise<boolean> {
  if (conversationId === undefined) return false
  const { fields } = await call('listMessages', { path: { conversationId }, query: { page: 1, limit: 10 } })
  const messages = [fields.data].flat().flatMap((day) => [fieldsOf(day).messages].flat().map(fieldsOf))
  return messages.some(({ channel, direction }) => direction === 'outgoing' && /^(sms|whatsapp)$/.test(String(channel)))
}

async function removeFromList(entry: Entry, call: Call): Promise<Removal> {
  if (entry.uniqueName === undefined) return { problem: entry.id === undefined ? cannotTell : undefined }
  const ids = await findInList(entry, call)
  for (const id of ids) {
    const { problem } = await deleteById(entry, id, call)
    if (problem !== undefined) return { problem }
  }
  return { wasThere: ids.length > 0 }
}

async function findInList({ uniqueName }: Entry, call: Call): Promise<string[]> {
  const filters = { types: ['sms', 'email', 'whatsapp'], statuses: ['pending', 'approved', 'rejected'] }
  for await (const page of templatePages((query) => call('listTemplates', { query }), filters)) {
    const found = page.filter((one) => fieldsOf(one).uniqueName === uniqueName)
    if (found.length > 0) return found.map(idOf).filter((id) => id !== undefined)
  }
  return []
}

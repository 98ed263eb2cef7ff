import { pluralize } from '../../lib/text.ts'
import { effects } from '../../spec/types.ts'
import { type Answer, fieldsOf, idOf } from './answer.ts'
import { Client } from './client.ts'
import { NotAllowed, StepFailed } from './errors.ts'
import { addressesIn, type CreatedKind, idsInBody, kindNames, kinds, type OwnedKind, pathTo, readOf } from './kinds.ts'
import { type Entry, type Ledger, type Stays, unresolvedIn } from './ledger.ts'
import { createMint, type Mint } from './mint.ts'
import { sleep } from './sleep.ts'
import type { Caller } from './target/credentials.ts'
import type { Target } from './target/target.ts'
import { templatePages } from './tools.ts'
import { undiciTransport } from './transport.ts'

/** A record that may still exist, and why. */
export interface Residue {
  readonly kind: string
  /** Its id, name or address. */
  readonly what: string
  readonly why: string
}

/** The records that a run left on a server. */
export interface Cleaned {
  /** Records that may remain although the run should have deleted them. */
  readonly residue: readonly Residue[]
  /** Effects that no operation can undo. */
  readonly stays: readonly Stays[]
  /** Why the cleaning ended early. */
  readonly unfinished?: string
}

/** The outcome for one entry: `why` says why its record may still exist. */
interface Removal {
  readonly why?: string | undefined
  readonly isFound?: boolean
}

type Emptied = Promise<{ readonly at: number; readonly removal: Removal }>

interface Cleaning {
  readonly call: Client['call']
  readonly mint: Mint
  /** The records of a seeding have no mark. */
  readonly isSeed: boolean
  /** The deletes of ids that succeeded or go on: a server may have given one id to several requests. */
  readonly deleted: Map<string, Promise<Removal>>
  /** The latest removal of the contact of a team with an address: several requests may have named it. */
  readonly emptied: Map<string, Emptied>
  readonly patience: number
}

export interface CleanOptions {
  /** Until so many milliseconds after a request without an answer, its record may still appear. */
  readonly patience?: number
  /** The number of requests at once; by default as many as the target takes. */
  readonly atOnce?: number
  readonly signal?: AbortSignal | undefined
  /** Called with the kind of each record. */
  readonly onDone?: (kind: CreatedKind) => void
}

/** Deletes the records of a ledger, and the ledger once none is left. Closes the ledger. */
export async function deleteCreated(
  ledger: Ledger,
  target: Target,
  {
    patience = target.loopback ? 2000 : target.timeout,
    atOnce = target.concurrency,
    signal,
    onDone,
  }: CleanOptions = {},
): Promise<Cleaned> {
  const isSeed = ledger.heading.ledger === 'seed'
  const generated = createMint(ledger.heading, target.emailDomain)
  // The ledger of a seeding shows which records are its own: those that the server answered as new.
  const mint = isSeed ? { ...generated, marks: () => true } : generated
  const transport = undiciTransport(target.origin, target.tls)
  const upTo = effects.at(-1) ?? target.upTo
  const parallel = isSeed ? { isParallel: true, mostFailures: Infinity } : {}
  const client = new Client({ target: { ...target, upTo }, mint, send: transport.send, ledger, signal, ...parallel })
  const deleted: Cleaning['deleted'] = new Map()
  const emptied: Cleaning['emptied'] = new Map()
  const residue: Residue[] = []
  const [removed, gone]: [Entry[], Entry[]] = [[], []]
  const stays = [...ledger.entries.values()].flatMap((entry) => entry.stays ?? [])
  const clean = async (entry: Entry, kind: CreatedKind) => {
    const call: Client['call'] = (operation, input) => client.call(operation, { caller: entry.who, ...input })
    const { why, isFound } = await removeOnceThere(entry, { call, mint, isSeed, deleted, emptied, patience })
    if (why !== undefined) residue.push({ kind, what: describe(entry, isSeed), why })
    else {
      record(ledger, entry, 'deleted')
      ;(isFound ? removed : gone).push(entry)
    }
    if (entry.isQueued && !isFound) stays.push('queued')
    if (!client.stopped) onDone?.(kind)
  }
  try {
    const left = unresolvedIn(ledger)
    for (const entry of left) client.claim(isSeed ? { ...entry, isOwned: true } : entry)
    const inOrder = left.toSorted((one, other) => rankOf(one) - rankOf(other))
    for (const kind of kindNames) {
      const ofKind = inOrder.filter((entry) => entry.kind === kind)
      await inParallel(ofKind, atOnce, (entry) => clean(entry, kind))
    }
    const kept = await lookAgain(removed, gone, client, patience)
    for (const entry of kept.records) {
      record(ledger, entry, 'created')
      const what = describe(entry, isSeed)
      const how = gone.includes(entry) ? 'found nothing' : 'succeeded'
      residue.push({ kind: entry.kind ?? '', what, why: `its delete ${how}, and it is still there` })
    }
    stays.push(...kept.conversations.map(() => 'conversation' as const))
    if (residue.length === 0) ledger.remove()
    return { residue, stays, ...(client.stopped ? { unfinished: client.stopped.reason } : {}) }
  } finally {
    ledger.close()
    await transport.close()
  }
}

/**
 * Records with an id come first: an unanswered request may have created the same records. Contacts without an e-mail address
 * come after the others, which show the name that a server gives to every new contact.
 */
const rankOf = ({ id, body }: Entry) =>
  id === undefined ? 2 : addressesIn(body).some((address) => address.includes('@')) ? 0 : 1

/** Records are deleted even if the disk is full. A later run then finds nothing more to delete. */
function record(ledger: Ledger, { intent }: Entry, state: 'created' | 'deleted'): void {
  try {
    ledger.record(intent, { state })
  } catch {
    // The ledger still lists the record.
  }
}

/** How many deleted records to read once more. If one of them is still there, all are read. */
const mostAsked = 4

/** Finds records that are still there after their delete, which succeeded or found nothing, and conversations of deleted contacts. */
async function lookAgain(removed: readonly Entry[], gone: readonly Entry[], client: Client, patience: number) {
  const records: Entry[] = []
  for (const kind of kindNames) {
    for (const some of [removed, gone]) {
      const ofKind = uniqueBy('id', some).filter((entry) => entry.kind === kind)
      records.push(...(await findKept(ofKind, (entry) => isRecordThere(entry, client), patience)))
    }
  }
  const isOpen = ({ conversationId = '', who }: Entry) => isThere('conversation', conversationId, who, client)
  const ofRemoved = await findKept(uniqueBy('conversationId', removed), isOpen, patience)
  // A delete by e-mail, and one that another request of the run sent, may take less with it.
  const ofOthers = await findKept(uniqueBy('conversationId', gone), isOpen, patience, Infinity)
  return { records, conversations: uniqueBy('conversationId', [...ofRemoved, ...ofOthers]) }
}

/** Finds the records that a read still shows although their delete succeeded. */
async function findKept(
  entries: readonly Entry[],
  isThere: (entry: Entry) => Promise<boolean>,
  patience: number,
  most = mostAsked,
): Promise<readonly Entry[]> {
  const ask = async (some: readonly Entry[]) => {
    const found: Entry[] = []
    for (const entry of some) if (await isThere(entry)) found.push(entry)
    return found
  }
  const step = Math.ceil(entries.length / most)
  const first = await ask(entries.filter((_, index) => index % step === 0))
  if (first.length === 0) return []
  // A read may lag behind the delete.
  await sleep(Math.min(patience, 2000))
  return (await ask(first)).length === 0 ? [] : ask(entries)
}

function isRecordThere(entry: Entry, client: Client): Promise<boolean> {
  const { kind = 'contact', id = '', who } = entry
  client.claim({ ...entry, isOwned: true })
  return isThere(kind, id, who, client)
}

/** Reads the record; an empty update reads a kind that has no other read. */
async function isThere(kind: OwnedKind, id: string, caller: Caller, client: Client): Promise<boolean> {
  try {
    const [operation, input] = readOf(kind, id)
    const { succeeded, fields } = await client.call(operation, { caller, ...input })
    return succeeded && (fields.data === undefined || idOf(fields.data) === id)
  } catch (error) {
    if (error instanceof NotAllowed || error instanceof StepFailed) return false
    throw error
  }
}

function uniqueBy(field: 'id' | 'conversationId', entries: readonly Entry[]): readonly Entry[] {
  return [...new Map(entries.flatMap((entry) => (entry[field] === undefined ? [] : [[entry[field], entry]]))).values()]
}

/** Searches again for the record of an unanswered or queued request once the server has had the time to create it. */
async function removeOnceThere(entry: Entry, cleaning: Cleaning): Promise<Removal> {
  const removal = await tryRemove(entry, cleaning)
  const rest = entry.at + cleaning.patience - Date.now()
  const isLate = entry.state === 'open' || entry.isQueued === true
  if (!isLate || removal.isFound || removal.why !== undefined || rest <= 0) return removal
  await sleep(rest)
  return tryRemove(entry, cleaning)
}

/** Tries again after a failure: an overloaded server may cause one. */
async function tryRemove(entry: Entry, cleaning: Cleaning): Promise<Removal> {
  let why = ''
  for (let attempt = 0; attempt < (cleaning.isSeed ? 6 : 2); attempt++) {
    if (attempt > 0) await sleep(50 * 2 ** attempt)
    try {
      return await remove(entry, cleaning)
    } catch (error) {
      if (error instanceof NotAllowed) return { why: error.message }
      if (!(error instanceof StepFailed)) throw error
      why = error.message
    }
  }
  return { why }
}

async function remove(entry: Entry, cleaning: Cleaning): Promise<Removal> {
  const { id, kind, key, state, why = 'the server gave it the id of a record that is not of the run' } = entry
  if (state === 'foreign') return { why }
  if (kind !== undefined && id !== undefined) {
    const removal = await deleteById(kind, id, cleaning)
    // Beside the contacts that it names, a send with an address makes one.
    const isOfOthers = idsInBody(entry.body).length > 0 && addressesIn(entry.body).length > 0
    return removal.why === undefined && isOfOthers ? removeContact(entry, cleaning) : removal
  }
  if (kind !== undefined && key !== undefined) return removeByKey(entry, kind, key, cleaning)
  return kind === 'template' ? removeTemplate(entry, cleaning) : removeContact(entry, cleaning)
}

async function deleteById(kind: CreatedKind, id: string, { call, deleted }: Cleaning): Promise<Removal> {
  const deleteIt = async () => {
    const answer = await call(kinds[kind].deletedBy, pathTo(kind, id))
    if (!answer.succeeded && answer.status !== 404) return refusalOf(answer)
    return { isFound: answer.succeeded }
  }
  const removal = deleted.get(id) ?? deleteIt()
  deleted.set(id, removal)
  try {
    return await removal
  } catch (error) {
    deleted.delete(id)
    throw error
  }
}

/** Throws `StepFailed` for a 5xx. */
function refusalOf({ status, summary }: Answer): Removal {
  if (status >= 500) throw new StepFailed(summary)
  return { why: summary }
}

/** Finds a template by its unique name. */
async function removeTemplate({ body }: Entry, cleaning: Cleaning): Promise<Removal> {
  const { uniqueName } = fieldsOf(body)
  if (typeof uniqueName !== 'string' || !cleaning.mint.marks(uniqueName)) return { why: cannotTell }
  const filters = { types: ['sms', 'email', 'whatsapp'], statuses: ['pending', 'approved', 'rejected'] }
  for await (const page of templatePages((query) => cleaning.call('listTemplates', { query }), filters)) {
    const id = idOf(page.find((one) => fieldsOf(one).uniqueName === uniqueName))
    if (id !== undefined) return deleteById('template', id, cleaning)
  }
  return {}
}

/** Deletes a contact by the addresses that this run generated. No operation finds a contact without one. */
async function removeContact({ at, body, status, who }: Entry, cleaning: Cleaning): Promise<Removal> {
  const addresses = new Set(addressesIn(body).filter(cleaning.mint.marks))
  // A server that answered with 5xx most likely did not create it.
  if (addresses.size === 0) return status === undefined ? { why: cannotTell } : {}
  let isFound = false
  for (const address of addresses) {
    const name = `${who === 'otherTeam' ? who : 'team'} ${address}`
    const known = cleaning.emptied.get(name)
    const removed = removeAt(address, known, at + cleaning.patience, cleaning)
    cleaning.emptied.set(name, removed)
    const { removal } = await removed
    if (removal.why !== undefined) return removal
    isFound ||= removal.isFound === true
  }
  return { isFound }
}

/** Deletes the contact with an address, unless that was done after this time, when each message must have arrived. */
async function removeAt(address: string, earlier: Emptied | undefined, after: number, cleaning: Cleaning) {
  const known = await earlier?.catch(() => undefined)
  if (known && known.at >= after) return known
  const at = Date.now()
  return { at, removal: await (address.includes('@') ? deleteByEmail : deleteByPhone)(address, cleaning) }
}

async function deleteByEmail(email: string, { call }: Cleaning): Promise<Removal> {
  const answer = await call('deleteContactsByEmail', { query: { email } })
  if (!answer.succeeded && answer.status !== 404) return refusalOf(answer)
  return { isFound: answer.succeeded && !/(^|\D)0(\D|$)/.test(answer.message) }
}

/**
 * Finds the contact with a number, or creates one, and deletes it. The answer does not say which, so that a bulk send may
 * create the contact later.
 */
async function deleteByPhone(phone: string, cleaning: Cleaning): Promise<Removal> {
  const { data } = (await cleaning.call('findOrCreateConversation', { body: { phone } })).fields
  const contactId = idOf(fieldsOf(data).contactId)
  return contactId === undefined
    ? { why: cannotTell }
    : { ...(await deleteById('contact', contactId, cleaning)), isFound: false }
}

/**
 * The server answers a request with the same key with the record that the first one created. Two different answers show
 * that it ignores keys.
 */
async function removeByKey(
  { operation, body }: Entry,
  kind: CreatedKind,
  key: string,
  cleaning: Cleaning,
): Promise<Removal> {
  const repeat = () => cleaning.call(operation, { body, key })
  const answers = [await repeat(), await repeat()]
  const ids = new Set(answers.map(({ fields, succeeded }) => (succeeded ? idOf(fields.data) : undefined)))
  const older = cleaning.isSeed ? answers.find((answer) => answer.succeeded && !isCreated(answer)) : undefined
  if (older) return { why: olderRecord(String(idOf(older.fields.data))) }
  for (const id of ids) {
    const { why } = id === undefined ? {} : await deleteById(kind, id, cleaning)
    if (why !== undefined) return { why }
  }
  const [first] = answers
  // A body that is refused now was refused the first time.
  if (answers.every(({ status }) => status === 400 || status === 404)) return {}
  if (!first?.succeeded) return first ? refusalOf(first) : {}
  return ids.size === 1 ? { isFound: true } : { why: `${cannotTell}: the server does not remember an Idempotency-Key` }
}

/** Whether an answer has the documented status of a new record. */
export const isCreated = ({ operation, status }: Answer) => status === 201 || operation === 'createDeal'

export const olderRecord = (id: string) =>
  `the server answered with ${id}, a record that was there before, so it is not touched`

const cannotTell = 'no response said what became of it, and nothing can find it'

function describe({ intent, id, body, operation }: Entry, isSeed: boolean): string {
  const { name, uniqueName, firstName, email, phone, to } = fieldsOf(body)
  const named = [id, name, uniqueName, firstName, email, phone, to].find((one) => typeof one === 'string')
  return isSeed ? `${intent} ${named ?? ''}` : (named ?? `of ${operation}`)
}

/** Does something for each item, so many at once. Starts no more after a failure. */
export async function inParallel<Item>(items: readonly Item[], atOnce: number, act: (item: Item) => Promise<void>) {
  const rest = items.values()
  let failed = false
  const work = async () => {
    for (const item of rest) {
      if (failed) return
      await act(item).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, work))
  const rejected = ended.find((one) => one.status === 'rejected')
  if (rejected) throw rejected.reason
}

const words: Readonly<Record<Stays, readonly [noun: string, rest: string]>> = {
  scheduled: ['scheduled bulk send', ''],
  conversation: ['conversation', ' that the server keeps without the contact'],
  queued: ['queued bulk send', ', which may make contacts later'],
  toPeople: ['message', ' to people named with --email-to and --phone-to, with their contacts and conversations'],
}

/** The effects that no operation can undo, such as `2 scheduled bulk sends`. */
export const describeStays = (stays: readonly Stays[]) =>
  Object.entries(words).flatMap(([kind, [noun, rest]]) => {
    const count = stays.filter((stay) => stay === kind).length
    return count === 0 ? [] : [`${pluralize(count, noun)}${rest}`]
  })

/** The last line of a run that left nothing behind by mistake. */
export const allDeleted = (stays: readonly unknown[]) =>
  stays.length === 0 ? 'Everything that the run made is deleted.' : 'Everything that can be deleted is deleted.'

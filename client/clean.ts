import { effects } from '../spec/types.ts'
import { type Answer, fieldsOf, idOf } from './answer.ts'
import { Client } from './client.ts'
import { NotAllowed, orOnceMore, StepFailed } from './errors.ts'
import { addressesIn, type Kind, kindNames, kinds, pathTo } from './kinds.ts'
import { type Entry, isUnresolved, type Ledger, type Stays } from './ledger.ts'
import { createMint, type Mint } from './mint.ts'
import { sleep } from './sleep.ts'
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
}

/** The outcome for one entry: `why` says why its record may still exist. */
interface Removal {
  readonly why?: string | undefined
  readonly isFound?: boolean
}

interface Cleaning {
  readonly call: Client['call']
  readonly mint: Mint
  /** Ids that are deleted: a server may have given one id to several requests. */
  readonly deleted: Set<string>
}

/**
 * Deletes the records of a ledger, and the ledger once none is left. Closes the ledger. Until `patience` milliseconds after
 * a request without an answer, its record may still appear.
 */
export async function deleteCreated(
  ledger: Ledger,
  target: Target,
  patience = target.loopback ? 2000 : target.timeout,
): Promise<Cleaned> {
  const mint = createMint(ledger.heading, target.emailDomain)
  const transport = undiciTransport(target.origin, target.tls)
  const upTo = effects.at(-1) ?? target.upTo
  const client = new Client({ target: { ...target, upTo }, mint, send: transport.send, ledger })
  const deleted = new Set<string>()
  const residue: Residue[] = []
  const stays = [...ledger.stays]
  try {
    const left = [...ledger.entries.values()].filter(isUnresolved)
    for (const entry of left) client.claim(entry)
    // Records with an id come first: an unanswered request may have created the same records.
    const inOrder = left.toSorted((one, other) => Number(one.id === undefined) - Number(other.id === undefined))
    for (const entry of kindNames.flatMap((kind) => inOrder.filter((one) => one.kind === kind))) {
      const call: Client['call'] = (operation, input) => client.call(operation, { caller: entry.who, ...input })
      const { why, isFound } = await removeOnceThere(entry, { call, mint, deleted }, patience)
      if (why !== undefined) residue.push({ kind: String(entry.kind), what: describe(entry), why })
      else recordDeleted(ledger, entry)
      if (entry.isQueued && !isFound) stays.push('queued')
    }
    if (residue.length === 0) ledger.remove()
    return { residue, stays }
  } finally {
    ledger.close()
    await transport.close()
  }
}

/** Records are deleted even if the disk is full. A later run then finds nothing more to delete. */
function recordDeleted(ledger: Ledger, { intent }: Entry): void {
  try {
    ledger.record({ deleted: intent })
  } catch {
    // The ledger still lists the record.
  }
}

/** Searches again for the record of an unanswered or queued request once the server has had the time to create it. */
async function removeOnceThere(entry: Entry, cleaning: Cleaning, patience: number): Promise<Removal> {
  const tryRemove = async (): Promise<Removal> => {
    try {
      return await orOnceMore(() => remove(entry, cleaning))
    } catch (error) {
      if (error instanceof NotAllowed || error instanceof StepFailed) return { why: error.message }
      throw error
    }
  }
  const removal = await tryRemove()
  const rest = entry.at + patience - Date.now()
  const isLate = entry.state === 'open' || entry.isQueued === true
  if (!isLate || removal.isFound || removal.why !== undefined || rest <= 0) return removal
  await sleep(rest)
  return tryRemove()
}

async function remove(entry: Entry, cleaning: Cleaning): Promise<Removal> {
  const { id, kind, state } = entry
  if (state === 'foreign') return { why: 'the server gave it the id of a record that is not of the run' }
  if (kind !== undefined && id !== undefined) return deleteById(kind, id, cleaning)
  if (kind === 'template') return removeTemplate(entry, cleaning)
  return kind === 'contact' ? removeContact(entry, cleaning) : removeByKey(entry, cleaning)
}

async function deleteById(kind: Kind, id: string, { call, deleted }: Cleaning): Promise<Removal> {
  if (deleted.has(id)) return { isFound: true }
  const answer = await call(kinds[kind].deletedBy, pathTo(kind, id))
  if (!answer.succeeded && answer.status !== 404) return { why: answer.summary }
  deleted.add(id)
  return { isFound: answer.succeeded }
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

/** Deletes a contact by the addresses that this run generated. */
async function removeContact({ body, isQueued }: Entry, cleaning: Cleaning): Promise<Removal> {
  let isFound = false
  for (const address of addressesIn(body).filter(cleaning.mint.marks)) {
    const removal = address.includes('@')
      ? await deleteByEmail(address, cleaning)
      : await deleteByPhone(address, cleaning, isQueued === true)
    if (removal.why !== undefined) return removal
    isFound ||= removal.isFound === true
  }
  return { isFound }
}

async function deleteByEmail(email: string, { call }: Cleaning): Promise<Removal> {
  const answer = await call('deleteContactsByEmail', { query: { email } })
  if (!answer.succeeded && answer.status !== 404) return { why: answer.summary }
  return { isFound: answer.succeeded && !/(^|\D)0(\D|$)/.test(answer.message) }
}

/** Finds the contact with a number, or creates one, and deletes it. A new contact has no messages. */
async function deleteByPhone(phone: string, cleaning: Cleaning, isQueued: boolean): Promise<Removal> {
  const { data } = (await cleaning.call('findOrCreateConversation', { body: { phone } })).fields
  const contactId = idOf(fieldsOf(data).contactId)
  const isFound = isQueued && (await hasMessages(idOf(data), cleaning))
  if (contactId === undefined) return { why: cannotTell }
  return { ...(await deleteById('contact', contactId, cleaning)), isFound }
}

async function hasMessages(conversationId: string | undefined, { call }: Cleaning): Promise<boolean> {
  if (conversationId === undefined) return false
  const { fields } = await call('listMessages', { path: { conversationId }, query: { page: 1, limit: 10 } })
  return [fields.data].flat().some((day) => [fieldsOf(day).messages].flat().some((message) => fieldsOf(message)._id))
}

/**
 * No operation finds a company, a product, a deal or a quote. The server answers a request with the same key with the
 * record that the first one created. Two different answers show that it ignores keys.
 */
async function removeByKey({ operation, kind, key, body }: Entry, cleaning: Cleaning): Promise<Removal> {
  if (kind === undefined || key === undefined || body === undefined) return { why: cannotTell }
  const answers: Answer[] = []
  for (let attempt = 0; attempt < 2; attempt++) answers.push(await cleaning.call(operation, { body, key }))
  const ids = new Set(answers.map(({ fields, succeeded }) => (succeeded ? idOf(fields.data) : undefined)))
  for (const id of ids) {
    const { why } = id === undefined ? {} : await deleteById(kind, id, cleaning)
    if (why !== undefined) return { why }
  }
  // A body that is refused now was refused the first time.
  if (answers.every(({ status }) => status === 400 || status === 404)) return {}
  const [first] = answers
  if (!first?.succeeded) return { why: first?.summary }
  return ids.size === 1 ? { isFound: true } : { why: `${cannotTell}: the server does not remember an Idempotency-Key` }
}

const cannotTell = 'no answer said what became of it, and nothing can find it'

function describe({ id, body, operation }: Entry): string {
  const { name, uniqueName, email, phone, to } = fieldsOf(body)
  return [id, name, uniqueName, email, phone, to].find((one) => typeof one === 'string') ?? `of ${operation}`
}

const words: Readonly<Record<Stays, readonly [one: string, many: string]>> = {
  scheduled: ['bulk send that is scheduled', 'bulk sends that are scheduled'],
  queued: [
    'bulk send that was queued, of which no contact was found: it may make one later',
    'bulk sends that were queued, of which no contacts were found: they may make some later',
  ],
  toPeople: [
    'message to people named with --email-to and --phone-to, with their contacts and conversations',
    'messages to people named with --email-to and --phone-to, with their contacts and conversations',
  ],
}

/** The effects that no operation can undo, such as `2 bulk sends that are scheduled`. */
export function describeStays(stays: readonly Stays[]): string[] {
  return Object.entries(words).flatMap(([kind, [one, many]]) => {
    const count = stays.filter((stay) => stay === kind).length
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
  })
}

/** The last line of a run that left nothing behind by mistake. */
export const allDeleted = (stays: readonly unknown[]) =>
  stays.length === 0 ? 'Everything that the run made is deleted.' : 'Everything that can be deleted is deleted.'

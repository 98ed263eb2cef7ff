import { type Answer, fieldsOf, idOf } from './answer.ts'
import { addressesIn, Client } from './client.ts'
import { NotAllowed, orOnceMore, StepFailed } from './errors.ts'
import { type Entry, isUnresolved, type Ledger, type Stays } from './ledger.ts'
import { createMint, type Mint } from './mint.ts'
import { kindNames, kinds, pathTo } from './kinds.ts'
import { sleep } from './sleep.ts'
import type { Target } from './target/target.ts'
import { templatePages } from './tools.ts'
import { undiciTransport } from './transport.ts'

/** A record that may still exist, and why. */
export interface Residue {
  readonly kind: string
  /** Its id, or what it can be recognised by. */
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

/** Deletes the records that a ledger says were made, and the ledger once none is left. Closes the ledger. */
export async function deleteCreated(
  ledger: Ledger,
  target: Target,
  patience = target.loopback ? 2000 : target.timeout,
): Promise<Cleaned> {
  const mint = createMint(ledger.heading, target.emailDomain)
  const transport = undiciTransport(target.origin, target.tls)
  const guard = { check: () => undefined, remember: () => undefined, giveBack: () => undefined }
  const client = new Client({ target, mint, send: transport.send, ledger, guard })
  try {
    const cleaned = await new Cleaner({ ledger, client, mint, patience }).clean()
    if (cleaned.residue.length === 0) ledger.remove()
    return cleaned
  } finally {
    ledger.close()
    await transport.close()
  }
}

interface Options {
  readonly ledger: Ledger
  readonly client: Client
  readonly mint: Mint
  /** For how many milliseconds after a request its record may still appear. */
  readonly patience: number
}

type Call = Client['call']

class Cleaner {
  readonly #ledger: Ledger
  readonly #client: Client
  readonly #mint: Mint
  readonly #patience: number
  /** Ids that are deleted: several requests may have been answered with one. */
  readonly #deleted = new Set<string>()

  constructor({ ledger, client, mint, patience }: Options) {
    this.#ledger = ledger
    this.#client = client
    this.#mint = mint
    this.#patience = patience
  }

  async clean(): Promise<Cleaned> {
    const residue: Residue[] = []
    let queued = 0
    const open = [...this.#ledger.entries.values()].filter(isUnresolved)
    for (const entry of open) this.#client.claim(entry)
    const inOrder = [...open.filter(({ id }) => id !== undefined), ...open.filter(({ id }) => id === undefined)]
    for (const entry of kindNames.flatMap((kind) => inOrder.filter((one) => one.kind === kind))) {
      const { why, isFound } = await this.#removeOnceThere(entry)
      if (why !== undefined) residue.push({ kind: String(entry.kind), what: describe(entry), why })
      else this.#resolve(entry)
      if (entry.isQueued && !isFound) queued++
    }
    return { residue, stays: [...this.#ledger.stays, ...Array<Stays>(queued).fill('queued')] }
  }

  /** A record is deleted even if the ledger can no longer be written. */
  #resolve({ intent }: Entry): void {
    try {
      this.#ledger.record({ deleted: intent })
    } catch {
      // The next cleaning finds nothing more to delete.
    }
  }

  /** What was not answered, or is carried out later, is looked for once more when it has had the time to appear. */
  async #removeOnceThere(entry: Entry): Promise<Removal> {
    const remove = async (): Promise<Removal> => {
      try {
        return await orOnceMore(() => this.#remove(entry))
      } catch (error) {
        if (error instanceof NotAllowed || error instanceof StepFailed) return { why: error.message }
        throw error
      }
    }
    const removal = await remove()
    const rest = entry.at + this.#patience - Date.now()
    const isLate = entry.state === 'open' || entry.isQueued === true
    if (!isLate || removal.isFound || removal.why !== undefined || rest <= 0) return removal
    await sleep(rest)
    return remove()
  }

  async #remove(entry: Entry): Promise<Removal> {
    const call: Call = (operation, input) => this.#client.call(operation, { caller: entry.who, ...input })
    if (entry.state === 'foreign') return { why: 'the server gave it the id of a record that is not of the run' }
    if (entry.id !== undefined) return this.#deleteById(entry, entry.id, call)
    if (entry.kind === 'template') return this.#removeTemplate(entry, call)
    return entry.kind === 'contact' ? this.#removeContact(entry, call) : this.#removeByKey(entry, call)
  }

  async #deleteById({ kind = 'contact' }: Pick<Entry, 'kind'>, id: string, call: Call): Promise<Removal> {
    if (this.#deleted.has(id)) return { isFound: true }
    const answer = await call(kinds[kind].deletedBy, pathTo(kind, id))
    if (!answer.succeeded && answer.status !== 404) return { why: answer.summary }
    this.#deleted.add(id)
    return { isFound: answer.succeeded }
  }

  async #removeTemplate(entry: Entry, call: Call): Promise<Removal> {
    const { uniqueName } = fieldsOf(entry.body)
    if (typeof uniqueName !== 'string' || !this.#mint.marks(uniqueName)) return { why: cannotTell }
    const filters = { types: ['sms', 'email', 'whatsapp'], statuses: ['pending', 'approved', 'rejected'] }
    for await (const page of templatePages((query) => call('listTemplates', { query }), filters)) {
      const id = idOf(page.find((one) => fieldsOf(one).uniqueName === uniqueName))
      if (id !== undefined) return this.#deleteById(entry, id, call)
    }
    return {}
  }

  /** Contacts with an e-mail address of the run are deleted by it; one with a number only is found by that first. */
  async #removeContact(entry: Entry, call: Call): Promise<Removal> {
    const addresses = addressesIn(fieldsOf(entry.body)).filter((address) => this.#mint.marks(address))
    let isFound = false
    for (const address of addresses) {
      const removal = address.includes('@')
        ? await deleteByEmail(address, call)
        : await this.#deleteByPhone(entry, address, call)
      if (removal.why !== undefined) return removal
      isFound ||= removal.isFound === true
    }
    return { isFound }
  }

  /** Resolving a number finds its contact, or makes one, which is then deleted like the other. */
  async #deleteByPhone(entry: Entry, phone: string, call: Call): Promise<Removal> {
    const { data } = (await call('findOrCreateConversation', { body: { phone } })).fields
    const contactId = idOf(fieldsOf(data).contactId)
    const isFound = entry.isQueued === true && (await hasMessages(idOf(data), call))
    if (contactId === undefined) return { why: cannotTell }
    const { why } = await this.#deleteById({ kind: 'contact' }, contactId, call)
    return { why, isFound }
  }

  /**
   * Companies, products, deals and quotes can be neither listed nor found. A request with the same key is answered with
   * what the first one made. If it is sent twice and the answers differ, the server ignores keys.
   */
  async #removeByKey({ operation, key, body, ...entry }: Entry, call: Call): Promise<Removal> {
    if (key === undefined || body === undefined) return { why: cannotTell }
    const answers: Answer[] = []
    for (let attempt = 0; attempt < 2; attempt++) answers.push(await call(operation, { body, key }))
    const ids = new Set(answers.map(({ fields, succeeded }) => (succeeded ? idOf(fields.data) : undefined)))
    for (const id of ids) {
      const { why } = id === undefined ? {} : await this.#deleteById(entry, id, call)
      if (why !== undefined) return { why }
    }
    const [first] = answers
    // A body that is refused now was refused then.
    if (answers.every(({ status }) => status === 400 || status === 404)) return {}
    if (!first?.succeeded) return { why: first?.summary }
    return ids.size === 1
      ? { isFound: true }
      : { why: `${cannotTell}: the server does not remember an Idempotency-Key` }
  }
}

/** What became of an entry: `why` says why its record may still exist. */
interface Removal {
  readonly why?: string | undefined
  readonly isFound?: boolean
}

const cannotTell = 'no answer said what became of it, and nothing can find it'

async function deleteByEmail(email: string, call: Call): Promise<Removal> {
  const answer = await call('deleteContactsByEmail', { query: { email } })
  if (!answer.succeeded && answer.status !== 404) return { why: answer.summary }
  return { isFound: answer.succeeded && !/(^|\D)0(\D|$)/.test(answer.message) }
}

async function hasMessages(conversationId: string | undefined, call: Call): Promise<boolean> {
  if (conversationId === undefined) return false
  const { fields } = await call('listMessages', { path: { conversationId }, query: { page: 1, limit: 10 } })
  return [fields.data].flat().some((day) => [fieldsOf(day).messages].flat().some((message) => fieldsOf(message)._id))
}

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

/** What no operation of the service can take back, such as `2 bulk sends that are scheduled`. */
export function describeStays(stays: readonly Stays[]): string[] {
  return Object.entries(words).flatMap(([kind, [one, many]]) => {
    const count = stays.filter((stay) => stay === kind).length
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
  })
}

/** The last line of a run that left nothing behind by mistake. */
export const allDeleted = (stays: readonly unknown[]) =>
  stays.length === 0 ? 'Everything that the run made is deleted.' : 'Everything that can be deleted is deleted.'

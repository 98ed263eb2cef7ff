import { fieldsOf } from '../../client/answer.ts'
import { NotAllowed } from '../../client/errors.ts'
import type { Caller } from '../../client/target/credentials.ts'
import { rows } from '../../client/operations/index.ts'
import { isWithin, type Target } from '../../client/target/target.ts'
import { sends } from '../../spec/operation-groups.ts'
import { operations } from '../../spec/operations.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import { spoil } from './mistakes.ts'
import { moves } from './moves/index.ts'
import { emptyUpdates } from './moves/records.ts'
import { drawFrom, type Step, type StepInput, type Walk } from './walk.ts'
import { Walker } from './walker.ts'

export interface WalkOptions {
  readonly target: Target
  readonly choices: WrittenChoices
  readonly seed: number
  readonly steps: number
  /** Whether the templates of the team can be listed: too many others hide those of the walk. */
  readonly listsTemplates: boolean
}

/** How many messages a walk sends beyond this machine, where a run may send few. */
const mostSendsElsewhere = 4

/** A random walk through the operations that a run may call, the same for the same seed. */
export function generateWalk({ target, choices, seed, steps, listsTemplates }: WalkOptions): Walk {
  const draw = drawFrom(seed)
  const walker = new Walker({ target, draw, choices })
  const possible = (Object.keys(moves) as OperationId[]).filter(
    (id) => mayCall(id, target) && (id !== 'listTemplates' || listsTemplates),
  )
  const writer = new Writer(walker, possible)
  for (let idle = 0; walker.steps.length < steps && idle < 1000;) {
    const before = walker.steps.length
    writer.goOn()
    idle = walker.steps.length > before ? 0 : idle + 1
  }
  return walker.steps.slice(0, steps)
}

function mayCall(id: OperationId, { upTo }: Target): boolean {
  const { effect, method } = operations[id]
  return isWithin(effect, upTo) && (upTo !== 'read' || method === 'get')
}

/** Chooses what a walk does next. */
class Writer {
  readonly #walker: Walker
  readonly #drawn: readonly OperationId[]
  readonly #possible: ReadonlySet<OperationId>
  #sent = 0

  constructor(walker: Walker, possible: readonly OperationId[]) {
    this.#walker = walker
    this.#possible = new Set(possible)
    this.#drawn = possible.flatMap((id) => Array<OperationId>(moves[id].weight).fill(id))
  }

  goOn(): void {
    const walker = this.#walker
    const kind = walker.draw(100)
    if (kind < 8) this.#repeat()
    else if (kind < 20) this.#mistake()
    else if (kind < 22) this.#burst()
    else this.#good(walker.oneOf(this.#drawn))
  }

  /** A request that should succeed, and often a look at what it did. */
  #good(operation: OperationId, more: Partial<StepInput> = {}): void {
    const walker = this.#walker
    const good = this.#inputFor(operation)
    if (!good) return
    const key = operations[operation].takesIdempotencyKey && walker.chance(20) ? { key: walker.mint.key() } : {}
    const input = { ...good, ...key, ...this.#someoneElse(operation), ...more }
    const n = this.#add(operation, input)
    if (input.caller !== undefined && input.caller !== 'admin') return
    moves[operation].after?.(walker, n, input)
    const changes = /^(?:update|delete)/.test(operation)
    if (walker.chance(changes ? 80 : 45)) this.#lookAt(operation, n, input)
  }

  #inputFor(operation: OperationId): StepInput | undefined {
    const isSend = sends.some((id) => id === operation)
    if (isSend && !this.#walker.target.loopback && this.#sent >= mostSendsElsewhere) return undefined
    try {
      return moves[operation].input(this.#walker)
    } catch (error) {
      if (error instanceof NotAllowed) return undefined
      throw error
    }
  }

  #add(operation: OperationId, input: StepInput): number {
    if (sends.some((id) => id === operation)) this.#sent++
    const pause = moves[operation].pause?.(this.#walker, input)
    return this.#walker.add(operation, input, pause)
  }

  /** But nobody else makes a record: only the key of the team may be at hand to clean up after a run that was killed. */
  #someoneElse(operation: OperationId): { caller?: Caller } {
    const walker = this.#walker
    if (rows[operation].makes) return {}
    const others = (['otherTeam', 'admin', 'agent'] as const).filter((who) => walker.target.credentials[who])
    return others.length > 0 && walker.chance(6) ? { caller: walker.oneOf(others) } : {}
  }

  #mistake(): void {
    const walker = this.#walker
    const operation = walker.oneOf(this.#drawn)
    const good = this.#inputFor(operation)
    if (good) this.#add(operation, spoil(walker, operation, good))
  }

  /** An earlier request again: as it was, with its key and another body, or its key on something else. */
  #repeat(): void {
    const walker = this.#walker
    const earlier = walker.steps.slice(-15).filter((step) => this.#mayRepeat(step))
    if (earlier.length === 0) return
    const { n: first, operation, input } = walker.oneOf(earlier)
    const way = walker.draw(10)
    if (way < 6 || typeof input.key !== 'string') {
      if (typeof input.key !== 'string' && operations[operation].takesIdempotencyKey && walker.chance(40)) {
        this.#twiceWithAKey(operation, input)
        return
      }
      const n = this.#add(operation, input)
      if (n - first > 0) moves[operation].after?.(walker, n, input)
      return
    }
    if (way < 8) {
      this.#good(operation, { key: input.key })
      return
    }
    const others = this.#drawn.filter((id) => operations[id].takesIdempotencyKey && id !== operation)
    if (others.length > 0) this.#good(walker.oneOf(others), { key: input.key })
  }

  #mayRepeat({ operation }: Step): boolean {
    const isSend = sends.some((id) => id === operation)
    return !isSend || this.#walker.target.loopback || this.#sent < mostSendsElsewhere
  }

  #twiceWithAKey(operation: OperationId, input: StepInput): void {
    const walker = this.#walker
    const keyed = { ...input, key: walker.mint.key() }
    const n = this.#add(operation, keyed)
    moves[operation].after?.(walker, n, keyed)
    this.#add(operation, keyed)
  }

  /** The same kind of thing many times, so that a list has more than a page. */
  #burst(): void {
    const walker = this.#walker
    const conversation = walker.conversations.pick()
    const length = 6 + walker.draw(8)
    if (this.#possible.has('sendLiveMessage') && conversation && walker.target.loopback && walker.chance(40)) {
      for (let count = 0; count < length; count++)
        walker.add('sendLiveMessage', { body: walker.some.chat({ conversationId: conversation.id }) })
      this.#list(conversation.id)
    } else if (this.#possible.has('createTemplate') && this.#possible.has('listTemplates')) {
      for (let count = 0; count < length; count++) this.#good('createTemplate')
      const types = ['sms', 'email', 'whatsapp']
      walker.add('listTemplates', { query: { page: 1, limit: 100, types, statuses: ['pending', 'approved'] } })
    }
  }

  /** What shows whether a request did what it should, and nothing else. */
  #lookAt(operation: OperationId, n: number, input: StepInput): void {
    const walker = this.#walker
    const { body } = input
    const [, kind = ''] = /^(?:create|update|delete)(Company|Product|Deal|Quote)$/.exec(operation) ?? []
    if (kind !== '') this.#viewRecord(kind.toLowerCase() as keyof typeof emptyUpdates, n, input)
    else if (operation === 'sendBulkMessages') this.#viewBulk(String(fieldsOf(body).to))
    else if (operation.startsWith('send')) this.#viewMessage(n)
    else if (operation.endsWith('Template')) this.#viewTemplate(n, input)
    else if (operation.startsWith('deleteContact')) this.#viewDeletedPerson()
    else if (/Contact|Conversation/.test(operation)) this.#viewPerson()
  }

  #viewRecord(kind: keyof typeof emptyUpdates, n: number, { path }: StepInput): void {
    const id = path?.[`${kind}Id`] ?? `«from ${n} data._id»`
    this.#addIfPossible(emptyUpdates[kind], { path: { [`${kind}Id`]: id }, body: {} })
    const other = this.#walker.records[kind].pick()
    if (other && this.#walker.chance(20))
      this.#addIfPossible(emptyUpdates[kind], { path: { [`${kind}Id`]: other.id }, body: {} })
  }

  #viewTemplate(n: number, { path }: StepInput): void {
    const templateId = path?.templateId ?? `«from ${n} data._id»`
    if (this.#walker.chance(50)) this.#good('listTemplates')
    else this.#addIfPossible('getTemplate', { path: { templateId } })
  }

  #viewMessage(n: number): void {
    this.#list(`«from ${n} data.conversationId»`)
    if (this.#walker.chance(40)) this.#viewContact(`«from ${n} data.contactId»`)
  }

  #viewBulk(to: string): void {
    const [first = ''] = to.split(',')
    const address = /email/i.test(first) ? { email: first } : { phone: first }
    if (!this.#walker.target.loopback || this.#walker.bulkPause === undefined) return
    const n = this.#addIfPossible('findOrCreateConversation', { body: address })
    if (n === undefined) return
    moves.findOrCreateConversation.after?.(this.#walker, n, { body: address })
    this.#list(`«from ${n} data._id»`)
  }

  #viewPerson(): void {
    const walker = this.#walker
    const { people, conversations } = walker
    const [person, conversation] = [people.pick(), conversations.pick()]
    if (person && walker.chance(50)) this.#viewContact(person.id)
    else if (person && walker.chance(40))
      this.#addIfPossible('listConversationsOfContact', { path: { contactId: person.id } })
    else if (conversation) this.#addIfPossible('getConversation', { path: { conversationId: conversation.id } })
  }

  #viewDeletedPerson(): void {
    const walker = this.#walker
    const { people, conversations } = walker
    const [person, conversation] = [people.lastDead(), conversations.lastDead()]
    if (conversation && walker.chance(50))
      this.#addIfPossible('getConversation', { path: { conversationId: conversation.id } })
    if (conversation && walker.chance(40)) this.#list(conversation.id)
    if (person && walker.chance(50)) this.#viewContact(person.id)
    if (person && walker.chance(50))
      this.#addIfPossible('listConversationsOfContact', { path: { contactId: person.id } })
  }

  #viewContact(contactId: string): void {
    this.#addIfPossible('updateContact', { path: { contactId }, body: {} })
  }

  #list(conversationId: string): void {
    this.#addIfPossible('listMessages', { path: { conversationId }, query: { page: 1, limit: 100 } })
  }

  #addIfPossible(operation: OperationId, input: StepInput): number | undefined {
    return this.#possible.has(operation) ? this.#add(operation, input) : undefined
  }
}

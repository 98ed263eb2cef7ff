import { fieldsOf } from '../../client/answer.ts'
import type { OperationId } from '../../spec/types.ts'
import { from, path } from './moves/move.ts'
import { emptyUpdates, type RecordKind } from './moves/records.ts'
import type { Pen } from './pen.ts'
import type { StepInput } from './walk.ts'

/** Requests that show what another one did. */
export class Looks {
  readonly #pen: Pen

  constructor(pen: Pen) {
    this.#pen = pen
  }

  /** What shows whether a request did what it should, and nothing else. */
  at(operation: OperationId, n: number, input: StepInput): void {
    const kind = kindOf(operation)
    if (kind) this.#atKind(kind, n, input)
    else if (operation === 'sendBulkMessages') this.#atBulk(String(fieldsOf(input.body).to))
    else if (operation.startsWith('send')) this.#atMessage(n)
    else if (operation.endsWith('Template')) this.#atTemplate(n, input)
    else if (operation.startsWith('deleteContact')) this.#atDeletedPerson()
    else if (/Contact|Conversation/.test(operation)) this.#atPerson()
  }

  record(kind: RecordKind, id: string): void {
    this.#pen.add(emptyUpdates[kind], { ...path(`${kind}Id`, id), body: {} })
  }

  contact(contactId: string): void {
    this.#pen.add('updateContact', { ...path('contactId', contactId), body: {} })
  }

  history(conversationId: string): void {
    this.#pen.add('listMessages', { ...path('conversationId', conversationId), query: { page: 1, limit: 100 } })
  }

  /** What was sent to an address. */
  reached(address: { readonly email?: string; readonly phone?: string }): void {
    const n = this.#pen.addGood('findOrCreateConversation', { body: address })
    if (n !== undefined) this.history(from(n, 'data._id'))
  }

  /** In every way that shows a contact, whether it is still there or not. */
  everywhere(contactId: string, conversationId: string): void {
    this.#pen.add('getConversation', path('conversationId', conversationId))
    this.#pen.add('listConversationsOfContact', path('contactId', contactId))
    this.history(conversationId)
    this.contact(contactId)
  }

  /** Others of the same kind must not have changed, nor those that name the record. */
  #atKind(kind: RecordKind, n: number, { path }: StepInput): void {
    const { walker } = this.#pen
    this.record(kind, path?.[`${kind}Id`] ?? from(n, 'data._id'))
    const other = walker.records[kind].pick()
    if (other && walker.chance(20)) this.record(kind, other.id)
    const naming = ({ company: 'deal', deal: 'quote' } as const)[kind as 'company' | 'deal'] as RecordKind | undefined
    const named = naming && walker.records[naming].pick()
    if (named && walker.chance(25)) this.record(naming, named.id)
  }

  #atTemplate(n: number, { path }: StepInput): void {
    const templateId = path?.templateId ?? from(n, 'data._id')
    if (this.#pen.walker.chance(50)) this.#pen.add('listTemplates', this.#pen.draft('listTemplates'))
    else this.#pen.add('getTemplate', { path: { templateId } })
  }

  #atMessage(n: number): void {
    this.history(from(n, 'data.conversationId'))
    if (this.#pen.walker.chance(40)) this.contact(from(n, 'data.contactId'))
  }

  /** Looks at what the last recipient got: if one got nothing, it is most likely this one. */
  #atBulk(to: string): void {
    const { walker } = this.#pen
    if (!walker.target.loopback || walker.bulkPause === undefined) return
    const addresses = to.split(',')
    const address = addresses[walker.chance(50) ? addresses.length - 1 : 0] ?? ''
    this.reached(/email/i.test(address) ? { email: address } : { phone: address })
  }

  #atPerson(): void {
    const { walker } = this.#pen
    const [person, conversation] = [walker.people.pick(), walker.conversations.pick()]
    if (person && walker.chance(50)) this.contact(person.id)
    else if (person && walker.chance(40)) this.#pen.add('listConversationsOfContact', path('contactId', person.id))
    else if (conversation) this.#pen.add('getConversation', path('conversationId', conversation.id))
  }

  #atDeletedPerson(): void {
    const { walker } = this.#pen
    const [person, conversation] = [walker.people.lastDead(), walker.conversations.lastDead()]
    if (conversation && walker.chance(50)) this.#pen.add('getConversation', path('conversationId', conversation.id))
    if (conversation && walker.chance(40)) this.history(conversation.id)
    if (person && walker.chance(50)) this.contact(person.id)
    if (person && walker.chance(50)) this.#pen.add('listConversationsOfContact', path('contactId', person.id))
    const deal = walker.records.deal.pick()
    if (deal && walker.chance(20)) this.record('deal', deal.id)
  }
}

/** The kind of record that an operation makes, changes or deletes, where nothing reads it. */
export function kindOf(operation: OperationId): RecordKind | undefined {
  const [, kind] = /^(?:create|update|delete)(Company|Product|Deal|Quote)$/.exec(operation) ?? []
  return kind?.toLowerCase() as RecordKind | undefined
}

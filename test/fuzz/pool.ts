import type { OperationId } from '../../spec/types.ts'
import { type Kind, kinds } from '../kinds.ts'
import { fitting } from './hints.ts'

/** The kind of the record in an answer. */
const kindShown: Partial<Record<OperationId, Kind>> = {
  createContact: 'contacts',
  createOrUpdateContact: 'contacts',
  findOrCreateConversation: 'conversations',
  createContactWithConversation: 'conversations',
  createConversation: 'conversations',
  sendLiveMessage: 'messages',
  sendEmailMessage: 'messages',
  sendMessage: 'messages',
  createTemplate: 'templates',
  createCompany: 'companies',
  createProduct: 'products',
  createDeal: 'deals',
  createQuote: 'quotes',
}

const idOf = new RegExp(`^@(${kinds.join('|')}) (\\d+)$`)
const nobody = '0123456789abcdef01234567'

/** The fields of an answer that hold ids for later requests. */
export interface Shown {
  readonly data?: {
    readonly _id?: string
    readonly status?: string
    readonly contactId?: { readonly _id?: string }
    readonly conversationId?: string
  }
}

/** The ids from answers that may still exist. */
export class Pool {
  readonly #ids = Object.fromEntries(kinds.map((kind) => [kind, [] as string[]])) as Record<Kind, string[]>

  learn(id: OperationId, { data }: Shown): void {
    const kind = kindShown[id]
    if (kind) this.#add(kind, data?._id)
    if (kind === 'conversations') this.#add('contacts', data?.contactId?._id)
    if (kind === 'messages') this.#add('conversations', data?.conversationId)
  }

  /** Drops every id in the text, because one of them is unknown and it does not matter which. */
  forget(text: string): void {
    const ids = new Set<string>(text.match(/[0-9a-f]{24}/g))
    for (const kind of kinds) this.#ids[kind] = this.#ids[kind].filter((id) => !ids.has(id))
  }

  /** The value with ids, providers and addresses for its symbolic names. */
  inPlace<Value>(value: Value): Value {
    if (value === undefined) return value
    return JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? this.#meant(part, value) : part))
  }

  #meant(text: string, whole: unknown): string {
    const [, kind, at] = idOf.exec(text) ?? []
    if (kind !== undefined) return this.#idAt(kind as Kind, Number(at))
    const { channel, templateType } = (whole ?? {}) as { channel?: unknown; templateType?: unknown }
    // Either may be anything, such as an object that cannot be written as text.
    const named = channel ?? templateType
    return (typeof named === 'string' ? fitting[text]?.[named] : undefined) ?? text
  }

  #idAt(kind: Kind, at: number): string {
    const ids = this.#ids[kind]
    return ids[at % ids.length] ?? nobody
  }

  #add(kind: Kind, id: unknown): void {
    if (typeof id === 'string' && !this.#ids[kind].includes(id)) this.#ids[kind].push(id)
  }
}

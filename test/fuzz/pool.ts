import type { OperationId } from '../../spec/types.ts'
import { type Kind, kinds } from '../kinds.ts'
import { fitting } from './hints.ts'

/** Of which kind the record is that an answer shows. */
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

/** What of an answer leads further; a message names its conversation, and a conversation shows its contact. */
export interface Shown {
  readonly data?: {
    readonly _id?: string
    readonly status?: string
    readonly contactId?: { readonly _id?: string }
    readonly conversationId?: string
  }
}

/** The ids that answers have shown, and that may still lead somewhere. */
export class Pool {
  readonly #ids = Object.fromEntries(kinds.map((kind) => [kind, [] as string[]])) as Record<Kind, string[]>

  learn(id: OperationId, { data }: Shown): void {
    const kind = kindShown[id]
    if (kind) this.#add(kind, data?._id)
    if (kind === 'conversations') this.#add('contacts', data?.contactId?._id)
    if (kind === 'messages') this.#add('conversations', data?.conversationId)
  }

  /** Every id in the text: one of them leads nowhere, and the others are not missed. */
  forget(text: string): void {
    const ids = new Set<string>(text.match(/[0-9a-f]{24}/g))
    for (const kind of kinds) this.#ids[kind] = this.#ids[kind].filter((id) => !ids.has(id))
  }

  /** The same with ids, providers and addresses in the place of what stands for them. */
  inPlace<Value>(value: Value): Value {
    if (value === undefined) return value
    return JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? this.#meant(part, value) : part))
  }

  #meant(text: string, whole: unknown): string {
    const [, kind, at] = idOf.exec(text) ?? []
    if (kind !== undefined) return this.#idAt(kind as Kind, Number(at))
    const { channel, templateType } = (whole ?? {}) as { channel?: string; templateType?: string }
    return fitting[text]?.[channel ?? templateType ?? ''] ?? text
  }

  #idAt(kind: Kind, at: number): string {
    const ids = this.#ids[kind]
    return ids[at % ids.length] ?? nobody
  }

  #add(kind: Kind, id: unknown): void {
    if (typeof id === 'string' && !this.#ids[kind].includes(id)) this.#ids[kind].push(id)
  }
}

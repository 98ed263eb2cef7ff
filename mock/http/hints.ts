import { apiKinds, type ApiKind } from '../../fixtures/records.ts'
import { isObject } from '../../spec/document.ts'
import type { Caller } from '../core/caller.ts'
import { type FormOfIds, usualForm } from '../core/ids.ts'
import { NoSuchTeam, type ReadRecords, type Store } from '../store/port.ts'
import type { Incoming } from './pipeline.ts'

/** Says in a header what would have helped: the texts of the answers are the service's, and say less. */
export const hintHeader = 'x-sandbox-hint'

/** The header for the answer to a refused request; no header when there is nothing more to say. */
type HintAt = (request: Incoming, status: number) => Promise<Readonly<Record<string, string>>>

export function hintsFrom(store: Store, form = usualForm): HintAt {
  return async (request, status) => {
    const hint = status === 401 ? hintOfCredential(request) : await hintOfIds(request, status, { store, form })
    return hint === undefined ? {} : { [hintHeader]: hint }
  }
}

function hintOfCredential({ headers: { 'x-api-key': key, authorization } }: Incoming): string {
  if (key !== undefined)
    return authorization === undefined ? 'no team has this x-api-key' : 'key and token open nothing'
  if (authorization === undefined) return 'send the key of a team as x-api-key, or a token as Authorization: Bearer'
  return 'this token opens nothing: it may be expired, ended by a reset, or signed elsewhere'
}

/** The kinds of records that the fields of a request name. */
const kindNamedBy: Readonly<Record<string, ApiKind>> = {
  contactId: 'contacts',
  recipientId: 'contacts',
  recipientIds: 'contacts',
  contacts: 'contacts',
  conversationId: 'conversations',
  templateId: 'templates',
  companyId: 'companies',
  company: 'companies',
  productId: 'products',
  dealId: 'deals',
  quoteId: 'quotes',
  replyToMessageId: 'messages',
}

const nouns: Readonly<Record<ApiKind, string>> = {
  contacts: 'a contact',
  conversations: 'a conversation',
  messages: 'a message',
  templates: 'a template',
  companies: 'a company',
  products: 'a product',
  deals: 'a deal',
  quotes: 'a quote',
}

async function hintOfIds(request: Incoming, status: number, { store, form }: Ground): Promise<string | undefined> {
  const { caller } = request
  const ids = idsIn(request).filter(({ kind }) => caller && seenBy(caller).includes(kind))
  if (!caller || (status !== 404 && status !== 400) || ids.length === 0) return undefined
  try {
    return await store.read(caller.teamId, ({ records }) =>
      firstHint(ids, status, records, { kinds: seenBy(caller), form }),
    )
  } catch (error) {
    if (error instanceof NoSuchTeam) return undefined
    throw error
  }
}

interface Ground {
  readonly store: Store
  readonly form: FormOfIds
}

interface Named {
  readonly field: string
  readonly id: string
  readonly kind: ApiKind
}

const most = 20

function idsIn({ params, body }: Incoming): Named[] {
  return [params, body].filter(isObject).flatMap((part) =>
    Object.entries(kindNamedBy).flatMap(([field, kind]) => {
      const sent = Object.hasOwn(part, field) ? [part[field]].flat().slice(0, most) : []
      return sent.flatMap((id) => (typeof id === 'string' && id !== '' ? [{ field, id, kind }] : []))
    }),
  )
}

/** An agent must not learn which templates of others there are. */
function seenBy({ user }: Caller): readonly ApiKind[] {
  return user?.role === 'agent' ? apiKinds.filter((kind) => kind !== 'templates') : apiKinds
}

async function firstHint(
  ids: readonly Named[],
  status: number,
  records: ReadRecords,
  { kinds, form }: { readonly kinds: readonly ApiKind[]; readonly form: FormOfIds },
): Promise<string | undefined> {
  for (const { field, id, kind } of ids) {
    if (await records[kind].get(id)) continue
    const other = await kindOf(id, records, kinds)
    if (other !== undefined) return `${field} is the id of ${nouns[other]}, not of ${nouns[kind]}`
    if (!form.looksRight(id)) return `${field} is not in the form of an id, which is ${form.words}`
    if (status === 404) return `${field} is not the id of ${nouns[kind]} of this team`
  }
  return undefined
}

async function kindOf(id: string, records: ReadRecords, kinds: readonly ApiKind[]): Promise<ApiKind | undefined> {
  for (const kind of kinds) if (await records[kind].get(id)) return kind
  return undefined
}

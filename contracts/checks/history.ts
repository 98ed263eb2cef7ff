import type { Answer } from '../../client/answer.ts'
import type { Input } from '../../client/request.ts'
import type { Tools } from '../../client/tools.ts'
import type { Schemas } from '../../spec/types.ts'

/** A page of the history of a conversation: the first, of ten messages, unless the query says otherwise. */
export async function historyOf({ ask }: Tools, conversationId: string, query: Input['query'] = {}) {
  return ask('listMessages', firstPageOf(conversationId, query))
}

export const firstPageOf = (conversationId: string, query: Input['query'] = {}) => ({
  path: { conversationId },
  query: { page: 1, limit: 10, ...query },
})

/** The messages on a page, of all dates. */
export function messagesOn({ data }: Answer<'listMessages'>): Schemas['Message'][] {
  return data.flatMap(({ messages }) => messages)
}

export const idsOn = (page: Answer<'listMessages'>): string[] => messagesOn(page).map(({ _id }) => _id)

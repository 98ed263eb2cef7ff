import type { Schemas } from '../../spec/types.ts'
import type { Answer } from '../../client/answer.ts'
import type { Asked } from '../../client/request.ts'
import type { Tools } from '../../client/tools.ts'

/** A page of what was said in a conversation: the first, of ten, unless the query says otherwise. */
export async function historyOf({ ask }: Tools, conversationId: string, query: Asked['query'] = {}) {
  return ask('listMessages', firstPageOf(conversationId, query))
}

export const firstPageOf = (conversationId: string, query: Asked['query'] = {}) => ({
  path: { conversationId },
  query: { page: 1, limit: 10, ...query },
})

/** The messages on a page, of whichever date. */
export function messagesOn({ data }: Answer<'listMessages'>): Schemas['Message'][] {
  return data.flatMap(({ messages }) => messages)
}

export const idsOn = (page: Answer<'listMessages'>): string[] => messagesOn(page).map(({ _id }) => _id)

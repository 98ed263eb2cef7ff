import type { Tools } from '../client/tools.ts'
import type { Schemas } from '../spec/types.ts'

type Query = Readonly<Record<string, string | number>>

export const firstPage = (conversationId: string, query: Query = {}) => ({
  path: { conversationId },
  query: { page: 1, limit: 10, ...query },
})

/** The messages on the first page of a history, as it lists them. */
export async function historyOf({ ask }: Pick<Tools, 'ask'>, conversationId: string): Promise<Schemas['Message'][]> {
  const { data } = await ask('listMessages', firstPage(conversationId))
  return data.flatMap(({ messages }) => messages)
}

/** The message as the history shows it. */
export async function inHistory(
  tools: Pick<Tools, 'ask'>,
  { _id, conversationId }: Pick<Schemas['Message'], '_id' | 'conversationId'>,
): Promise<Schemas['Message'] | undefined> {
  return (await historyOf(tools, conversationId)).find((message) => message._id === _id)
}

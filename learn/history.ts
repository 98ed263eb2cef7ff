import type { Tools } from '../client/tools.ts'
import type { Schemas } from '../spec/types.ts'
import { type Asking, requireThat } from './probe.ts'

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

type Sent = Pick<Schemas['Message'], '_id' | 'conversationId'>

/** The message as the history shows it, which may take the server a while. */
export async function inHistory(asking: Asking, sent: Sent): Promise<Schemas['Message'] | undefined> {
  await asking.timeUntil(() => isShown(asking, sent))
  return (await historyOf(asking, sent.conversationId)).find(({ _id }) => _id === sent._id)
}

/** Waits until a history shows what was sent: one that lags behind says nothing about order and number. */
export async function untilShown(asking: Asking, sent: Sent): Promise<void> {
  const delay = await asking.timeUntil(() => isShown(asking, sent))
  requireThat(delay !== undefined, 'the history does not show what was sent')
}

const isShown = async (asking: Asking, { _id, conversationId }: Sent) =>
  (await historyOf(asking, conversationId)).some((message) => message._id === _id)

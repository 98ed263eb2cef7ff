import type { Tools } from '../client/tools.ts'
import type { Schemas } from '../spec/types.ts'
import { type Asking, requireThat, timeTaken } from './probe.ts'

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

/** A person whose history can be read. */
export interface Reader {
  readonly email: string
  readonly conversationId: string
}

export async function makeReader({ make, recipient }: Asking, fields: object = {}): Promise<Reader> {
  const email = recipient.email()
  const { _id: conversationId } = await make.conversation({ email, ...fields })
  return { email, conversationId }
}

/** Sends a text to one recipient, and returns the text. */
export async function sendTo({ ask, some, mint }: Asking, { email: to }: Reader, fields: object = {}): Promise<string> {
  const content = mint.name('We open at nine')
  await ask('sendBulkMessages', { body: some.bulk('email', { to, content, ...fields }) })
  return content
}

/** The message with this text, once it is in the history of the person. */
export const findMessage = async (asking: Asking, { conversationId }: Reader, content: string) =>
  (await historyOf(asking, conversationId)).find((message) => message.content === content)

export const isThere = (asking: Asking, person: Reader, content: string) => async () =>
  (await findMessage(asking, person, content)) !== undefined

/** Waits until a text is there; where bulk sends are not delivered in time, it says so at once. */
export async function arrives(asking: Asking, person: Reader, content: string): Promise<void> {
  await checkDelivered(asking)
  const delay = await asking.timeUntil(isThere(asking, person, content))
  requireThat(delay !== undefined, notInTime)
}

/** How long a bulk send takes to arrive, in milliseconds; `undefined` when that is longer than may be waited. */
export async function timeToArrive(asking: Asking): Promise<number | undefined> {
  const person = await makeReader(asking)
  return timeTaken(asking, async () => isThere(asking, person, await sendTo(asking, person)))
}

/** Waits once in a run for what may never come. */
export async function checkDelivered(asking: Asking): Promise<void> {
  requireThat((await timeOfDelivery(asking)) !== undefined, notInTime)
}

/** The same as long as it takes; `undefined` where nothing arrives in time. */
export const timeOfDelivery = (asking: Asking): Promise<number | undefined> =>
  asking.once('the delivery of bulk sends', () => timeToArrive(asking))

export const notInTime =
  'a message was not there in time: it may be sent later, or wait until it is released (bulkDelivery)'

/** How many messages the answer says that it queued, among one and two; some servers do not count. */
export async function countQueued(asking: Asking, to: string): Promise<1 | 2> {
  const { ask, some, recipient, target } = asking
  requireThat(target.loopback, 'needs two people who may be written to')
  const answerTo = async (list: string) =>
    (await ask('sendBulkMessages', { body: some.bulk('email', { to: list }) })).message
  const one = await answerTo(recipient.email())
  const two = await answerTo(`${recipient.email()},${recipient.email()}`)
  requireThat(one !== two, 'the answer to a bulk send does not say how many messages it queued')
  const said = await answerTo(to)
  requireThat(said === one || said === two, `the answer to a bulk send is ${JSON.stringify(said)}`)
  return said === one ? 1 : 2
}

import { historyOf, messagesOn } from '../client/messages.ts'
import type { Schemas } from '../../spec/types.ts'
import { requireThat } from './finding.ts'
import { type ProbeContext, timeTaken } from './probe.ts'

/** Waits until a history shows a message; before that, order and number mean nothing. */
export async function inHistory(
  context: ProbeContext,
  { _id, conversationId }: Pick<Schemas['Message'], '_id' | 'conversationId'>,
): Promise<Schemas['Message']> {
  const find = async () => messagesOn(await historyOf(context, conversationId)).find((message) => message._id === _id)
  await context.timeUntil(async () => (await find()) !== undefined)
  const message = await find()
  requireThat(message !== undefined, 'the history does not show what was sent')
  return message
}

/** A new contact with a conversation, who gets bulk sends. */
export async function newReceiver(context: ProbeContext, channel: 'email' | 'sms' = 'email', fields: object = {}) {
  const { ask, make, mint, recipient, some } = context
  const to = channel === 'email' ? recipient.email() : recipient.phone()
  const { _id } = await make.conversation({ [channel === 'email' ? 'email' : 'phone']: to, ...fields })
  const messages = async () => messagesOn(await historyOf(context, _id))
  const isThere = async (content: string) => (await messages()).some((message) => message.content === content)
  return {
    to,
    messages,
    isThere,
    /** Returns the text. */
    send: async (other: object = {}): Promise<string> => {
      const content = mint.name('We open at nine')
      await ask('sendBulkMessages', { body: some.bulk(channel, { to, content, ...other }) })
      return content
    },
    /** Waits until a text arrives. Fails at once where bulk sends do not arrive in time. */
    arrives: async (content: string): Promise<void> => {
      await checkDelivered(context)
      const delay = await context.timeUntil(() => isThere(content))
      requireThat(delay !== undefined, notInTime)
    },
  }
}

/** Whether an earlier bulk send has an effect. Where delivery takes a while, a later bulk send may overtake it. */
export async function hasEffect(context: ProbeContext, isSo: () => Promise<boolean>): Promise<boolean> {
  return (await timeOfDelivery(context)) === 0 ? isSo() : (await context.timeUntil(isSo)) !== undefined
}

/** How long a bulk send takes to arrive, in milliseconds; `undefined` when that is longer than may be waited. */
export async function timeToArrive(context: ProbeContext): Promise<number | undefined> {
  const { send, isThere } = await newReceiver(context)
  return timeTaken(context, async () => {
    const content = await send()
    return () => isThere(content)
  })
}

/** Throws if bulk sends do not arrive in time; waits for that only once in a run. */
export async function checkDelivered(context: ProbeContext): Promise<void> {
  requireThat((await timeOfDelivery(context)) !== undefined, notInTime)
}

/** The same as long as it takes; `undefined` where nothing arrives in time. */
export const timeOfDelivery = (context: ProbeContext): Promise<number | undefined> =>
  context.once('the delivery of bulk sends', () => timeToArrive(context))

export const notInTime =
  'a message was not there in time: it may be sent later, or wait until it is released (bulkDelivery)'

/** How many messages the answer says that it queued, among one and two; some servers do not count. */
export async function countQueued(context: ProbeContext, to: string): Promise<1 | 2> {
  const { ask, some, recipient, target } = context
  requireThat(target.loopback, 'needs two people who may be written to')
  const answerTo = async (list: string) =>
    (await ask('sendBulkMessages', { body: some.bulk('email', { to: list }) })).message
  const one = await answerTo(recipient.email())
  const two = await answerTo(`${recipient.email()},${recipient.email()}`)
  requireThat(one !== two, 'the response to a bulk send does not say how many messages it queued')
  const said = await answerTo(to)
  requireThat(said === one || said === two, `the response to a bulk send is ${JSON.stringify(said)}`)
  return said === one ? 1 : 2
}

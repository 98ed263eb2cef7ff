import { messagesOn, pageOf } from '../client/messages.ts'
import type { Lags } from '../judge/lags.ts'
import type { OperationId } from '../../spec/types.ts'
import { reasonOf } from '../questions/finding.ts'
import { lists, type ProbeContext, timeTaken } from '../questions/probe.ts'

/** Writes something, and returns whether a read shows it. */
type Begin = (context: ProbeContext) => Promise<() => Promise<boolean>>

const reads: Readonly<Partial<Record<OperationId, Begin>>> = {
  getTemplate: async ({ call, make }) => {
    const { _id: templateId } = await make.template('sms')
    return async () => (await call('getTemplate', { path: { templateId } })).succeeded
  },
  listTemplates: async ({ ask, make }) => {
    const { _id } = await make.template('sms')
    return () => lists({ call: ask }, _id)
  },
  getConversation: async ({ call, make }) => {
    const { _id: conversationId } = await make.conversation()
    return async () => (await call('getConversation', { path: { conversationId } })).succeeded
  },
  listConversationsOfContact: async ({ call, make }) => {
    const { _id, contactId } = await make.conversation()
    const path = { contactId: contactId._id }
    return async () => {
      const { succeeded, data } = await call('listConversationsOfContact', { path })
      return succeeded && data.some((conversation) => conversation._id === _id)
    }
  },
  listMessages: async (context) => {
    const { _id: conversationId } = await context.make.conversation()
    const { data } = await context.ask('sendLiveMessage', { body: context.some.chat({ conversationId }) })
    return async () => {
      const history = await context.call('listMessages', pageOf(conversationId))
      return history.succeeded && messagesOn(history).some(({ _id }) => _id === data._id)
    }
  },
}

/** Another read may lag a little more than the measured read. */
const margin = 1.5

/** Measures how long each kind of read lags behind a write. A kind that the run may not measure counts as prompt. */
export async function measureLags(context: ProbeContext, lags: Lags): Promise<void> {
  for (const [operation, begin] of Object.entries(reads) as [OperationId, Begin][]) {
    try {
      const delay = await timeTaken(context, () => begin(context))
      if (delay !== undefined) lags.learn([operation], margin * delay)
    } catch (error) {
      if (!(error instanceof TypeError)) reasonOf(error)
    }
  }
}

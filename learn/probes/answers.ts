import { byValue, Other, type Probes, requireThat } from '../probe.ts'
import type { answers } from '../../spec/assumptions/answers.ts'

export const answerProbes: Probes<typeof answers> = {
  metaInEnvelope: async ({ ask, some }) => {
    const { fields } = await ask('createProduct', { body: some.product() })
    return byValue('the meta', fields.meta, { omitted: undefined, present: {} })
  },

  statedEnvelope: async ({ ask, make }) => {
    const { _id: conversationId } = await make.conversation()
    const { fields } = await ask('getConversation', { path: { conversationId } })
    const { success, message } = fields
    if (success === true && typeof message === 'string') return 'none'
    if (success === undefined && message === undefined) return 'some'
    throw new Other(`a read has success ${String(success)} and the message ${String(message)}`)
  },

  badRequestMessage: async ({ call, some }) => {
    const { unitPrice: _, ...withoutPrice } = some.product()
    const answer = await call('createProduct', { body: withoutPrice })
    const { name: __, ...withoutName } = some.product()
    const other = await call('createProduct', { body: withoutName })
    for (const { status } of [answer, other]) requireThat(status === 400, `a missing field gets ${status}`)
    if (answer.message.includes('unitPrice') && other.message.includes('name')) return 'namesTheField'
    if (answer.message === other.message) return 'general'
    throw new Other(`the messages are ${JSON.stringify([answer.message, other.message])}`)
  },
}

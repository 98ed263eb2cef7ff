import type { ByChoice } from '../../spec/assumptions.ts'
import type { BodyOf } from '../../spec/types.ts'
import { merged } from '../core/merged.ts'
import type { OperationsOf } from '../core/operation.ts'
import { refuse } from '../core/refusals.ts'
import { ok, page } from '../core/replies.ts'
import type { Turn } from '../core/turn.ts'
import { found } from '../rules/found.ts'
import { historyOf, pageOfHistory } from '../rules/messages/message-history.ts'
import { checkMedia } from '../rules/messages/message-media.ts'
import { mergedSubjectElsewhere, mergedText, mergedTextElsewhere } from '../rules/messages/merge-fields.ts'
import { addMessage } from '../rules/messages/new-message.ts'
import { shownInHistory, shownMessage } from '../rules/messages/message-view.ts'
import { checkProvider } from '../rules/messages/message-provider.ts'
import { recipientsOf } from '../rules/messages/email-recipients.ts'
import { checkReachable, type Receiver, receiverOf } from '../rules/messages/message-target.ts'
import { checkNoTemplate, textOfTemplate } from '../rules/messages/message-template.ts'
import { countsOf } from '../rules/pagination.ts'

export const messages: OperationsOf<'listMessages' | 'sendLiveMessage' | 'sendEmailMessage' | 'sendMessage'> = {
  async listMessages({ path, query, turn }) {
    const conversation = found(await turn.team.conversations.get(path.conversationId), path.conversationId, turn)
    const asked = pageOfHistory(query, turn)
    const { total, days } = await historyOf(conversation, query.channel, asked, turn)
    const data = days.map(({ date, messages }) => ({
      date,
      messages: messages.map((message) => shownInHistory(message, turn)),
    }))
    return page('History found', data, { total, ...countsOf(asked, total, turn) })
  },

  async sendLiveMessage({ body, turn }) {
    checkMedia(body, turn)
    const receiver = await receiverOf(body, turn)
    const text = mergedText(body.content, receiver.contact, turn)
    const message = await addMessage(receiver, { channel: body.channel, ...text }, body, turn)
    return ok('Message sent', shownMessage(message, turn))
  },

  async sendEmailMessage({ body, turn }) {
    checkMedia(body, turn)
    await checkProvider(body.providerId, body.channel, turn)
    await checkReply(body, turn)
    const [first, ...others] = await recipientsOf(body, turn)
    const { message, subject } = await addEmail(body, first, turn)
    for (const other of others) await addEmail(body, other, turn)
    return ok('E-mail sent', merged(shownMessage(message, turn), { subject }))
  },

  async sendMessage({ body, turn }) {
    checkMedia(body, turn)
    if (body.channel === 'sms') checkNoTemplate(body, turn)
    await checkProvider(body.providerId, body.channel, turn)
    const receiver = await receiverOf(body, turn)
    checkReachable(receiver.contact, 'phone', turn)
    const text = mergedTextElsewhere(body.content, receiver.contact, turn)
    const template = body.channel === 'whatsapp' ? await textOfTemplate(body, turn) : undefined
    const said = template === undefined ? text : { ...text, content: template, fallback: text.content }
    const message = await addMessage(receiver, { channel: body.channel, ...said }, body, turn)
    return ok('Message sent', shownMessage(message, turn))
  },
}

type Email = BodyOf<'sendEmailMessage'>

async function addEmail(body: Email, receiver: Receiver, turn: Turn) {
  const subject = mergedSubjectElsewhere(body.subject, receiver.contact, turn)
  const text = mergedTextElsewhere(body.content, receiver.contact, turn)
  return { subject, message: await addMessage(receiver, { channel: body.channel, ...text, subject }, body, turn) }
}

async function checkReply({ replyToMessageId: id }: Email, { team, assumed }: Turn): Promise<void> {
  if (id !== undefined && !(await team.messages.get(id))) replyToUnknown[assumed.replyToUnknown]()
}

const replyToUnknown: ByChoice<'replyToUnknown', () => void> = {
  accepted: () => undefined,
  refused: () => refuse('replyToMessageId names no message of this team'),
}

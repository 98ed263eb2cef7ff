import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { BodyOf } from '../../spec/types.ts'
import { merged } from '../merged.ts'
import type { Operations } from '../operation.ts'
import { ok, page, refuse } from '../replies.ts'
import { found } from '../rules/found.ts'
import { historyOf, pageOfHistory } from '../rules/history-of-a-conversation.ts'
import { checkMedia } from '../rules/media-of-a-send.ts'
import { mergedSubjectElsewhere, mergedText, mergedTextElsewhere } from '../rules/merge-fields.ts'
import { addMessage } from '../rules/message-of-a-send.ts'
import { shownInHistory, shownMessage } from '../rules/message-shown.ts'
import { countsOf } from '../rules/page-of-a-list.ts'
import { checkProvider } from '../rules/provider-of-a-send.ts'
import { recipientsOf } from '../rules/recipients-of-an-email.ts'
import { checkReachable, type Receiver, receiverOf } from '../rules/target-of-a-send.ts'
import { checkNoTemplate, textOfTemplate } from '../rules/template-of-a-send.ts'
import type { Team } from '../team.ts'

export const messages: Pick<Operations, 'listMessages' | 'sendLiveMessage' | 'sendEmailMessage' | 'sendMessage'> = {
  async listMessages({ path, query, team, assumed }) {
    const conversation = found(await team.conversations.get(path.conversationId), path.conversationId, assumed)
    const asked = pageOfHistory(query, assumed)
    const { total, days } = await historyOf(conversation, query.channel, asked, team, assumed)
    const data = days.map(({ date, messages }) => ({
      date,
      messages: messages.map((message) => shownInHistory(message, assumed)),
    }))
    return page('History found', data, { total, ...countsOf(asked, total, assumed) })
  },

  async sendLiveMessage({ body, team, assumed }) {
    checkMedia(body, assumed)
    const receiver = await receiverOf(body, team, assumed)
    const text = mergedText(body.content, receiver.contact, assumed)
    const message = await addMessage(team, receiver, { channel: body.channel, ...text }, body)
    return ok('Message sent', shownMessage(message, assumed))
  },

  async sendEmailMessage({ body, team, assumed }) {
    checkMedia(body, assumed)
    await checkProvider(body.providerId, body.channel, team, assumed)
    await checkReply(body, team, assumed)
    const [first, ...others] = await recipientsOf(body, team, assumed)
    const { message, subject } = await addEmail(body, first, team, assumed)
    for (const other of others) await addEmail(body, other, team, assumed)
    return ok('E-mail sent', merged(shownMessage(message, assumed), { subject }))
  },

  async sendMessage({ body, team, assumed }) {
    checkMedia(body, assumed)
    if (body.channel === 'sms') checkNoTemplate(body, assumed)
    await checkProvider(body.providerId, body.channel, team, assumed)
    const receiver = await receiverOf(body, team, assumed)
    checkReachable(receiver.contact, 'phone', assumed)
    const text = mergedTextElsewhere(body.content, receiver.contact, assumed)
    const template = body.channel === 'whatsapp' ? await textOfTemplate(body, team, assumed) : undefined
    const said = template === undefined ? text : { ...text, content: template, fallback: text.content }
    const message = await addMessage(team, receiver, { channel: body.channel, ...said }, body)
    return ok('Message sent', shownMessage(message, assumed))
  },
}

type Email = BodyOf<'sendEmailMessage'>

async function addEmail(body: Email, receiver: Receiver, team: Team, assumed: Assumed) {
  const subject = mergedSubjectElsewhere(body.subject, receiver.contact, assumed)
  const text = mergedTextElsewhere(body.content, receiver.contact, assumed)
  return { subject, message: await addMessage(team, receiver, { channel: body.channel, ...text, subject }, body) }
}

async function checkReply({ replyToMessageId: id }: Email, team: Team, assumed: Assumed): Promise<void> {
  if (id !== undefined && !(await team.messages.get(id))) replyToUnknown[assumed.replyToUnknown]()
}

const replyToUnknown: ByChoice<'replyToUnknown', () => void> = {
  accepted: () => undefined,
  refused: () => refuse('replyToMessageId names no message of this team'),
}

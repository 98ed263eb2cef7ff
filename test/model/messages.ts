import fc from 'fast-check'
import { contactAt, conversationWith } from './conversations.ts'
import { filledFor, templateText } from './filling-in.ts'
import type { Group } from './modelled.ts'
import { fields, largestLimit, merged, ref, text, word } from './pools.ts'
import { hasProvider, provider } from './providers.ts'
import { known, readers, receiver, target, targetOfEmail, wrongTarget } from './targets.ts'
import { type Item, refuseIf, type Reply, type TeamModel } from './team-model.ts'

const conversationId = ref('conversations')
const media = { source: word, mediaUrl: fc.constant('https://files.example.com/plan.pdf'), mediaType: word }
const attachments = fc.array(fc.constant({ fileName: 'plan.pdf', mediaType: 'file' }), { maxLength: 1 })

export const templated = {
  templateId: ref('templates'),
  headerParameters: fc.constant([]),
  bodyParameters: fc.array(fc.record({ type: fc.constant('text'), text: word }), { maxLength: 2 }),
}

const onPhone = (channel: 'sms' | 'whatsapp', more: Parameters<typeof fields>[1] = {}) =>
  fields({ channel: fc.constant(channel), content: text, providerId: provider(channel) }, { ...media, ...more })

export const messages: Group<'listMessages' | 'sendLiveMessage' | 'sendEmailMessage' | 'sendMessage'> = {
  listMessages: {
    asks: fc.record({
      path: fields({ conversationId }),
      query: fields(
        {},
        {
          page: fc.constantFrom(0, 1, 1, 1, 2),
          limit: fc.constantFrom(1, 1, 2, 3, 101),
          channel: fc.constantFrom('chat', 'chat', 'email', 'sms', 'whatsapp', 'pigeon'),
        },
      ),
    }),
    answers: (team, { path, query: { page = 1, limit: wanted = 10, channel } }) => {
      const limit = Math.min(wanted, largestLimit)
      const conversation = team.get('conversations', path.conversationId)
      refuseIf({ 400: page < 1, 404: !conversation })
      const isAsked = (message: Item) =>
        message.conversationId === conversation?._id && (channel === undefined || message.channel === channel)
      const said = team.has.messages.filter(isAsked).reverse()
      const totalPages = Math.ceil(said.length / limit)
      return {
        status: 200,
        data: byDay(said.slice((page - 1) * limit, page * limit)),
        pagination: { total: said.length, currentPage: page, totalPages, hasMore: page < totalPages },
      }
    },
  },

  sendLiveMessage: {
    asks: fc.record({
      body: merged(
        target,
        fields({ channel: fc.constant('chat'), content: text }, { ...media, mediaUrl: fc.constant(null), attachments }),
      ),
    }),
    answers: (team, { body }) => {
      refuseIf(wrongTarget(team, body))
      const contact = receiver(team, body)
      return sent(say(team, contact, { channel: 'chat', content: filledFor(contact, body.content) }))
    },
  },

  sendMessage: {
    asks: fc.record({
      body: merged(
        target,
        fc.oneof(onPhone('sms'), onPhone('whatsapp'), onPhone('whatsapp', templated), onPhone('sms', templated)),
      ),
    }),
    answers: (team, { body }) => {
      const { channel, templateId, headerParameters, bodyParameters } = body
      const isTemplate = [templateId, headerParameters, bodyParameters].some((given) => given !== undefined)
      refuseIf({
        400: [
          !hasProvider(team, body.providerId, channel),
          channel === 'sms' && isTemplate,
          wrongTarget(team, body)[400] || hasNo('phone', known(team, body)),
          wrongTemplate(team, templateId)[400],
        ].some(Boolean),
        404: [wrongTarget(team, body)[404], wrongTemplate(team, templateId)[404]].some(Boolean),
      })
      const contact = receiver(team, body)
      const template = team.get('templates', templateId)
      const content = template ? templateText(template, bodyParameters) : filledFor(contact, body.content)
      return sent(say(team, contact, { channel, content }))
    },
  },

  sendEmailMessage: {
    asks: fc.record({
      body: merged(
        targetOfEmail,
        fields(
          { channel: fc.constant('email'), subject: text, content: text, providerId: provider('email') },
          { ...media, attachments, replyToMessageId: ref('messages'), threadId: word },
        ),
      ),
    }),
    answers: (team, { body }) => {
      const { conversationId, to, recipientIds = [], subject, content } = body
      const reached = conversationId === undefined ? readers(team, to, recipientIds) : [known(team, body)]
      refuseIf({
        400: [
          !hasProvider(team, body.providerId, 'email'),
          reached.length === 0 && to === undefined,
          reached.some((contact) => hasNo('email', contact)),
        ].some(Boolean),
        404: reached.includes(undefined),
      })
      const first = conversationId === undefined && to !== undefined ? [contactAt(team, { email: to })] : []
      const contacts = [...first, ...reached.filter((contact) => contact !== undefined)]
      for (const contact of contacts) conversationWith(team, contact)
      const [answered] = contacts.map((contact) =>
        say(team, contact, {
          channel: 'email',
          subject: filledFor(contact, subject),
          content: filledFor(contact, content),
        }),
      )
      return sent(answered)
    },
  },
}

const sent = (message: Item | undefined): Reply => ({ status: 200, data: message })

/** Adds a message to the conversation of the contact. */
export function say(team: TeamModel, contact: Item, said: object): Item {
  const { _id: conversationId } = conversationWith(team, contact)
  const as = { direction: 'outgoing', status: 'sent', conversationId, contactId: contact._id, createdAt: team.now() }
  return team.add('messages', { ...said, ...as })
}

const hasNo = (address: 'email' | 'phone', contact: Item | undefined) => contact !== undefined && !contact[address]

export function wrongTemplate(team: TeamModel, templateId: string | undefined): { 400: boolean; 404: boolean } {
  const template = team.get('templates', templateId)
  const isUsable = template?.templateType === 'whatsapp' && template.status === 'approved'
  return { 400: template !== undefined && !isUsable, 404: templateId !== undefined && !template }
}

function byDay(said: readonly Item[]): object[] {
  const days = [...new Set(said.map(({ createdAt }) => createdAt.slice(0, 10) as string))]
  return days.map((date) => ({ date, messages: said.filter(({ createdAt }) => createdAt.startsWith(date)) }))
}

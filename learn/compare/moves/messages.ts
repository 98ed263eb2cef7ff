import { fieldsOf } from '../../../client/answer.ts'
import type { StepInput } from '../walk.ts'
import type { Walker } from '../walker.ts'
import { text } from '../values.ts'
import { from, type Moves } from './move.ts'

export const messageMoves = {
  sendLiveMessage: {
    weight: 7,
    input: (walker) => ({
      body: { ...walker.some.chat(texts(walker)), ...receiver(walker), ...more(walker) },
    }),
    after: addMessage,
  },
  sendEmailMessage: {
    weight: 5,
    input: (walker) => ({
      body: { ...walker.some.email(texts(walker)), ...emailReceiver(walker), ...more(walker), ...reply(walker) },
    }),
    after: addMessage,
  },
  sendMessage: {
    weight: 6,
    input: (walker) => {
      const channels = (['sms', 'whatsapp'] as const).filter((one) => walker.target.providers[one])
      const channel = channels.length === 0 ? 'sms' : walker.oneOf(channels)
      const template = channel === 'whatsapp' && walker.chance(50) ? templateOf(walker) : {}
      return {
        body: { ...walker.some.text({ channel, ...texts(walker) }), ...receiver(walker), ...more(walker), ...template },
      }
    },
    after: addMessage,
  },
  sendBulkMessages: {
    weight: 5,
    input: (walker) => {
      const channels = (['email', 'sms', 'whatsapp'] as const).filter((one) => walker.target.providers[one])
      const channel = channels.length === 0 ? 'email' : walker.oneOf(channels)
      const of = channel === 'email' ? 'email' : 'phone'
      // Whom a delayed send reaches, nothing else may reach meanwhile.
      const one = () => (isDelayed(walker) ? walker.mint[of]() : walker[of]())
      const to = walker.target.loopback
        ? Array.from({ length: walker.oneOf([1, 1, 2, 3]) }, one).join(',')
        : `«to ${of}»`
      return { body: { ...walker.some.bulk(channel, { to, ...texts(walker) }), ...label(walker) } }
    },
    pause: ({ bulkPause = 0 }) => bulkPause,
  },
} satisfies Moves

const isDelayed = ({ bulkPause }: Walker) => bulkPause !== 0

function texts(walker: Walker): { content?: string } {
  const fields = ['{{contact.firstName}}', '{{firstName}}', '{{contact.pigeon}}', '{{contact.email}}']
  if (walker.chance(30)) return { content: `Hello ${walker.oneOf(fields)} ${walker.mint.name('again')}` }
  return walker.chance(60) ? { content: text(walker, 'Hello Ada') } : {}
}

const label = (walker: Walker) => walker.someOf({ source: () => 'autumn' })

const more = (walker: Walker) =>
  walker.chance(50)
    ? {}
    : walker.someOf({
        source: () => 'autumn',
        mediaUrl: () => walker.target.mediaUrl ?? 'https://www.example.com/plan.pdf',
        mediaType: () => 'image',
      })

function receiver(walker: Walker): object {
  if (!walker.target.loopback) return { to: '«to phone»' }
  const [person, conversation] = [walker.people.pickAny(), walker.conversations.pickAny()]
  const ways = [
    ...(conversation ? Array<object>(4).fill({ conversationId: conversation.id }) : []),
    ...(person ? [{ contactId: person.id }, { contactId: person.id }, { recipientId: person.id }] : []),
    { to: walker.phone() },
  ]
  return walker.anyOf(ways)
}

function emailReceiver(walker: Walker): object {
  if (!walker.target.loopback) return { to: '«to email»' }
  const [person, other, conversation] = [walker.people.pickAny(), walker.people.pick(), walker.conversations.pickAny()]
  const withId = conversation?.person ? { recipientIds: [conversation.person.id] } : {}
  const ways = [
    ...(conversation ? Array<object>(3).fill({ conversationId: conversation.id, ...withId }) : []),
    ...(conversation ? [{ conversationId: conversation.id }] : []),
    ...(person ? [{ recipientIds: [person.id] }, { recipientIds: [person.id] }] : []),
    ...(person && other ? [{ recipientIds: [person.id, other.id] }] : []),
    { to: walker.email() },
  ]
  return walker.anyOf(ways)
}

function reply(walker: Walker): object {
  if (walker.chance(85)) return {}
  return { replyToMessageId: walker.messages.pick()?.id ?? walker.mint.unknownId() }
}

function templateOf(walker: Walker): object {
  const template = walker.templates.pickAny()
  const parameters = { bodyParameters: [{ type: 'text', text: walker.mint.name('parcel') }] }
  return template ? { templateId: template.id, ...(walker.chance(70) ? parameters : {}) } : {}
}

function addMessage(walker: Walker, n: number, { body }: StepInput): void {
  const { conversationId } = fieldsOf(body)
  walker.messages.add({ id: from(n, 'data._id') })
  if (conversationId === undefined || walker.chance(20))
    walker.conversations.add({ id: from(n, 'data.conversationId'), person: { id: from(n, 'data.contactId') } })
}

import type { SingleSend } from '../../../client/operations.ts'
import { sendsByPhone, singleSends } from '../../../spec/operation-groups.ts'
import type { StepInput } from '../plan.ts'
import { type Act, type Fields, from, oneOf, path, type Story, text, type Value } from '../story.ts'

const mediaUrl: Value = ({ plan }) => plan.target.mediaUrl ?? 'https://www.example.com/plan.pdf'

const media: Fields = { source: oneOf('autumn', 'fair'), mediaUrl, mediaType: oneOf('image', 'file') }

const file = { fileName: 'plan.pdf', fileSize: '12 KB', mimeType: 'application/pdf', mediaType: 'file' }
const attachments: Fields = { attachments: (story) => [{ ...file, mediaUrl: mediaUrl(story) }] }

const answered: Value = ({ own, plan }) => own.message ?? plan.known('message') ?? plan.mint.unknownId()

function contentOf(): Value {
  const plain = text('Hello')
  return (story) => {
    const { plan } = story
    const field = plan.pick(['contact.firstName', 'firstName', 'contact.pigeon', 'contact.email'])
    return plan.chance(75) ? plain(story) : `Hello {{${field}}} ${plan.mint.name('again')}`
  }
}
/** Each operation picks its texts in turn. */
const content = {
  sendLiveMessage: contentOf(),
  sendEmailMessage: contentOf(),
  sendMessage: contentOf(),
  sendBulkMessages: contentOf(),
}

const subject = text('Your engine')

const extras: Readonly<Record<SingleSend, Fields>> = {
  sendLiveMessage: { ...media, ...attachments },
  sendEmailMessage: {
    ...{ subject, ...media, ...attachments },
    replyToMessageId: answered,
    quotedMessageId: answered,
    threadId: ({ plan }) => plan.mint.unknownId(),
  },
  sendMessage: media,
}

/** The ways to name the receiver of a message. */
type Receiver = (story: Story) => object
const toConversation: Receiver = (story) => ({ conversationId: story.id('conversation') })
const toRecipient: Receiver = (story) => ({ recipientId: story.id('contact') })
const toContactInConversation: Receiver = (story) => ({ ...toConversation(story), recipientIds: [story.id('contact')] })
const toTwo: Receiver = (story) => ({
  recipientIds: [story.id('contact'), story.plan.known('contact', 1) ?? story.id('contact')],
})

const byPhone: readonly Receiver[] = [
  toConversation,
  toConversation,
  (story) => ({ contactId: story.id('contact') }),
  toRecipient,
  ({ own, plan }) => ({ to: own.phone ?? plan.mint.phone() }),
  ({ plan }) => ({ to: plan.mint.phone() }),
  ({ plan }) => ({ conversationId: plan.mint.unknownId() }),
  ({ plan }) => ({ contactId: plan.mint.unknownId() }),
  (story) => ({ contactId: story.id('contact'), to: story.plan.mint.phone() }),
  () => ({}),
]

const byEmail: readonly Receiver[] = [
  toContactInConversation,
  toContactInConversation,
  (story) => ({ recipientIds: [story.id('contact')] }),
  toConversation,
  toTwo,
  (story) => ({ recipientIds: [story.id('contact'), story.plan.mint.unknownId()] }),
  ({ own, plan }) => ({ to: own.email ?? plan.mint.email() }),
  ({ plan }) => ({ to: plan.mint.email() }),
]

/** Sends a message; by default to any receiver. */
export const send =
  (operation: SingleSend, receivers = operation === 'sendEmailMessage' ? byEmail : byPhone): Act =>
  (story) => {
    const { plan } = story
    const isEmail = operation === 'sendEmailMessage'
    const channel = plan.pick(['sms', 'whatsapp'] as const)
    const base = {
      sendLiveMessage: () => plan.bodies.chat(),
      sendEmailMessage: () => plan.bodies.email(),
      sendMessage: () => plan.bodies.text({ channel }),
    }[operation]()
    const receiver = plan.target.loopback
      ? plan.pickInTurn(receivers)(story)
      : { to: plan.recipient(isEmail ? 'email' : 'phone') }
    const template = operation === 'sendMessage' && channel === 'whatsapp' ? templateOf(story) : {}
    const written = plan.chance(80) ? { content: content[operation](story) } : {}
    const body = { ...base, ...written, ...story.fillSome(extras[operation]), ...receiver, ...template }
    const n = story.send(operation, { body })
    if (n === undefined || !plan.target.loopback) return
    story.adopt('message', n)
    if ('conversationId' in receiver) return
    story.adopt('conversation', n, 'data.conversationId')
    if (!('contactId' in receiver)) story.adopt('contact', n, 'data.contactId')
  }

export const reply = send('sendEmailMessage', [toContactInConversation])
export const sendToTwo = send('sendEmailMessage', [toTwo])
export const sendText = send('sendMessage', [toConversation])
export const sendToRecipient: Act = (story) => {
  send(story.plan.pick(sendsByPhone), [toRecipient])(story)
}

/** Sends a message into the conversation of the story. */
export const sendInto: Act = (story) => {
  const operation = story.plan.pick(singleSends)
  send(operation, [operation === 'sendEmailMessage' ? toContactInConversation : toConversation])(story)
}

const parameters = ['none', 'bodyParameters', 'none', 'headerParameters', 'no template']

/** A template, mostly without the parameters that fill its placeholders. */
function templateOf({ own, plan }: Story): object {
  const templateId = own.template ?? plan.known('whatsappTemplate')
  const given = plan.pickInTurn(parameters)
  if (templateId === undefined || given === 'no template') return {}
  return given === 'none' ? { templateId } : { templateId, [given]: [{ type: 'text', text: plan.mint.name('parcel') }] }
}

const bulkFields: Fields = {
  content: content.sendBulkMessages,
  ...media,
  ...attachments,
  preheader: text('What is new'),
  scheduleType: oneOf('now'),
}

/** Sends to one to three addresses, and reads the messages of one of them. */
const bulk =
  (ofTemplate: boolean, count?: number): Act =>
  (story) => {
    const { plan, own } = story
    const channel = ofTemplate ? (own.templateType ?? 'sms') : plan.pick(['email', 'sms', 'whatsapp'] as const)
    const address = channel === 'email' ? 'email' : 'phone'
    const to = plan.target.loopback
      ? Array.from({ length: count ?? 1 + plan.number(2) }, () => plan.mint[address]())
      : [plan.recipient(address)]
    const body = {
      ...plan.bodies.bulk(channel, { to: to.join(',') }),
      ...story.fillSome(bulkFields),
      ...(channel === 'email' ? { subject: subject(story) } : {}),
      ...(own.templateType === channel || channel === 'whatsapp' ? templateOf(story) : {}),
    }
    const n = story.send('sendBulkMessages', { body })
    if (n === undefined || !plan.target.loopback || plan.bulkPause === undefined || plan.chance(25)) return
    const found = story.send('findOrCreateConversation', { body: { [address]: plan.pick(to) } })
    if (found !== undefined) story.send('listMessages', history(from(found, 'data._id')))
  }

export const sendInBulk = bulk(false)
export const sendToThree = bulk(false, 3)
export const sendTemplate = bulk(true)

const history = (conversationId: string, query: NonNullable<StepInput['query']> = { page: 1, limit: 100 }) => ({
  ...path('conversation', conversationId),
  query,
})

const pages = [1, 2, 1, 3, 1, 2, 4]
/** Small pages so that few records fill them. */
const limits = [1, 3, 10, 2, 100, 5]
export const page = ({ plan }: Story) => ({ page: plan.pickInTurn(pages), limit: plan.pickInTurn(limits) })

export const listPage =
  (query: NonNullable<StepInput['query']>): Act =>
  (story) =>
    story.send('listMessages', history(story.id('conversation'), query))

export const readHistory = listPage({ page: 1, limit: 100 })

export const listMessages: Act = (story) => {
  const { plan } = story
  const channel = plan.chance(44) ? { channel: plan.pick(['chat', 'email', 'sms', 'whatsapp']) } : {}
  listPage({ ...(plan.chance(12) ? {} : page(story)), ...channel })(story)
}

export const messageActs: readonly (readonly [number, Act])[] = [
  ...singleSends.map((operation) => [6, send(operation)] as const),
  [12, listMessages],
  [4, sendInBulk],
]

import fc from 'fast-check'
import type { SingleSend } from '../../../client/operations.ts'
import { sendsByPhone, singleSends } from '../../../spec/operation-groups.ts'
import { from } from '../model.ts'
import type { StepInput } from '../steps.ts'
import { type Act, type Fields, computed, oneOf, path, type Scene, some, text } from './story.ts'

const mediaUrl = ({ model }: Scene) => model.target.mediaUrl ?? 'https://www.example.com/plan.pdf'

const media: Fields = {
  source: oneOf('autumn', 'fair'),
  mediaUrl: computed(mediaUrl),
  mediaType: oneOf('image', 'file'),
}

const attachments: Fields = {
  attachments: computed((scene) => [
    {
      fileName: 'plan.pdf',
      fileSize: '12 KB',
      mimeType: 'application/pdf',
      mediaUrl: mediaUrl(scene),
      mediaType: 'file',
    },
  ]),
}

const answered = computed(({ own, model }) => own.message ?? model.pick('message') ?? model.mint.unknownId())

const thread: Fields = {
  replyToMessageId: answered,
  quotedMessageId: answered,
  threadId: computed(({ model }) => model.mint.unknownId()),
}

const content = fc.oneof(
  { weight: 2, arbitrary: text('Hello') },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('contact.firstName', 'firstName', 'contact.pigeon', 'contact.email')
      .map((field) => computed(({ model }) => `Hello {{${field}}} ${model.mint.name('again')}`))
      .chain((value) => value),
  },
)

const subject = text('Your engine')

const extras: Readonly<Record<SingleSend, Fields>> = {
  sendLiveMessage: { ...media, ...attachments },
  sendEmailMessage: { subject, ...media, ...attachments, ...thread },
  sendMessage: media,
}

/** The ways to name the receiver of a message. */
const byPhone: readonly ((scene: Scene) => object)[] = [
  (scene) => ({ conversationId: scene.id('conversation') }),
  (scene) => ({ conversationId: scene.id('conversation') }),
  (scene) => ({ contactId: scene.id('contact') }),
  (scene) => ({ recipientId: scene.id('contact') }),
  ({ own, model }) => ({ to: own.phone ?? model.mint.phone() }),
  ({ model }) => ({ to: model.mint.phone() }),
  ({ model }) => ({ conversationId: model.mint.unknownId() }),
  ({ model }) => ({ contactId: model.mint.unknownId() }),
  (scene) => ({ contactId: scene.id('contact'), to: scene.model.mint.phone() }),
  () => ({}),
]

const byEmail: readonly ((scene: Scene) => object)[] = [
  (scene) => ({ conversationId: scene.id('conversation'), recipientIds: [scene.id('contact')] }),
  (scene) => ({ conversationId: scene.id('conversation'), recipientIds: [scene.id('contact')] }),
  (scene) => ({ recipientIds: [scene.id('contact')] }),
  (scene) => ({ conversationId: scene.id('conversation') }),
  (scene) => ({ recipientIds: [scene.id('contact'), scene.model.id('contact', 3)] }),
  (scene) => ({ recipientIds: [scene.id('contact'), scene.model.mint.unknownId()] }),
  ({ own, model }) => ({ to: own.email ?? model.mint.email() }),
  ({ model }) => ({ to: model.mint.email() }),
]

const receivers = (operation: SingleSend) => (operation === 'sendEmailMessage' ? byEmail : byPhone)

/** Sends a message; by default to any receiver. */
export const send = (operation: SingleSend, to = receivers(operation)): fc.Arbitrary<Act> =>
  fc
    .tuple(
      fc.tuple(some(extras[operation]), fc.option(content, { freq: 3 })),
      fc.constantFrom(...to),
      fc.constantFrom('sms', 'whatsapp'),
      parameters,
    )
    .map(([[filled, content], receiver, channel, given]) => async (scene: Scene) => {
      const { model } = scene
      const base = {
        sendLiveMessage: () => model.some.chat(),
        sendEmailMessage: () => model.some.email(),
        sendMessage: () => model.some.text({ channel }),
      }[operation]()
      const to = operation === 'sendEmailMessage' ? 'email' : 'phone'
      const receivedBy = model.target.loopback ? receiver(scene) : { to: model.recipient(to) }
      const template = operation === 'sendMessage' && channel === 'whatsapp' ? templateFor(scene, given) : {}
      const written = content === null ? {} : scene.fill([['content', content]])
      const body = { ...base, ...written, ...scene.fill(filled), ...receivedBy, ...template }
      const n = await scene.send(operation, { body })
      if (n === undefined || !model.target.loopback) return
      scene.adopt('message', n)
      if ('conversationId' in receivedBy) return
      scene.adopt('conversation', n, 'data.conversationId')
      if (!('contactId' in receivedBy)) scene.adopt('contact', n, 'data.contactId')
    })

/** The fields that fill the placeholders of a template. */
export const parameters = fc.constantFrom('none', 'bodyParameters', 'headerParameters', 'no template')

export function templateFor({ own, model }: Scene, given: string): object {
  const templateId = own.template ?? model.pick('whatsappTemplate')
  if (templateId === undefined || given === 'no template') return {}
  return given === 'none'
    ? { templateId }
    : { templateId, [given]: [{ type: 'text', text: model.mint.name('parcel') }] }
}

/** A bulk send; then the messages that one of the addresses has received. */
const bulk = (channels: fc.Arbitrary<'email' | 'sms' | 'whatsapp' | 'own'>, counts = fc.integer({ min: 1, max: 3 })) =>
  fc
    .tuple(
      channels,
      counts,
      some({ content, ...media, ...attachments, preheader: text('What is new'), scheduleType: oneOf('now') }),
      subject,
      fc.nat({ max: 3 }),
      parameters,
    )
    .map(([wanted, count, filled, about, read, given]): Act => async (scene) => {
      const { model, own } = scene
      const channel = wanted === 'own' ? (own.templateType ?? 'sms') : wanted
      const of = channel === 'email' ? 'email' : 'phone'
      const isOfTemplate = scene.own.templateType === channel || channel === 'whatsapp'
      const to = model.target.loopback ? Array.from({ length: count }, () => model.mint[of]()) : [model.recipient(of)]
      const body = {
        ...model.some.bulk(channel, { to: to.join(',') }),
        ...scene.fill(filled),
        ...(channel === 'email' ? scene.fill([['subject', about]]) : {}),
        ...(isOfTemplate ? templateFor(scene, given) : {}),
      }
      const n = await scene.send('sendBulkMessages', { body })
      if (n === undefined || !model.target.loopback || model.bulkPause === undefined || read === 0) return
      const found = await scene.send('findOrCreateConversation', { body: { [of]: to.at(read - 1) ?? to.at(-1) } })
      if (found !== undefined) await scene.send('listMessages', history(from(found, 'data._id')))
    })

const anyChannel = fc.constantFrom('email', 'sms', 'whatsapp')
export const sendInBulk = bulk(anyChannel)
export const sendToThree = bulk(anyChannel, fc.constant(3))
/** With the template of the story. */
export const sendTemplate = bulk(fc.constant('own'))

const history = (conversationId: string) => ({
  ...path('conversationId', conversationId),
  query: { page: 1, limit: 100 },
})

/** A page, most often the first; small pages so that few records fill them. */
export const pages = fc.record({
  page: fc.constantFrom(1, 1, 1, 2, 2, 3, 4),
  limit: fc.constantFrom(1, 2, 3, 5, 10, 100),
})

export const listMessages: fc.Arbitrary<Act> = fc
  .tuple(
    fc.option(pages, { freq: 8 }),
    fc.constantFrom(...[null, null, null, null, null], 'chat', 'email', 'sms', 'whatsapp'),
  )
  .map(([page, channel]) => (scene: Scene) => {
    const query = { ...page, ...(channel === null ? {} : { channel }) }
    return scene.send('listMessages', { ...path('conversationId', scene.id('conversation')), query })
  })

export const sendToTwo = send('sendEmailMessage', byEmail.slice(4, 5))
export const sendToRecipient = fc.oneof(...sendsByPhone.map((operation) => send(operation, byPhone.slice(3, 4))))
export const sendText = send('sendMessage', byPhone.slice(0, 1))
export const reply = send('sendEmailMessage', byEmail.slice(0, 1))

/** Sends a message into the conversation of the story. */
export const sendInto = fc.oneof(...singleSends.map((operation) => send(operation, receivers(operation).slice(0, 1))))

export const listPage =
  (query: NonNullable<StepInput['query']>): Act =>
  (scene) =>
    scene.send('listMessages', { ...path('conversationId', scene.id('conversation')), query })

export const messageActs = [
  ...singleSends.map((operation) => ({ weight: 6, arbitrary: send(operation) })),
  { weight: 12, arbitrary: listMessages },
  { weight: 4, arbitrary: sendInBulk },
]

export const readHistory: Act = (scene) => scene.send('listMessages', history(scene.id('conversation')))

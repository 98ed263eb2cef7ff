import type { SingleSend } from '../../../client/operations/messages.ts'
import type { BodyOf } from '../../../spec/types.ts'
import { text } from '../values.ts'
import type { Fields, Walker } from '../walker.ts'

/** A message without its receiver. */
export const messageBodies: Readonly<Record<SingleSend, (walker: Walker) => object>> = {
  sendLiveMessage: (walker) => ({
    ...walker.some.chat(texts(walker, 'chat')),
    ...more(walker, 'chat', { ...media(walker), ...attachments(walker) }),
  }),
  sendEmailMessage: (walker) => ({
    ...walker.some.email({ ...texts(walker, 'email'), ...subject(walker) }),
    ...more(walker, 'email', { ...media(walker), ...attachments(walker), ...thread(walker) }),
  }),
  sendMessage: (walker) => {
    const channels = (['sms', 'whatsapp'] as const).filter((one) => walker.target.providers[one])
    const channel = channels.length === 0 ? 'sms' : walker.oneOf(channels)
    return {
      ...walker.some.text({ channel, ...texts(walker, channel) }),
      ...more(walker, channel, media(walker)),
      ...templateFor(walker, channel),
    }
  },
}

/** A bulk send without its receivers, whose addresses depend on the channel. */
export function bulkBody(walker: Walker): Omit<BodyOf<'sendBulkMessages'>, 'to'> {
  const channels = (['email', 'sms', 'whatsapp'] as const).filter((one) => walker.target.providers[one])
  const channel = channels.length === 0 ? 'email' : walker.oneOf(channels)
  const { to, ...body } = walker.some.bulk(channel, texts(walker, 'bulk'))
  return {
    ...body,
    ...(channel === 'email' ? subject(walker) : {}),
    ...walker.fewOf('fields of bulk', { ...media(walker), ...attachments(walker), ...ofBulk(walker) }),
    ...templateFor(walker, channel),
  }
}

/** Each channel gets each kind of text. */
function texts(walker: Walker, channel: string): { content?: string } {
  const fields = ['{{contact.firstName}}', '{{firstName}}', '{{contact.pigeon}}', '{{contact.email}}']
  if (walker.chance(30)) return { content: `Hello ${walker.oneOf(fields)} ${walker.mint.name('again')}` }
  return walker.chance(85) ? { content: text(walker, `Hello by ${channel}`) } : {}
}

const subject = (walker: Walker) => (walker.chance(50) ? { subject: text(walker, 'Your engine') } : {})

const more = (walker: Walker, channel: string, fields: Fields) =>
  walker.chance(35) ? {} : walker.fewOf(`fields of ${channel}`, fields)

const urlOfMedia = ({ target }: Walker) => target.mediaUrl ?? 'https://www.example.com/plan.pdf'

const media = (walker: Walker): Fields => ({
  source: () => walker.oneOf(['autumn', 'fair']),
  mediaUrl: () => urlOfMedia(walker),
  mediaType: () => walker.oneOf(['image', 'file']),
})

const attachments = (walker: Walker): Fields => ({
  attachments: () => [
    {
      fileName: 'plan.pdf',
      fileSize: '12 KB',
      mimeType: 'application/pdf',
      mediaUrl: urlOfMedia(walker),
      mediaType: 'file',
    },
  ],
})

const thread = (walker: Walker): Fields => ({
  replyToMessageId: () => walker.messages.pick()?.id ?? walker.mint.unknownId(),
  quotedMessageId: () => walker.messages.pick()?.id ?? walker.mint.unknownId(),
  threadId: () => walker.mint.unknownId(),
})

const ofBulk = (walker: Walker): Fields => ({
  preheader: () => text(walker, 'What is new'),
  scheduleType: () => 'now',
})

function templateFor(walker: Walker, channel: string): object {
  const template =
    channel === 'whatsapp' && walker.oneOf(['by template', 'as text']) === 'by template'
      ? walker.templates.pickAny()
      : undefined
  // Those of other types are refused, and with them the message.
  if (!template || (template.type !== 'whatsapp' && !walker.chance(15))) return {}
  return { templateId: template.id, ...parameters(walker, channel) }
}

/** What fills the placeholders of a template. */
export function parameters(walker: Walker, of: string): object {
  const where = walker.deal(`parameters of ${of}`, ['bodyParameters', 'headerParameters', 'nowhere'])
  return where === 'nowhere' ? {} : { [where]: [{ type: 'text', text: walker.mint.name('parcel') }] }
}

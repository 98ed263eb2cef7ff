import type { Call } from './harness.ts'

export const ada = 'ada@example.com'

export const grace = 'grace@example.com'

export const news = {
  to: ada,
  channel: 'email',
  subject: 'News',
  content: 'We open at nine',
  providerId: 'email-provider',
}

export const sms = { to: '+14155550123', channel: 'sms', content: 'We open at nine', providerId: 'sms-provider' }

export const whatsapp = { ...sms, channel: 'whatsapp', providerId: 'whatsapp-provider' }

interface Message {
  readonly content: string
  readonly subject?: string
  readonly channel: string
}

export const send = (call: Call, body: object = news, headers = {}) => call('sendBulkMessages', { body, headers })

/** The messages to the contact with the address, oldest first. */
export async function heardBy(call: Call, address: string, key = 'acme-key'): Promise<Message[]> {
  const body = address.includes('@') ? { email: address } : { phone: address }
  const { body: found } = await call('findOrCreateConversation', { body, key })
  const path = { conversationId: found.data._id as string }
  const { body: history } = await call('listMessages', { path, query: { limit: 100 }, key })
  return (history.data as { messages: Message[] }[]).flatMap(({ messages }) => messages).reverse()
}

export const textsHeardBy = async (call: Call, address: string) =>
  (await heardBy(call, address)).map(({ content }) => content)

export const templateOf = async (call: Call, body: object): Promise<string> =>
  (await call('createTemplate', { body: { name: 'T', uniqueName: 'template', ...body } })).body.data._id

export const ofWhatsapp = {
  templateType: 'whatsapp',
  content: 'Order {{1}} has left',
  category: 'UTILITY',
  language: 'en',
  provider: 'whatsapp-provider',
}

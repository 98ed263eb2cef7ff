import { arrives, findMessage } from './sent-messages.ts'
import { type Asking, CannotTell, isReason, requireThat } from './probe.ts'
import { findApprovedTemplate } from './templates-to-send.ts'

/** What a client reads where this text was sent to a contact with the first name Ada. */
export type Fill = (asking: Asking, text: string) => Promise<string>

/** A field that every server with merge fields fills in, however it writes their paths. */
export const firstName = '{{contact.firstName}} {{firstName}}'

export const isFilled = (text: string) => text.includes('Ada')

export const inChat: Fill = async ({ ask, some, make }, content) => {
  const { _id: contactId } = await make.contact({ firstName: 'Ada' })
  return (await ask('sendLiveMessage', { body: some.chat({ contactId, content }) })).data.content
}

export const inEmail: Fill = async (asking, text) => (await sendEmail(asking, { content: `<p>${text}</p>` })).content

export const inSubject: Fill = async (asking, subject) => {
  const seen = await sendEmail(asking, { subject })
  requireThat(typeof seen.subject === 'string', 'an e-mail does not show its subject')
  return seen.subject
}

async function sendEmail({ ask, some, make, recipient }: Asking, fields: object) {
  const { _id } = await make.contact({ firstName: 'Ada', email: recipient.email() })
  return (await ask('sendEmailMessage', { body: some.email({ recipientIds: [_id], ...fields }) })).data
}

export const inBulkSubject: Fill = async (asking, subject) => {
  const { ask, some, make, mint, recipient } = asking
  const email = recipient.email()
  const { _id: conversationId } = await make.conversation({ firstName: 'Ada', email })
  const content = mint.name('We open at nine')
  await ask('sendBulkMessages', { body: some.bulk('email', { to: email, subject, content }) })
  const reader = { email, conversationId }
  await arrives(asking, reader, content)
  const seen = (await findMessage(asking, reader, content))?.subject
  requireThat(typeof seen === 'string', 'the history does not show the subject of an e-mail')
  return seen
}

export const inParameter: Fill = async (asking, text) => {
  const { ask, some, make, recipient } = asking
  const { templateId, content: filled } = await findApprovedTemplate(asking)
  const { _id: contactId } = await make.contact({ firstName: 'Ada', phone: recipient.phone() })
  const bodyParameters = [{ type: 'text', text }]
  const body = some.text({ channel: 'whatsapp', contactId, templateId, headerParameters: [], bodyParameters })
  const { data } = await ask('sendMessage', { body })
  requireThat(
    data.content !== body.content && filled.includes('42'),
    'a message shows no parameters of its template (templateContent)',
  )
  return data.content
}

/** Each has an entry of its own that may turn it off, so one may be open where another is not. */
const places: readonly Fill[] = [inChat, inSubject, inBulkSubject, inParameter]

/** A place where this server fills in merge fields, and a client sees the result. */
export async function findPlace(asking: Asking): Promise<Fill> {
  return asking.once('a place where merge fields are filled in', async () => {
    for (const place of places) if (await fills(asking, place)) return place
    throw new CannotTell('merge fields are shown as they were sent, wherever a client can look (mergeFields)')
  })
}

async function fills(asking: Asking, place: Fill): Promise<boolean> {
  try {
    return isFilled(await place(asking, firstName))
  } catch (error) {
    if (!isReason(error)) throw error
    return false
  }
}

import type { mergeFieldRules } from '../../spec/assumptions/merge-fields.ts'
import { approvedTemplate } from './templates-to-send.ts'
import { newReceiver } from './sent-messages.ts'
import { byValue, describe, Other, requireThat } from './finding.ts'
import { type ProbeContext, tryEach } from './probe.ts'
import type { Questions } from './question.ts'

export const mergeFieldQuestions: Questions<typeof mergeFieldRules> = {
  mergeFields: async (context) => ((await isFilledIn(context, inChat)) ? 'rendered' : 'raw'),

  mergeFieldsElsewhere: (context) =>
    tryEach(
      async () => {
        if (await isFilledIn(context, inEmail)) return 'rendered'
        requireThat(await isFilledIn(context, inChat), 'texts are shown as they were sent (mergeFields)')
        return 'leftAsIs'
      },
      async () => {
        if (await isFilledIn(context, inSubject)) return 'rendered'
        requireThat(await isFilledIn(context, inBulkSubject), 'subjects are, too (mergeFieldsInSubject)')
        return 'leftAsIs'
      },
    ),

  mergeFieldPaths: async (context) => {
    const fill = await findPlace(context)
    const seen = await fill(context, '[{{contact.firstName}}] [{{firstName}}]')
    const [, dotted, bare] = /\[(.*)\] \[(.*)\]/.exec(seen) ?? []
    return byValue('which of contact.firstName and firstName is filled in', [dotted === 'Ada', bare === 'Ada'], {
      both: [true, true],
      contactDotField: [true, false],
      bareField: [false, true],
    })
  },

  unknownMergeField: async (context) => {
    const fill = await findPlace(context)
    const [seen] = /\[.*\]/.exec(await fill(context, '[{{contact.pigeon}}]')) ?? []
    return byValue('the text', seen, { leftAsIs: '[{{contact.pigeon}}]', empty: '[]' })
  },

  mergeFieldsInSubject: (context) =>
    tryEach(
      async () => {
        if (await isFilledIn(context, inSubject)) return 'rendered'
        requireThat(await isFilledIn(context, inEmail), 'single e-mails show no merge fields (mergeFieldsElsewhere)')
        return 'raw'
      },
      async () => ((await isFilledIn(context, inBulkSubject)) ? 'rendered' : 'raw'),
    ),
}

/** Whether a merge field that was sent there is filled in; it is left as it is otherwise. */
async function isFilledIn(context: ProbeContext, place: Fill): Promise<boolean> {
  const seen = await place(context, firstName)
  if (isFilled(seen)) return true
  if (seen.includes(firstName)) return false
  throw new Other(`the text is ${describe(seen)}`)
}

/** Sends a text to a contact with the first name Ada, and returns the text that a client reads. */
type Fill = (context: ProbeContext, text: string) => Promise<string>

/** A text that every server with merge fields changes, whichever paths it knows. */
const firstName = '{{contact.firstName}} {{firstName}}'

const isFilled = (text: string) => text.includes('Ada')

const inChat: Fill = async ({ ask, some, make }, content) => {
  const { _id: contactId } = await make.contact({ firstName: 'Ada' })
  return (await ask('sendLiveMessage', { body: some.chat({ contactId, content }) })).data.content
}

const inEmail: Fill = async (context, text) => (await sendEmail(context, { content: `<p>${text}</p>` })).content

const inSubject: Fill = async (context, subject) => {
  const seen = await sendEmail(context, { subject })
  requireThat(typeof seen.subject === 'string', 'an e-mail does not show its subject')
  return seen.subject
}

async function sendEmail({ ask, some, make, recipient }: ProbeContext, fields: object) {
  const { _id } = await make.contact({ firstName: 'Ada', email: recipient.email() })
  return (await ask('sendEmailMessage', { body: some.email({ recipientIds: [_id], ...fields }) })).data
}

const inBulkSubject: Fill = async (context, subject) => {
  const { send, arrives, messages } = await newReceiver(context, 'email', { firstName: 'Ada' })
  const content = await send({ subject })
  await arrives(content)
  const seen = (await messages()).find((message) => message.content === content)?.subject
  requireThat(typeof seen === 'string', 'the history does not show the subject of an e-mail')
  return seen
}

const inParameter: Fill = async (context, text) => {
  const { ask, some, make, recipient } = context
  const { templateId, content: filled } = await approvedTemplate(context)
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

/** An entry of the register may turn off each of these places. */
const places: readonly Fill[] = [inChat, inSubject, inBulkSubject, inParameter]

/** Returns a place where this server fills in merge fields, and a client sees the result. */
async function findPlace(context: ProbeContext): Promise<Fill> {
  const ways = places.map((place) => async () => {
    const seen = await place(context, firstName)
    requireThat(isFilled(seen), 'merge fields are shown as they were sent, wherever a client can look (mergeFields)')
    return place
  })
  return context.once('a place where merge fields are filled in', () => tryEach(...ways))
}

import type { mergeFieldRules } from '../../spec/assumptions/merge-fields.ts'
import { type Asking, byValue, describe, Other, type Probes, requireThat } from '../probe.ts'

export const mergeFieldProbes: Probes<typeof mergeFieldRules> = {
  mergeFields: async (asking) => {
    const seen = await chatWith(asking, 'Hello {{contact.firstName}} {{firstName}}')
    if (seen === 'Hello {{contact.firstName}} {{firstName}}') return 'raw'
    if (seen.includes('Ada')) return 'rendered'
    throw new Other(`the content is ${describe(seen)}`)
  },

  mergeFieldsElsewhere: async (asking) => {
    await checkRendered(asking)
    const { ask, some, make, recipient } = asking
    const { _id } = await make.contact({ email: recipient.email() })
    const sent = '<p>{{contact.firstName}} {{firstName}}</p>'
    const { data } = await ask('sendEmailMessage', { body: some.email({ recipientIds: [_id], content: sent }) })
    if (data.content === sent) return 'leftAsIs'
    if (data.content.includes('Ada')) return 'rendered'
    throw new Other(`the content is ${describe(data.content)}`)
  },

  mergeFieldPaths: async (asking) => {
    await checkRendered(asking)
    const seen = await chatWith(asking, '[{{contact.firstName}}] [{{firstName}}]')
    const filled = [seen.startsWith('[Ada]'), seen.endsWith('[Ada]')]
    return byValue('which of contact.firstName and firstName is filled in', filled, {
      both: [true, true],
      contactDotField: [true, false],
      bareField: [false, true],
    })
  },

  unknownMergeField: async (asking) => {
    await checkRendered(asking)
    const seen = await chatWith(asking, '[{{contact.pigeon}}]')
    return byValue('the content', seen, { leftAsIs: '[{{contact.pigeon}}]', empty: '[]' })
  },

  mergeFieldsInSubject: async (asking) => {
    await checkRendered(asking)
    const { ask, some, make, recipient } = asking
    const { _id } = await make.contact({ email: recipient.email() })
    const field = '{{contact.firstName}} {{firstName}}'
    const { data } = await ask('sendEmailMessage', {
      body: some.email({ recipientIds: [_id], subject: field, content: `<p>${field}</p>` }),
    })
    requireThat(data.content.includes('Ada'), 'single e-mails have no merge fields (mergeFieldsElsewhere)')
    if (data.subject === field) return 'raw'
    if (data.subject.includes('Ada')) return 'rendered'
    throw new Other(`the subject is ${describe(data.subject)}`)
  },
}

async function chatWith({ ask, some, make }: Asking, content: string): Promise<string> {
  const { _id: contactId } = await make.contact({ firstName: 'Ada' })
  return (await ask('sendLiveMessage', { body: some.chat({ contactId, content }) })).data.content
}

async function checkRendered(asking: Asking): Promise<void> {
  const seen = await chatWith(asking, '{{contact.firstName}} {{firstName}}')
  requireThat(seen.includes('Ada'), 'merge fields are shown as they were sent (mergeFields)')
}

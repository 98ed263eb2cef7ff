import { sends } from '../operation-groups.ts'
import { register } from './register.ts'

/** Words in a text that stand for something about the contact. */
export const mergeFieldRules = register({
  mergeFields: {
    section: 'Live chat',
    question: 'A text with merge fields was sent: what does the content of the message show?',
    operations: [...sends, 'listMessages'],
    choices: { rendered: 'the text with the values filled in', raw: 'the text as it was sent' },
    assumed: 'rendered',
    probe: { sends: 'send a chat message with a merge field to a contact of our own' },
  },
  mergeFieldsElsewhere: {
    section: 'SMS and whatsapp',
    question: 'Merge fields are documented for live chat and bulk sends: are they filled in elsewhere?',
    operations: ['sendEmailMessage', 'sendMessage'],
    choices: {
      rendered: 'yes: in single e-mails, SMS and WhatsApp messages too',
      leftAsIs: 'no: there they are ordinary text',
    },
    assumed: 'rendered',
    probe: { sends: 'send an e-mail with a merge field to a contact of our own' },
  },
  mergeFieldPaths: {
    section: 'Live chat',
    question: 'How is a merge field spelt?',
    operations: sends,
    choices: {
      both: 'with or without `contact.` before the name of the field',
      contactDotField: 'only with: {{contact.firstName}}',
      bareField: 'only without: {{firstName}}',
    },
    assumed: 'both',
    probe: { sends: 'send a chat message with both spellings to a contact of our own' },
  },
  unknownMergeField: {
    section: 'Live chat',
    question: 'What becomes of a merge field that leads nowhere?',
    operations: sends,
    choices: { leftAsIs: 'it stays as it is', empty: 'nothing stands in its place' },
    assumed: 'leftAsIs',
    probe: { sends: 'send a chat message with {{contact.pigeon}} to a contact of our own' },
  },
  mergeFieldsInSubject: {
    section: 'Bulk',
    question: 'Are merge fields filled in in the subject and the preheader, too?',
    operations: ['sendEmailMessage', 'sendBulkMessages'],
    choices: { rendered: 'yes', raw: 'no: they stay as they are' },
    assumed: 'rendered',
    probe: { sends: 'send an e-mail with a merge field in its subject to a contact of our own' },
  },
})

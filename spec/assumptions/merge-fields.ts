import { sends } from '../operation-groups.ts'
import { register } from './register.ts'

/** Merge fields: placeholders such as {{contact.firstName}} in a text. */
export const mergeFieldRules = register('Live chat', sends, {
  mergeFields: {
    question: 'A text with merge fields was sent: what is the content of the message?',
    operations: [...sends, 'listMessages'],
    choices: { rendered: 'the text with the values filled in', raw: 'the text as it was sent' },
    likely: 'The message is stored as it is sent.',
    probe: { sends: 'send a chat message with a merge field to a test contact' },
  },
  mergeFieldsElsewhere: {
    section: 'SMS and whatsapp',
    question: 'Merge fields are documented for live chat and bulk sends: are they filled in in other messages?',
    operations: ['sendEmailMessage', 'sendMessage'],
    choices: {
      rendered: 'yes, in single e-mails, SMS and WhatsApp messages too',
      leftAsIs: 'no: there they are ordinary text',
    },
    probe: { sends: 'send an e-mail with a merge field to a test contact' },
  },
  mergeFieldPaths: {
    question: 'How is a merge field written?',
    choices: {
      both: 'with or without `contact.` before the name of the field',
      contactDotField: 'only with it: {{contact.firstName}}',
      bareField: 'only without it: {{firstName}}',
    },
    probe: { sends: 'send a chat message with both forms to a test contact' },
  },
  unknownMergeField: {
    question: 'What happens to a merge field that does not exist?',
    choices: { leftAsIs: 'it stays as it is', empty: 'it is removed' },
    reason:
      'The sandbox has firstName, lastName, email, phone, status, source, lifecycleStage and additionalFields.KEY; a field without a value counts as a field that does not exist.',
    probe: { sends: 'send a chat message with {{contact.pigeon}} to a test contact' },
  },
  mergeFieldsInSubject: {
    section: 'Bulk',
    question: 'Are merge fields in the subject and the preheader filled in too?',
    operations: ['sendEmailMessage', 'sendBulkMessages'],
    choices: { rendered: 'yes', raw: 'no: they stay as they are' },
    likely: 'A subject is text for the same person.',
    probe: { sends: 'send an e-mail with a merge field in its subject to a test contact' },
  },
})

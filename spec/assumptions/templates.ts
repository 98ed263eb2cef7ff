import { register } from './register.ts'

/** Message templates, and their approval by the messaging platform. */
export const templates = register({
  whatsappApproval: {
    section: 'States and transitions',
    question: 'How is a pending WhatsApp template approved?',
    operations: ['createTemplate', 'updateTemplate', 'getTemplate', 'listTemplates', 'sendMessage', 'sendBulkMessages'],
    choices: {
      byControl: 'through the control plane, which can also reject it',
      atOnce: 'automatically, as soon as it is created',
      afterDelay: {
        words: 'automatically, after this delay',
        amount: { unit: 'milliseconds', usual: 5000 },
      },
      never: 'never: it stays pending, and the control plane cannot change that',
    },
    assumed: 'byControl',
    probe: { platform: 'create a WhatsApp template, and get it until it is no longer pending' },
  },
  whatsappAfterUpdate: {
    section: 'States and transitions',
    question: 'What is the status of a WhatsApp template after an update?',
    operations: ['updateTemplate'],
    choices: { unchanged: 'the same as before', pendingAgain: 'pending, until the platform approves it again' },
    assumed: 'unchanged',
    probe: { platform: 'update an approved WhatsApp template' },
  },
  uniqueNameScope: {
    section: 'Template',
    question: 'Can a template have the uniqueName of a template of another type?',
    operations: ['createTemplate'],
    choices: {
      team: 'no: the name is unique among all templates of the team (otherwise 400)',
      type: 'yes: the name is unique among the templates of one type',
    },
    assumed: 'team',
    probe: 'create an SMS template and an e-mail template with one uniqueName',
  },
  whatsappNameForm: {
    section: 'Template',
    question: 'Must the uniqueName of a WhatsApp template be in snake_case?',
    operations: ['createTemplate'],
    choices: { accepted: 'no: any text is accepted', refused: 'yes (otherwise 400)' },
    assumed: 'accepted',
    probe: { platform: 'create a WhatsApp template with a capital letter and a space in its uniqueName' },
  },
  languageForm: {
    section: 'Template',
    question: 'Must the language of a template be a BCP-47 code?',
    operations: ['createTemplate', 'updateTemplate'],
    choices: { accepted: 'no: any text is accepted', refused: 'yes (otherwise 400)' },
    assumed: 'accepted',
    probe: 'create an SMS template with the language `not a language`',
  },
  templateProvider: {
    section: 'Templates',
    question: 'Must the provider of a template exist, and be of the channel of the template?',
    operations: ['createTemplate'],
    choices: { refused: 'yes (otherwise 400)', accepted: 'no' },
    assumed: 'refused',
    probe: 'create an SMS template with a provider that does not exist',
  },
  templateTypeChange: {
    section: 'Templates',
    question: 'An update sends a templateType that is not the type of the template: what happens?',
    operations: ['updateTemplate'],
    choices: { refused: 'the update is refused (400)', ignored: 'the type stays, and the other fields are updated' },
    assumed: 'refused',
    probe: 'create an SMS template, and update it as an e-mail template',
  },
  templateAfterUpdate: {
    section: 'Templates',
    question: 'An update returns “updated template fields”: which ones?',
    operations: ['updateTemplate'],
    choices: {
      wholeTemplate: 'the whole template, as it is after the update',
      changedFields: '_id and the fields that were sent',
    },
    assumed: 'wholeTemplate',
    probe: 'create an SMS template, and update only its name',
  },
  templateFields: {
    section: 'Template',
    question: 'Which fields of a template are returned besides those shown?',
    operations: ['getTemplate', 'listTemplates', 'updateTemplate'],
    choices: { onlyShown: 'none', allSent: 'all that were sent with it, such as provider, variables and footer' },
    assumed: 'onlyShown',
    probe: 'create an SMS template with variables, and get it',
  },
})

/** Sending a template. */
export const templateSends = register({
  unknownTemplate: {
    section: 'Errors',
    question: 'What is the response to a send with a template that does not exist?',
    operations: ['sendMessage', 'sendBulkMessages'],
    choices: { notFound: '404', badRequest: '400' },
    assumed: 'notFound',
    probe: { sends: 'send a WhatsApp message to a test number, with the id of a deleted template' },
  },
  unapprovedTemplate: {
    section: 'Bulk',
    question: 'A single message needs an approved template: what is the response to a bulk send with another one?',
    operations: ['sendBulkMessages'],
    choices: { refused: '400', accepted: 'the same as to any send' },
    assumed: 'refused',
    probe: { sends: 'create a WhatsApp template, and send it at once in a bulk send to a test number' },
  },
  templateOnSms: {
    section: 'SMS and whatsapp',
    question: 'A single SMS has a template or its parameters, which are for WhatsApp only: what happens?',
    operations: ['sendMessage'],
    choices: { refused: 'the send is refused (400)', ignored: 'they are ignored, and the content is sent' },
    assumed: 'refused',
    probe: { sends: 'send an SMS with a templateId to a test number' },
  },
  templateOfOtherType: {
    section: 'SMS and whatsapp',
    question: 'A WhatsApp message is sent with an SMS or e-mail template: what happens?',
    operations: ['sendMessage', 'sendBulkMessages'],
    choices: { refused: 'the send is refused (400)', ignored: 'the template is ignored, and the content is sent' },
    assumed: 'refused',
    probe: { sends: 'create an SMS template, and send it by WhatsApp to a test number' },
  },
  templateContent: {
    section: 'SMS and whatsapp',
    question: 'A template was sent: what is the content of the message?',
    operations: ['sendMessage', 'listMessages'],
    choices: {
      filledTemplate: 'the text of the template, with its parameters filled in',
      fallbackText: 'the content of the request',
    },
    assumed: 'filledTemplate',
    probe: { sends: 'send an approved WhatsApp template to a test number' },
  },
  missingParameters: {
    section: 'SMS and whatsapp',
    question: 'A send has fewer parameters than its template has placeholders: what happens?',
    operations: ['sendMessage', 'sendBulkMessages'],
    choices: { leftAsIs: 'it is sent, and those placeholders stay as they are', refused: 'it is refused (400)' },
    assumed: 'leftAsIs',
    probe: { sends: 'send an approved WhatsApp template without its parameters to a test number' },
  },
})

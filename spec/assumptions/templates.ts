import { register } from './register.ts'

/** Message templates, and their approval by the messaging platform. */
export const templates = register('Templates', ['createTemplate'], {
  whatsappApproval: {
    section: 'States and transitions',
    question: 'How is a pending WhatsApp template approved?',
    operations: ['createTemplate', 'updateTemplate'],
    choices: {
      byControl: 'through the control plane, which can also reject it',
      atOnce: 'automatically, as soon as it is created',
      afterDelay: {
        words: 'automatically, after this delay',
        amount: { unit: 'milliseconds', usual: 5000 },
      },
      never: 'never: it stays pending, and the control plane cannot change that',
    },
    probe: { platform: 'create a WhatsApp template, and get it until it is no longer pending' },
    beyondClients: {
      byControl: 'A template that waits for an approval looks like one that is approved later.',
      never: 'A template that is never approved looks like one that is approved later.',
    },
  },
  whatsappAfterUpdate: {
    section: 'States and transitions',
    question: 'What is the status of a WhatsApp template after an update?',
    operations: ['updateTemplate'],
    choices: {
      pendingAgain:
        'pending, until the platform approves it again, if the content, category, language or header file has changed; otherwise the same as before',
      unchanged: 'the same as before',
    },
    likely:
      'The platform reviews these again, and does not know the display name. A template that was pending stays so, since its review has not ended.',
    probe: { platform: 'update the content of an approved WhatsApp template' },
  },
  uniqueNameScope: {
    section: 'Template',
    question: 'Can a template have the uniqueName of a template of another type?',
    choices: {
      team: 'no: the name is unique among all templates of the team (otherwise 400)',
      type: 'yes: the name is unique among the templates of one type',
    },
    probe: 'create an SMS template and an e-mail template with one uniqueName',
  },
  smsCategory: {
    section: 'Template',
    question: 'The values of category are named for WhatsApp: which ones can a template of another type have?',
    operations: ['createTemplate', 'updateTemplate'],
    choices: { anyString: 'any text', sameValues: 'the same ones (otherwise 400)' },
    likely: 'Only WhatsApp is said to have a list of values.',
    probe: 'create an SMS template with the category `service`',
  },
  uniqueNameForm: {
    section: 'Template',
    question:
      'The specification calls the uniqueName of a template a slug: must it be one in an SMS or e-mail template?',
    choices: {
      accepted: 'no: any text is accepted',
      refused: 'yes: small letters, digits, dashes and underscores (otherwise 400)',
    },
    probe: 'create an SMS template with a capital letter and a space in its uniqueName',
  },
  whatsappNameForm: {
    section: 'Template',
    question: 'Must the uniqueName of a WhatsApp template be in snake_case?',
    choices: { refused: 'yes (otherwise 400)', accepted: 'no: any text is accepted' },
    likely: 'The platform accepts only lower-case letters, digits and underscores in a name.',
    probe: { platform: 'create a WhatsApp template with a capital letter and a space in its uniqueName' },
  },
  languageForm: {
    section: 'Template',
    question: 'Must the language of a template be a BCP-47 code?',
    operations: ['createTemplate', 'updateTemplate'],
    choices: { accepted: 'no: any text is accepted', refused: 'yes (otherwise 400)' },
    likely:
      'A string of Mongoose has no format. The platform writes en_US, which is not a BCP-47 code, so a strict check would refuse what it needs.',
    probe: 'create an SMS template with the language `not a language`',
  },
  templateProvider: {
    question: 'Must the provider of a template exist, and be of the channel of the template?',
    choices: { refused: 'yes (otherwise 400)', accepted: 'no' },
    probe: 'create an SMS template with a provider that does not exist',
  },
  templateTypeChange: {
    question: 'An update sends a templateType that is not the type of the template: what happens?',
    operations: ['updateTemplate'],
    choices: { refused: 'the update is refused (400)', ignored: 'the type stays, and the other fields are updated' },
    probe: 'create an SMS template, and update it as an e-mail template',
  },
  templatePlaceholders: {
    question:
      'The placeholders of a WhatsApp template are not numbered from {{1}}, or its sample values are more or fewer: what happens?',
    operations: ['createTemplate', 'updateTemplate'],
    choices: { accepted: 'the template is stored as it was sent', refused: 'the template is refused (400)' },
    reason: 'The platform checks the numbers and the samples, after the response.',
    probe: { platform: 'create a WhatsApp template with the placeholder {{2}} only' },
  },
  templateHeaderFields: {
    question:
      'The header fields of a WhatsApp template disagree, such as a headerText without a headerType: what happens?',
    operations: ['createTemplate'],
    choices: { accepted: 'they are stored as they were sent', refused: 'the template is refused (400)' },
    likely: 'The platform checks them, after the response.',
    probe: { platform: 'create a WhatsApp template with a headerText and no headerType' },
  },
  templateVariables: {
    question: 'The variables of an SMS or e-mail template are not the merge fields of its text: what happens?',
    operations: ['createTemplate', 'updateTemplate'],
    choices: { accepted: 'they are stored as they were sent', refused: 'the template is refused (400)' },
    likely: 'The variables are optional, so only the text can name the placeholders.',
    probe: 'create an SMS template with the variable pigeon, which its text does not have',
  },
  templateAfterUpdate: {
    question: 'An update returns “updated template fields”: which ones?',
    operations: ['updateTemplate'],
    choices: {
      wholeTemplate: 'the whole template, as it is after the update',
      changedFields: '_id and the fields that were sent',
    },
    likely: 'A handler usually returns the record that it has saved.',
    probe: 'create an SMS template, and update only its name',
  },
  templateFields: {
    section: 'Template',
    question: 'Which fields of a template are returned besides those shown?',
    operations: ['getTemplate', 'listTemplates', 'updateTemplate'],
    choices: { onlyShown: 'none', allSent: 'all that were sent with it, such as provider, variables and footer' },
    probe: 'create an SMS template with variables, and get it',
  },
})

/** Sending a template. */
export const templateSends = register('SMS and whatsapp', ['sendMessage', 'sendBulkMessages'], {
  unknownTemplate: {
    section: 'Errors',
    question: 'What is the response to a send with a template that does not exist?',
    choices: { notFound: '404', badRequest: '400' },
    likely: 'The text of the 404 is “Resource not found”, and the template is a resource.',
    probe: { sends: 'send a WhatsApp message to a test number, with the id of a deleted template' },
  },
  unapprovedTemplate: {
    section: 'Bulk',
    question: 'A single message needs an approved template: what is the response to a bulk send with another one?',
    operations: ['sendBulkMessages'],
    choices: { refused: '400', accepted: 'the same as to any send' },
    probe: { sends: 'create a WhatsApp template, and send it at once in a bulk send to a test number' },
  },
  unapprovedInSingleSend: {
    question: 'A single WhatsApp message names a template that is not approved: what happens?',
    operations: ['sendMessage'],
    choices: { refused: 'the send is refused (400)', accepted: 'the message counts as sent' },
    likely: 'The field is described as the id of an approved template.',
    probe: { sends: 'create a WhatsApp template, and send it at once to a test number' },
  },
  whatsappWithoutTemplate: {
    question:
      'Template fields are required for template and marketing sends: does a single WhatsApp message need a template?',
    operations: ['sendMessage'],
    choices: { accepted: 'no: its content is sent', refused: 'yes (otherwise 400)' },
    likely: 'The table does not mark templateId as required.',
    probe: { sends: 'send a WhatsApp message without a template to a test number' },
  },
  templateOnSms: {
    question: 'A single SMS has a template or its parameters, which are for WhatsApp only: what happens?',
    operations: ['sendMessage'],
    choices: { refused: 'the send is refused (400)', ignored: 'they are ignored, and the content is sent' },
    probe: { sends: 'send an SMS with a templateId to a test number' },
  },
  templateOfOtherType: {
    question:
      'A WhatsApp message, or a bulk send that uses its template, is sent with a template of another type: what happens?',
    choices: { refused: 'the send is refused (400)', ignored: 'the template is ignored, and the content is sent' },
    likely: 'The template of one channel cannot be sent on another.',
    probe: { sends: 'create an SMS template, and send it by WhatsApp to a test number' },
  },
  templateContent: {
    question: 'A template was sent: what is the content of the message?',
    operations: ['sendMessage', 'listMessages'],
    choices: {
      filledTemplate: 'the text of the template, with its parameters filled in',
      fallbackText: 'the content of the request',
    },
    probe: { sends: 'send an approved WhatsApp template to a test number' },
  },
  missingParameters: {
    question:
      'A send has fewer parameters than its template has placeholders, or one of them has no text: what happens?',
    choices: { leftAsIs: 'it is sent, and those placeholders stay as they are', refused: 'it is refused (400)' },
    probe: { sends: 'send an approved WhatsApp template without its parameters to a test number' },
  },
})

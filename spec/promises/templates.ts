import type { Wordings } from './wording.ts'

/** Reusable messages; those for WhatsApp wait for the platform to approve them. */
export const templates = {
  Template: {
    'template.getShowsTheTemplate': {
      words: 'A template shows an id, a status, and the type, names and content that it was created with.',
      operations: ['getTemplate'],
      fields: ['_id', 'templateType', 'name', 'uniqueName', 'content', 'status'],
    },
    'template.getShowsWhatElseWasGiven': {
      words: 'A template shows the language, the WhatsApp category and the e-mail subject that it was created with.',
      operations: ['getTemplate'],
      fields: ['language', 'category', 'subject'],
    },
    'template.statusIsKnown': {
      words: 'The status of a template is one of the three that are named.',
      operations: ['listTemplates', 'getTemplate', 'createTemplate'],
      values: ['pending', 'approved', 'rejected'],
    },
    'template.listHasPagination': {
      words: 'The pagination of the template list has four integers and a boolean under their own names.',
      operations: ['listTemplates'],
      fields: ['totalResults', 'totalPages', 'currentPage', 'limit', 'hasMore'],
    },
    'template.listTotal': {
      words: 'The totalResults of a list is the number of templates that match.',
      operations: ['listTemplates'],
    },
    'template.listTotalPages': {
      words: 'The totalPages of a list that is not empty is totalResults divided by limit, rounded up.',
      operations: ['listTemplates'],
    },
    'template.listCurrentPage': {
      words: 'The currentPage of a template list is the page that was asked for.',
      operations: ['listTemplates'],
    },
    'template.listLimit': {
      words: 'The limit in the pagination is the limit that was asked for.',
      operations: ['listTemplates'],
    },
    'template.listHasMore': {
      words: 'The hasMore of a template list is true on every page before the last, and false on the last.',
      operations: ['listTemplates'],
    },
  },
  'States and transitions': {
    'template.smsStartsApproved': {
      words: 'An SMS template is approved as soon as it is created.',
      operations: ['createTemplate'],
    },
    'template.emailStartsApproved': {
      words: 'An e-mail template is approved as soon as it is created.',
      operations: ['createTemplate'],
    },
    'template.whatsappStartsPending': {
      words: 'A WhatsApp template is pending when it is created.',
      operations: ['createTemplate'],
      strength: 'usual',
      reason: 'It is said to be usually so, until the messaging platform approves.',
    },
  },
  'Common conventions': {
    'template.createTakesAForm': {
      words: 'A WhatsApp template with a media file for its header can be created as multipart/form-data.',
      operations: ['createTemplate'],
      fields: ['file'],
    },
    'template.updateTakesAForm': {
      words: 'A WhatsApp template can be updated as multipart/form-data with a media file for its header.',
      operations: ['updateTemplate'],
      fields: ['file'],
    },
  },
  Index: {
    'template.listAnswers200': {
      words: 'Listing templates answers 200.',
      operations: ['listTemplates'],
      status: 200,
    },
    'template.getAnswers200': {
      words: 'Getting a template answers 200.',
      operations: ['getTemplate'],
      status: 200,
    },
    'template.createAnswers201': {
      words: 'Creating a template answers 201.',
      operations: ['createTemplate'],
      status: 201,
    },
    'template.updateAnswers200': {
      words: 'Updating a template answers 200.',
      operations: ['updateTemplate'],
      status: 200,
    },
    'template.deleteAnswers200': {
      words: 'Deleting a template answers 200.',
      operations: ['deleteTemplate'],
      status: 200,
    },
  },
  Templates: {
    'template.listRequires': {
      words: 'Listing templates is answered 400 when one of its required parameters is missing.',
      operations: ['listTemplates'],
      status: 400,
      fields: ['page', 'limit', 'types', 'statuses'],
    },
    'template.listIsAList': {
      words: 'The data of the template list is a list of templates, each with what it was created with.',
      operations: ['listTemplates'],
      fields: ['_id', 'templateType', 'name', 'uniqueName', 'content', 'status', 'language', 'category', 'subject'],
    },
    'template.listHoldsWhatWasCreated': {
      words: 'A template that was created is in the list of its type and status.',
      operations: ['createTemplate', 'listTemplates'],
    },
    'template.listLimitHolds': {
      words: 'A page of the template list holds no more templates than the limit.',
      operations: ['listTemplates'],
    },
    'template.listPagesAddUp': {
      words: 'The pages of the template list together hold each template once.',
      operations: ['listTemplates'],
    },
    'template.listFiltersByType': {
      words: 'A list of one template type holds no template of another type.',
      operations: ['listTemplates'],
      fields: ['types'],
      values: ['sms', 'email', 'whatsapp'],
    },
    'template.typesMayRepeat': {
      words: 'A list of several types, each in its own parameter, holds the templates of them all, and no others.',
      operations: ['listTemplates'],
      fields: ['types'],
    },
    'template.listFiltersByStatus': {
      words: 'A list of one status holds no template in another status.',
      operations: ['listTemplates'],
      fields: ['statuses'],
      values: ['pending', 'approved', 'rejected'],
    },
    'template.statusesMayRepeat': {
      words:
        'A list of several statuses, each in its own parameter, holds the templates in any of them, and no others.',
      operations: ['listTemplates'],
      fields: ['statuses'],
    },
    'template.createRequires': {
      words: 'A template without a templateType is answered 400.',
      operations: ['createTemplate'],
      status: 400,
      fields: ['templateType'],
    },
    'template.typesAreTaken': {
      words: 'A template of each of the three types can be created, and updated under its type.',
      operations: ['createTemplate', 'updateTemplate'],
      values: ['sms', 'email', 'whatsapp'],
    },
    'template.otherTypesAreRefused': {
      words: 'A template of a type that is none of the three is answered 400 on create and on update.',
      operations: ['createTemplate', 'updateTemplate'],
      status: 400,
    },
    'template.smsRequires': {
      words: 'An SMS template is answered 400 when one of its required fields is missing.',
      operations: ['createTemplate'],
      status: 400,
      fields: ['name', 'uniqueName', 'content', 'provider'],
    },
    'template.smsTakesOptionalFields': {
      words: 'Each optional field of an SMS template is accepted.',
      operations: ['createTemplate'],
      fields: ['category', 'language', 'variables'],
    },
    'template.emailRequires': {
      words: 'An e-mail template is answered 400 when one of its required fields is missing.',
      operations: ['createTemplate'],
      status: 400,
      fields: ['name', 'uniqueName', 'subject', 'content', 'provider'],
    },
    'template.emailTakesOptionalFields': {
      words: 'Each optional field of an e-mail template is accepted.',
      operations: ['createTemplate'],
      fields: ['preheader', 'language', 'variables'],
    },
    'template.whatsappRequires': {
      words: 'A WhatsApp template is answered 400 when one of its required fields is missing.',
      operations: ['createTemplate'],
      status: 400,
      fields: ['name', 'uniqueName', 'content', 'category', 'language', 'provider'],
    },
    'template.whatsappTakesOptionalFields': {
      words: 'Each optional field of a WhatsApp template is accepted.',
      operations: ['createTemplate'],
      fields: [
        'variables',
        'bodyVariableSampleValues',
        'headerVariables',
        'headerVariableSampleValues',
        'isHeader',
        'headerType',
        'headerText',
        'footer',
        'templateButtons',
      ],
    },
    'template.categoriesAreTaken': {
      words: 'Each of the three categories of a WhatsApp template is accepted.',
      operations: ['createTemplate'],
      values: ['UTILITY', 'MARKETING', 'AUTHENTICATION'],
    },
    'template.otherCategoriesAreRefused': {
      words: 'A WhatsApp template of a category that is none of the three is answered 400.',
      operations: ['createTemplate'],
      status: 400,
    },
    'template.headerTypesAreTaken': {
      words: 'Each of the four header types of a WhatsApp template is accepted, with a file where it needs one.',
      operations: ['createTemplate'],
      values: ['text', 'image', 'video', 'document'],
    },
    'template.otherHeaderTypesAreRefused': {
      words: 'A WhatsApp template with a header type that is none of the four is answered 400.',
      operations: ['createTemplate'],
      status: 400,
    },
    'template.mediaHeaderNeedsAFile': {
      words: 'A WhatsApp template with a header of media but no file is answered 400.',
      operations: ['createTemplate'],
      status: 400,
      values: ['image', 'video', 'document'],
    },
    'template.buttonsInAFormAreText': {
      words: 'The buttons in a form are taken from a JSON string, and a text that is no JSON is answered 400.',
      operations: ['createTemplate'],
      status: 400,
      fields: ['templateButtons'],
    },
    'template.createAnswersWithTheTemplate': {
      words: 'Creating a template answers with an id, a status, and the type and name that were given.',
      operations: ['createTemplate'],
      fields: ['_id', 'templateType', 'name', 'status'],
    },
    'template.createAnswersWithTheSubject': {
      words: 'Creating an e-mail template answers with the subject too.',
      operations: ['createTemplate'],
      fields: ['subject'],
    },
    'template.updateRequires': {
      words: 'Updating a template without a templateType is answered 400.',
      operations: ['updateTemplate'],
      status: 400,
      fields: ['templateType'],
    },
    'template.updateTakesAnyOneField': {
      words: 'Any single optional field, beside the type, is enough for an update of a template.',
      operations: ['updateTemplate'],
      fields: ['name', 'content', 'category', 'language', 'variables'],
    },
    'template.updateAnswersWithTheChange': {
      words: 'The answer to an update of a template shows the fields that were changed, with their new values.',
      operations: ['updateTemplate'],
      fields: ['name', 'content', 'category', 'language'],
    },
    'template.updateIsKept': {
      words: 'A template that is read after an update shows what the update gave.',
      operations: ['updateTemplate', 'getTemplate'],
      fields: ['name', 'content'],
    },
    'template.updateKeepsTheRest': {
      words: 'An update leaves the fields of a template that it does not mention as they were.',
      operations: ['updateTemplate', 'getTemplate'],
    },
    'template.deletedIsGone': {
      words: 'A template that was deleted can no longer be got, and is on no list.',
      operations: ['deleteTemplate', 'getTemplate', 'listTemplates'],
    },
  },
} as const satisfies Wordings<'template'>

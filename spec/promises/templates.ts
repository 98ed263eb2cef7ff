import {
  refuses,
  requirements,
  requires,
  requiresOne,
  returns,
  succeeds,
  takesOptional,
  typeIsNamed,
} from './wording.ts'

/** Message templates. Those for WhatsApp wait for approval by the messaging platform. */
export const templates = [
  requirements('Template', ['getTemplate'], {
    'template.getShowsTheTemplate': {
      words: 'Getting a template returns its id, its status, and the type, names and content that it was created with.',
      fields: ['_id', 'templateType', 'name', 'uniqueName', 'content', 'status'],
    },
    'template.getShowsWhatElseWasGiven': {
      words:
        'Getting a template returns the language, the WhatsApp category and the e-mail subject that it was created with.',
      fields: ['language', 'category', 'subject'],
    },
    'template.takenUniqueNameIsRefused': {
      words:
        'Creating a template with the uniqueName of another of its type is refused, or gives it another uniqueName.',
      operations: ['createTemplate'],
    },
  }),
  requirements('Template', ['listTemplates'], {
    'template.statusIsKnown': {
      words: 'The status of a template is pending, approved or rejected.',
      operations: ['listTemplates', 'getTemplate', 'createTemplate'],
      values: ['pending', 'approved', 'rejected'],
    },
    'template.listHasPagination': {
      words:
        'The pagination of the template list has totalResults, totalPages, currentPage and limit as integers, and hasMore as a boolean.',
      fields: ['totalResults', 'totalPages', 'currentPage', 'limit', 'hasMore'],
    },
    'template.listTotal': 'The totalResults of a template list is the number of matching templates.',
    'template.listTotalPages':
      'The totalPages of a template list that is not empty is totalResults divided by limit, rounded up.',
    'template.listCurrentPage': 'The currentPage of a template list is the requested page.',
    'template.listLimit':
      'The limit in the pagination of a template list is the requested one, unless it is above the largest.',
    'template.listHasMore':
      'The hasMore of a template list is true on every page before the last, and false on the last.',
  }),
  requirements('States and transitions', ['createTemplate'], {
    'template.smsStartsApproved': 'A new SMS template is approved at once.',
    'template.emailStartsApproved': 'A new e-mail template is approved at once.',
    'template.whatsappStartsPending': {
      words: 'A new WhatsApp template is pending.',
      reason: 'The specification says "usually", until the messaging platform approves it.',
      assumption: 'whatsappApproval',
    },
  }),
  requirements('Common conventions', ['createTemplate'], {
    'template.createTakesAForm': {
      words: 'A WhatsApp template with a media file for its header can be created as multipart/form-data.',
      fields: ['file'],
    },
    'template.updateTakesAForm': {
      words: 'A WhatsApp template can be updated as multipart/form-data with a media file for its header.',
      operations: ['updateTemplate'],
      fields: ['file'],
    },
  }),
  requirements('Index', ['listTemplates'], {
    'template.listAnswers200': succeeds(200, 'Listing templates'),
    'template.getAnswers200': { ...succeeds(200, 'Getting a template'), operations: ['getTemplate'] },
    'template.createAnswers201': { ...succeeds(201, 'Creating a template'), operations: ['createTemplate'] },
    'template.updateAnswers200': { ...succeeds(200, 'Updating a template'), operations: ['updateTemplate'] },
    'template.deleteAnswers200': { ...succeeds(200, 'Deleting a template'), operations: ['deleteTemplate'] },
  }),
  requirements('Templates', ['listTemplates'], {
    'template.listRequires': {
      ...returns(400, 'Listing templates', 'when a required parameter is missing'),
      kind: 'missing',
      fields: ['page', 'limit', 'types', 'statuses'],
    },
    'template.listIsAList': {
      words: 'The data of the template list is a list of templates, each with the values that it was created with.',
      fields: ['_id', 'templateType', 'name', 'uniqueName', 'content', 'status', 'language', 'category', 'subject'],
    },
    'template.listHoldsWhatWasCreated': {
      words: 'A new template is in the list of its type and status.',
      operations: ['createTemplate', 'listTemplates'],
    },
    'template.listLimitHolds': 'A page of the template list contains no more templates than the limit.',
    'template.listPagesAddUp': 'The pages of the template list together contain each template once.',
    'template.listFiltersByType': {
      words: 'A template list of one type contains no template of another type.',
      fields: ['types'],
      values: ['sms', 'email', 'whatsapp'],
    },
    'template.typesMayRepeat': {
      words:
        'A template list of several types, with the parameter repeated, contains the templates of all of them and no others.',
      fields: ['types'],
    },
    'template.listFiltersByStatus': {
      words: 'A template list of one status contains no template with another status.',
      fields: ['statuses'],
      values: ['pending', 'approved', 'rejected'],
    },
    'template.statusesMayRepeat': {
      words:
        'A template list of several statuses, with the parameter repeated, contains the templates with any of them and no others.',
      fields: ['statuses'],
    },
  }),
  requirements('Templates', ['createTemplate'], {
    'template.createRequires': requiresOne('Creating a template', 'templateType'),
    'template.typesAreTaken': {
      words: 'A template of each type (sms, email and whatsapp) can be created, and updated with its templateType.',
      operations: ['createTemplate', 'updateTemplate'],
      values: ['sms', 'email', 'whatsapp'],
    },
    'template.otherTypesAreRefused': {
      ...refuses(['templateType'], 'A templateType other than sms, email and whatsapp', 'on create and on update'),
      operations: ['createTemplate', 'updateTemplate'],
    },
    'template.smsRequires': {
      ...requires('Creating an SMS template', 'name', 'uniqueName', 'content', 'provider'),
      templateType: 'sms',
    },
    'template.requiredFieldsSuffice': {
      words: 'A template of each type can be created with only its required fields.',
      kind: 'requiredFieldsSuffice',
    },
    'template.smsTakesOptionalFields': takesOptional('an SMS template', 'category', 'language', 'variables'),
    'template.emailRequires': {
      ...requires('Creating an e-mail template', 'name', 'uniqueName', 'subject', 'content', 'provider'),
      templateType: 'email',
    },
    'template.emailTakesOptionalFields': takesOptional('an e-mail template', 'preheader', 'language', 'variables'),
    'template.whatsappRequires': {
      ...requires('Creating a WhatsApp template', 'name', 'uniqueName', 'content', 'category', 'language', 'provider'),
      templateType: 'whatsapp',
    },
    'template.whatsappTakesOptionalFields': takesOptional(
      'a WhatsApp template',
      'variables',
      'bodyVariableSampleValues',
      'headerVariables',
      'headerVariableSampleValues',
      'isHeader',
      'headerType',
      'headerText',
      'footer',
      'templateButtons',
    ),
    'template.categoriesAreTaken': {
      words:
        'A WhatsApp template with the category UTILITY, MARKETING or AUTHENTICATION is accepted on create and on update.',
      operations: ['createTemplate', 'updateTemplate'],
      values: ['UTILITY', 'MARKETING', 'AUTHENTICATION'],
    },
    'template.otherCategoriesAreRefused': {
      ...refuses(
        ['category'],
        'A WhatsApp category other than UTILITY, MARKETING and AUTHENTICATION',
        'on create, and no update takes one',
      ),
      operations: ['createTemplate', 'updateTemplate'],
    },
    'template.headerTypesAreTaken': {
      words:
        'A WhatsApp template with the header type text, image, video or document is accepted, with a file if it needs one.',
      values: ['text', 'image', 'video', 'document'],
    },
    'template.otherHeaderTypesAreRefused': refuses(
      ['headerType'],
      'A WhatsApp template with a header type other than text, image, video and document',
    ),
    'template.mediaHeaderNeedsAFile': {
      ...returns(400, 'A WhatsApp template with a media header but no file'),
      values: ['image', 'video', 'document'],
    },
    'template.buttonsInAFormAreText': {
      words: 'The buttons in a form are accepted as a JSON string, and a string that is not JSON returns 400.',
      status: 400,
      kind: 'value',
      fields: ['templateButtons'],
    },
    'template.createAnswersWithTheTemplate': {
      words: 'Creating a template returns its id, its status, and the type and name that were sent.',
      fields: ['_id', 'templateType', 'name', 'status'],
    },
    'template.createAnswersWithTheSubject': {
      words: 'Creating an e-mail template returns its subject too.',
      fields: ['subject'],
    },
  }),
  requirements('Templates', ['updateTemplate'], {
    'template.updateRequires': requiresOne('Updating a template', 'templateType'),
    'template.updateMayBeEmpty': {
      words: 'An update of a template may have no field except its templateType, as all others are optional.',
      kind: 'emptyUpdate',
      reason: 'That each field is optional need not mean that all may be missing at once.',
      assumption: 'emptyUpdate',
    },
    'template.updateTakesAnyOneField': {
      words: 'An update of a template may consist of its templateType and any single optional field.',
      fields: ['name', 'content', 'category', 'language', 'variables'],
    },
    'template.updateAnswersWithTheChange': {
      words: 'Updating a template returns the updated fields with their new values.',
      fields: ['name', 'content', 'category', 'language', 'variables'],
    },
  }),
  requirements('Templates', ['updateTemplate', 'getTemplate'], {
    'template.updateIsKept': {
      words: 'A template that is read after an update has the values of the update, also in a list.',
      operations: ['updateTemplate', 'getTemplate', 'listTemplates'],
      fields: ['name', 'content', 'category', 'language'],
    },
    'template.keepsItsLineBreaks': {
      words: 'The content of a template has the line breaks that were sent.',
      operations: ['createTemplate', 'updateTemplate', 'getTemplate'],
      reason: 'A service may write any white space as one space.',
      follows: 'The content of a template is the content that was sent.',
    },
    'template.wrongTypesAreRefused': {
      ...refuses(['variables', 'isHeader'], 'A new template with a list or a boolean of another type'),
      operations: ['createTemplate'],
      ...typeIsNamed,
    },
    'template.updateKeepsTheRest': 'An update of a template leaves the fields that it does not send unchanged.',
    'template.deletedIsGone': {
      words: 'A deleted template can no longer be read, and is in no list; all others are still there.',
      operations: ['deleteTemplate', 'getTemplate', 'listTemplates'],
    },
  }),
] as const

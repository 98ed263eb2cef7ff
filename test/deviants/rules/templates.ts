import { readAs, unchecked } from '../checks-of-a-body.ts'
import type { Break } from '../broken-copy.ts'

export const templates = {
  'template.getShowsTheTemplate': {
    file: 'rules/fields-shown-of-a-template.ts',
    rule: "new Set(fieldsOf(document, { $ref: '#/components/schemas/Template' }))",
    instead: "new Set(['_id', 'templateType', 'name', 'status'])",
  },
  'template.getShowsWhatElseWasGiven': {
    file: 'operations/templates.ts',
    rule: 'insert({ ...body, ...owner, ...progress })',
    instead: "insert({ ...body, ...owner, ...progress, language: 'en' })",
  },
  'template.statusIsKnown': {
    file: 'rules/template-approval.ts',
    rule: "byControl: () => ({ status: 'pending' })",
    instead: "byControl: () => ({ status: 'submitted' })",
  },
  'template.listHasPagination': {
    file: 'operations/templates.ts',
    rule: 'totalResults: total,',
    instead: 'total,',
  },
  'template.listTotal': {
    file: 'operations/templates.ts',
    rule: 'totalResults: total,',
    instead: 'totalResults: data.length,',
  },
  'template.listTotalPages': {
    file: 'rules/page-of-a-list.ts',
    rule: 'const totalPages = pages === 0 ? emptyTotalPages[assumed.emptyTotalPages] : pages',
    instead: 'const totalPages = Math.floor(total / limit) + 1',
  },
  'template.listCurrentPage': {
    file: 'rules/page-of-a-list.ts',
    rule: 'currentPage: page,',
    instead: 'currentPage: page - 1,',
  },
  'template.listLimit': {
    file: 'operations/templates.ts',
    rule: 'limit: asked.limit,',
    instead: 'limit: data.length,',
  },
  'template.listHasMore': {
    file: 'rules/page-of-a-list.ts',
    rule: 'hasMore: page < pages',
    instead: 'hasMore: page <= pages',
  },
  'template.smsStartsApproved': {
    file: 'rules/template-approval.ts',
    rule: "return type === 'whatsapp' ?",
    instead: "return type !== 'email' ?",
  },
  'template.emailStartsApproved': {
    file: 'rules/template-approval.ts',
    rule: "return type === 'whatsapp' ?",
    instead: "return type !== 'sms' ?",
  },
  'template.whatsappStartsPending': {
    file: 'rules/template-approval.ts',
    rule: "byControl: () => ({ status: 'pending' })",
    instead: "byControl: () => ({ status: 'approved' })",
  },
  'template.createTakesAForm': {
    file: 'http/reading.ts',
    rule: 'refuseWith(shape.check(fields))',
    instead: '',
  },
  'template.updateTakesAForm': {
    file: 'http/pipeline.ts',
    rule: 'checkContentType(request.headers, operation.contentTypes, assumed)',
    instead: `const contentTypes = operation.method === 'put' ? ['application/json'] : operation.contentTypes
      checkContentType(request.headers, contentTypes, assumed)`,
  },
  'template.listAnswers200': {
    file: 'replies.ts',
    rule: '({ status: 200, message, data, pagination })',
    instead: '({ status: 206, message, data, pagination })',
  },
  'template.getAnswers200': {
    file: 'operations/templates.ts',
    rule: "return ok('Template found'",
    instead: "return created('Template found'",
  },
  'template.createAnswers201': {
    file: 'operations/templates.ts',
    rule: "return created('Template created'",
    instead: "return ok('Template created'",
  },
  'template.updateAnswers200': {
    file: 'operations/templates.ts',
    rule: "return ok('Template updated'",
    instead: "return created('Template updated'",
  },
  'template.deleteAnswers200': {
    file: 'operations/templates.ts',
    rule: "return done('Template deleted')",
    instead: "return { ...done('Template deleted'), status: 202 }",
  },
  'template.listRequires': {
    file: 'rules/query-as-assumed.ts',
    rule: 'pageAsAssumed(query, example, assumed)',
    instead: 'pageAsAssumed({ ...example, ...query }, example, assumed)',
  },
  'template.listIsAList': {
    file: 'operations/templates.ts',
    rule: 'records.map((template) => shownTemplate(template, assumed))',
    instead: 'records.map(createdTemplate)',
  },
  'template.listHoldsWhatWasCreated': {
    file: 'rules/template-visibility.ts',
    rule: 'statuses.map((status) =>',
    instead: "statuses.filter((status) => status !== 'pending').map((status) =>",
  },
  'template.listLimitHolds': {
    file: 'rules/page-of-a-list.ts',
    rule: 'take: limit,',
    instead: 'take: limit + 1,',
  },
  'template.listPagesAddUp': {
    file: 'rules/page-of-a-list.ts',
    rule: 'skip: (page - 1) * limit,',
    instead: 'skip: page - 1,',
  },
  'template.listFiltersByType': {
    file: 'rules/template-visibility.ts',
    rule: 'return types.flatMap((type) =>',
    instead: "return ['sms', 'email', 'whatsapp'].flatMap((type) =>",
  },
  'template.typesMayRepeat': {
    file: 'rules/template-visibility.ts',
    rule: 'return types.flatMap((type) =>',
    instead: 'return types.slice(0, 1).flatMap((type) =>',
  },
  'template.listFiltersByStatus': {
    file: 'rules/template-visibility.ts',
    rule: 'statuses.map((status) =>',
    instead: "['pending', 'approved', 'rejected'].map((status) =>",
  },
  'template.statusesMayRepeat': {
    file: 'rules/template-visibility.ts',
    rule: 'statuses.map((status) =>',
    instead: 'statuses.slice(-1).map((status) =>',
  },
  'template.createRequires': readAs('createTemplate', "(body) => ({ templateType: 'sms', ...body })"),
  'template.typesAreTaken': {
    file: 'operations/templates.ts',
    rule: 'if (type !== template.templateType)',
    instead: 'if (type === template.templateType)',
  },
  'template.otherTypesAreRefused': readAs(
    'createTemplate',
    "(body) => (['email', 'whatsapp'].includes(body.templateType) ? body : { ...body, templateType: 'sms' })",
  ),
  'template.smsRequires': unchecked('content is required'),
  'template.smsTakesOptionalFields': {
    file: 'operations/templates.ts',
    rule: 'checkLanguage(body, assumed)',
    instead: "if (body.category && body.templateType !== 'whatsapp') refuse('category is for WhatsApp')",
  },
  'template.emailRequires': unchecked('subject is required'),
  'template.emailTakesOptionalFields': {
    file: 'rules/fields-of-a-template.ts',
    rule: 'if (language !== undefined && !isLanguageTag(language)) languageForm[assumed.languageForm]()',
    instead: "if (language === undefined) refuse('language is required')",
  },
  'template.whatsappRequires': unchecked('category is required'),
  'template.whatsappTakesOptionalFields': {
    file: 'rules/fields-of-a-template.ts',
    rule: "if (headerType !== 'text' && !media) {",
    instead: 'if (template.isHeader && !media) {',
  },
  'template.categoriesAreTaken': {
    file: 'rules/fields-of-a-template.ts',
    rule: "if (template.templateType !== 'whatsapp') return",
    instead: `if (template.templateType !== 'whatsapp') return
  if (!['UTILITY', 'MARKETING'].includes(template.category)) refuse('category must be UTILITY or MARKETING')`,
  },
  'template.otherCategoriesAreRefused': unchecked('category must be one of'),
  'template.headerTypesAreTaken': {
    file: 'rules/fields-of-a-template.ts',
    rule: "const { headerType = 'text' } = template",
    instead: `const { headerType = 'text' } = template
  if (!['text', 'image', 'video'].includes(headerType)) refuse('headerType must be text, image or video')`,
  },
  'template.otherHeaderTypesAreRefused': readAs('createTemplate', '({ headerType, ...others }) => others'),
  'template.mediaHeaderNeedsAFile': {
    file: 'rules/fields-of-a-template.ts',
    rule: "if (headerType !== 'text' && !media) {",
    instead: "if (headerType === 'image' && !media) {",
  },
  'template.buttonsInAFormAreText': {
    file: 'http/multipart-body.ts',
    rule: `return refuse('templateButtons must be a JSON list, such as [{"type":"QUICK_REPLY","text":"Thanks"}]')`,
    instead: 'return []',
  },
  'template.createAnswersWithTheTemplate': {
    file: 'rules/fields-shown-of-a-template.ts',
    rule: 'return { _id, templateType, name, status,',
    instead: 'return { _id, templateType, name,',
  },
  'template.createAnswersWithTheSubject': {
    file: 'rules/fields-shown-of-a-template.ts',
    rule: ', ...(isEmail ? { subject } : {})',
    instead: '',
  },
  'template.updateRequires': readAs('updateTemplate', "(body) => ({ templateType: 'sms', ...body })"),
  'template.updateTakesAnyOneField': {
    file: 'operations/templates.ts',
    rule: 'checkLanguage(fields, assumed)',
    instead: "if (!fields.name) refuse('name is required')",
  },
  'template.updateAnswersWithTheChange': {
    file: 'operations/templates.ts',
    rule: 'updatedTemplate(after, body, assumed)',
    instead: 'updatedTemplate(template, body, assumed)',
  },
  'template.updateIsKept': {
    file: 'operations/templates.ts',
    rule: 'await team.templates.update(template, { ...fields, ...progressAfterUpdate(template, clock, assumed) })',
    instead: '{ ...template, ...fields }',
  },
  'template.updateKeepsTheRest': {
    file: 'operations/templates.ts',
    rule: 'team.templates.update(template, {',
    instead:
      'team.templates.replace(template, { uniqueName: template.uniqueName, templateType: type, status: "approved",',
  },
  'template.deletedIsGone': {
    file: 'store/memory/memory-records.ts',
    rule: 'for (const index of this.#indexes) index.remove(filed)',
    instead: '',
  },
} satisfies Record<string, Break>

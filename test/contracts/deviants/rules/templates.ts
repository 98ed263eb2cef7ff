import * as forms from '../../../../mock/http/multipart-body.ts'
import * as pages from '../../../../mock/rules/pagination.ts'
import * as requests from '../../../../mock/http/request.ts'
import * as approval from '../../../../mock/rules/templates/template-approval.ts'
import * as templateFields from '../../../../mock/rules/templates/template-fields.ts'
import * as visibility from '../../../../mock/rules/templates/template-visibility.ts'
import { RecordIndex } from '../../../../mock/store/memory/memory-records.ts'
import { templateStatuses, templateTypes } from '../../../../spec/forms.ts'
import { operations } from '../../../../spec/operations.ts'
import type { PromiseId } from '../../../../spec/promises.ts'
import type { Schemas } from '../../../../spec/types.ts'
import {
  type Break,
  echoOnly,
  together,
  changeCounts,
  changeNew,
  changeOperation,
  changeReply,
  changeUncheckedBody,
  changeUpdate,
  forgetUpdates,
  ignoreComplaint,
  oneMorePage,
  pagesFromZero,
  refuseWhen,
  replaceIn,
  wrap,
  replaceMethod,
} from '../breaks.ts'

/** The list ignores some of the types and statuses in the query. */
function changeFilter(change: (filter: visibility.TemplateFilter) => Partial<visibility.TemplateFilter>): Break {
  return wrap(visibility, 'selectVisible', (original, filter, tx) => original({ ...filter, ...change(filter) }, tx))
}

/** The approval of a new template starts as if it were of another type. */
const changeApproval = (type: Schemas['TemplateType'], as: Schemas['TemplateType']): Break =>
  wrap(approval, 'startApproval', (original, created, tx) => original(created === type ? as : created, tx))

/** The list shows the name with which a template was created. */
const staleList: Break = () => {
  const names = new Map<string, string>()
  return together(
    changeReply('createTemplate', (reply) => {
      names.set(reply.data._id, reply.data.name)
      return reply
    }),
    changeReply('listTemplates', (reply) => ({
      ...reply,
      data: reply.data.map((template) => ({ ...template, name: names.get(template._id) ?? template.name })),
    })),
  )()
}

export const templates = {
  'template.getShowsTheTemplate': wrap(visibility, 'showTemplate', (original, template, tx) => {
    const { _id, templateType, name, status } = original(template, tx)
    return { _id, templateType, name, status } as Schemas['Template']
  }),
  'template.getShowsWhatElseWasGiven': changeNew('templates', (template) => ({ ...template, language: 'en' })),
  'template.takenUniqueNameIsRefused': replaceIn(templateFields, 'checkUniqueName', () => async () => undefined),
  'template.requiredFieldsSuffice': refuseWhen(
    'createTemplate',
    (body) => body.templateType === 'email' && body.preheader === undefined,
  ),
  'template.statusIsKnown': changeNew('templates', (template) =>
    template.status === 'pending' ? { ...template, status: 'submitted' } : template,
  ),
  'template.listHasPagination': changeReply('listTemplates', (reply) => {
    const { totalResults: total, ...others } = reply.pagination
    return { ...reply, pagination: { total, ...others } }
  }),
  'template.listTotal': changeReply('listTemplates', (reply) => ({
    ...reply,
    pagination: { ...reply.pagination, totalResults: reply.data.length },
  })),
  'template.listTotalPages': changeCounts((_counts, { limit }, total) => ({
    totalPages: Math.floor(total / limit) + 1,
  })),
  'template.listCurrentPage': pagesFromZero,
  'template.listLimit': changeReply('listTemplates', (reply) => ({
    ...reply,
    pagination: { ...reply.pagination, limit: reply.data.length },
  })),
  'template.listHasMore': oneMorePage,
  'template.smsStartsApproved': changeApproval('sms', 'whatsapp'),
  'template.emailStartsApproved': changeApproval('email', 'whatsapp'),
  'template.whatsappStartsPending': changeApproval('whatsapp', 'sms'),
  'template.createTakesAForm': replaceIn(operations.createTemplate, 'contentTypes', () => ['application/json']),
  'template.updateTakesAForm': replaceIn(operations.updateTemplate, 'contentTypes', () => ['application/json']),
  'template.listRequires': wrap(requests, 'normalizeQuery', (original, query, id, assumed) =>
    original(id === 'listTemplates' ? { page: '1', limit: '10', ...query } : query, id, assumed),
  ),
  'template.listIsAList': changeReply('listTemplates', (reply) => ({
    ...reply,
    data: reply.data.map(({ _id, templateType, name, status }) => ({ _id, templateType, name, status })),
  })),
  'template.listHoldsWhatWasCreated': changeFilter(({ statuses }) => ({
    statuses: statuses.filter((status) => status !== 'pending'),
  })),
  'template.listLimitHolds': wrap(pages, 'toSkipAndTake', (original, asked) => ({
    ...original(asked),
    take: asked.limit + 1,
  })),
  'template.listPagesAddUp': wrap(pages, 'toSkipAndTake', (original, asked) => ({
    ...original(asked),
    skip: asked.page - 1,
  })),
  'template.listFiltersByType': changeFilter(() => ({ types: templateTypes })),
  'template.typesMayRepeat': changeFilter(({ types }) => ({ types: types.slice(0, 1) })),
  'template.listFiltersByStatus': changeFilter(() => ({ statuses: templateStatuses })),
  'template.statusesMayRepeat': changeFilter(({ statuses }) => ({ statuses: statuses.slice(-1) })),
  'template.createRequires': changeUncheckedBody('createTemplate', (body) => ({ templateType: 'sms', ...body })),
  'template.typesAreTaken': refuseWhen('updateTemplate', async ({ templateType }, { path, tx: { team } }) => {
    const template = await team.templates.get(path.templateId)
    return template?.templateType === templateType
  }),
  'template.otherTypesAreRefused': changeUncheckedBody('createTemplate', (body) =>
    body.templateType === 'fax' ? { ...body, templateType: 'sms' } : body,
  ),
  'template.smsRequires': ignoreComplaint('createTemplate', 'content is required'),
  'template.smsTakesOptionalFields': refuseWhen(
    'createTemplate',
    (body) => body.templateType !== 'whatsapp' && 'category' in body,
  ),
  'template.emailRequires': ignoreComplaint('createTemplate', 'subject is required'),
  'template.emailTakesOptionalFields': refuseWhen(
    'createTemplate',
    (body) => body.templateType === 'email' && body.language === undefined,
  ),
  'template.whatsappRequires': ignoreComplaint('createTemplate', 'category is required'),
  'template.whatsappTakesOptionalFields': refuseWhen(
    'createTemplate',
    (body, { media }) => body.templateType === 'whatsapp' && body.isHeader && !media,
  ),
  'template.categoriesAreTaken': refuseWhen(
    'createTemplate',
    (body) => body.templateType === 'whatsapp' && body.category === 'AUTHENTICATION',
  ),
  'template.otherCategoriesAreRefused': replaceIn(templateFields, 'checkFieldsOfType', () => () => undefined),
  'template.headerTypesAreTaken': refuseWhen(
    'createTemplate',
    (body) => body.templateType === 'whatsapp' && body.headerType === 'document',
  ),
  'template.otherHeaderTypesAreRefused': changeUncheckedBody('createTemplate', ({ headerType, ...others }) => others),
  'template.mediaHeaderNeedsAFile': wrap(templateFields, 'checkHeader', (original, template, media) => {
    if (template.templateType === 'whatsapp' && template.headerType === 'image') original(template, media)
  }),
  'template.buttonsInAFormAreText': wrap(forms, 'fieldsAsJson', (original, fields) => {
    try {
      return original(fields)
    } catch {
      return { ...fields, templateButtons: [] }
    }
  }),
  'template.createAnswersWithTheTemplate': wrap(visibility, 'showCreatedTemplate', (original, template) => {
    const { status, ...others } = original(template)
    return others as ReturnType<typeof original>
  }),
  'template.createAnswersWithTheSubject': wrap(visibility, 'showCreatedTemplate', (original, template) => {
    const { subject, ...others } = original(template)
    return others
  }),
  'template.updateRequires': changeUncheckedBody('updateTemplate', (body) => ({ templateType: 'sms', ...body })),
  'template.updateTakesAnyOneField': refuseWhen('updateTemplate', ({ name }) => name === undefined),
  'template.updateAnswersWithTheChange': changeOperation('updateTemplate', (original) => async (given) => {
    const { path, body, tx } = given
    const before = await tx.team.templates.get(path.templateId)
    const reply = await original(given)
    return before ? { ...reply, data: visibility.showUpdatedTemplate(before, body, tx) } : reply
  }),
  'template.updateIsKept': [forgetUpdates('templates'), echoOnly('updateTemplate', 'language'), staleList],
  'template.keepsItsLineBreaks': changeNew('templates', (template) => ({
    ...template,
    content: template.content.replace(/\s+/g, ' '),
  })),
  'template.wrongTypesAreRefused': ignoreComplaint('createTemplate', 'variables must'),
  'template.updateKeepsTheRest': [
    changeUpdate('templates', (templates, template, fields) => {
      const { uniqueName, templateType } = template
      const lost = { uniqueName, templateType, status: 'approved', ...fields }
      return templates.replace(template, lost as typeof template)
    }),
    changeUpdate('templates', (templates, template, fields) =>
      templates.replace(template, { ...template, ...fields, ...('language' in fields ? { content: 'Hello' } : {}) }),
    ),
  ],
  'template.deletedIsGone': replaceMethod(RecordIndex<object>, 'remove', () => () => undefined),
} satisfies Partial<Record<PromiseId, Break | readonly Break[]>>

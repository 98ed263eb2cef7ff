import type { PromiseId } from '../../../spec/promises.ts'
import type { Fields } from '../other-server/team.ts'
import {
  accept,
  alsoSets,
  answerAsBefore,
  changeBody,
  changeData,
  changeNew,
  changeOperation,
  changePagination,
  changeQuery,
  changeReply,
  type Deviant,
  echoOnly,
  fill,
  findNone,
  forgetUpdates,
  keepDeleted,
  pick,
  refuseWhen,
  replaceOnUpdate,
  showOtherPage,
  withData,
  without,
} from './deviant.ts'

const startsAs = (type: string, status: string) =>
  changeData('createTemplate', (one) => (one.templateType === type ? { ...one, status } : one))

/** The list takes these values of a parameter instead of those in the query. */
const changeFilter = (name: 'types' | 'statuses', change: (values: readonly string[]) => readonly string[]) =>
  changeQuery('listTemplates', (query) => {
    const values = change(query.getAll(name))
    query.delete(name)
    for (const value of values) query.append(name, value)
  })

/** The list shows the name with which a template was created. */
const staleList: Deviant = {
  deviation: (teams) => {
    const names = new Map<unknown, unknown>()
    const remembering = changeData('createTemplate', (one) => {
      names.set(one._id, one.name)
      return one
    })
    const stale = changeData('listTemplates', (one) => ({ ...one, name: names.get(one._id) ?? one.name }))
    return { ...remembering.deviation?.(teams), ...stale.deviation?.(teams) }
  },
}

const cachedReads = answerAsBefore(['getTemplate', 'listTemplates'], ({ url }) => url)

const summary = pick('_id', 'templateType', 'name', 'status')

export const templates = {
  'template.getShowsTheTemplate': changeData('getTemplate', summary),
  'template.getShowsWhatElseWasGiven': changeNew('template', (one) => ({ ...one, language: 'en' })),
  'template.takenUniqueNameIsRefused': findNone('template'),
  'template.requiredFieldsSuffice': refuseWhen(
    'createTemplate',
    ({ templateType, preheader }) => templateType === 'email' && preheader === undefined,
  ),
  'template.statusIsKnown': changeNew('template', (one) =>
    one.status === 'pending' ? { ...one, status: 'submitted' } : one,
  ),
  'template.listHasPagination': changePagination('listTemplates', ({ totalResults: total, ...others }) => ({
    ...others,
    total,
  })),
  'template.listTotal': changePagination('listTemplates', (counts, { data }) => ({
    ...counts,
    totalResults: (data as Fields[]).length,
  })),
  'template.listTotalPages': changePagination('listTemplates', ({ totalPages, ...counts }) => ({
    ...counts,
    totalPages: totalPages + 1,
  })),
  'template.listCurrentPage': changePagination('listTemplates', ({ currentPage, ...counts }) => ({
    ...counts,
    currentPage: currentPage - 1,
  })),
  'template.listLimit': changePagination('listTemplates', (counts, { data }) => ({
    ...counts,
    limit: (data as Fields[]).length,
  })),
  'template.listHasMore': changePagination('listTemplates', (counts) => ({
    ...counts,
    hasMore: counts.currentPage <= counts.totalPages,
  })),
  'template.smsStartsApproved': startsAs('sms', 'pending'),
  'template.emailStartsApproved': startsAs('email', 'pending'),
  'template.whatsappStartsPending': startsAs('whatsapp', 'approved'),
  'template.createTakesAForm': refuseWhen('createTemplate', (_, { form }) => form !== undefined),
  'template.updateTakesAForm': refuseWhen('updateTemplate', (_, { form }) => form !== undefined),
  'template.listRequires': changeQuery('listTemplates', (query) => {
    for (const name of ['page', 'limit']) if (!query.has(name)) query.set(name, '1')
  }),
  'template.listIsAList': changeData('listTemplates', summary),
  'template.listHoldsWhatWasCreated': changeReply('listTemplates', (reply) => ({
    ...reply,
    data: (reply.data as Fields[]).slice(0, -1),
  })),
  'template.listLimitHolds': showOtherPage('listTemplates', (query) =>
    query.set('limit', String(Number(query.get('limit')) + 1)),
  ),
  'template.listPagesAddUp': showOtherPage('listTemplates', (query) => query.set('page', '1')),
  'template.listFiltersByType': changeFilter('types', () => ['sms', 'email', 'whatsapp']),
  'template.typesMayRepeat': changeFilter('types', (names) => names.slice(0, 1)),
  'template.listFiltersByStatus': changeFilter('statuses', () => ['pending', 'approved', 'rejected']),
  'template.statusesMayRepeat': changeFilter('statuses', (names) => names.slice(-1)),
  'template.createRequires': fill('createTemplate', { templateType: 'sms' }),
  'template.typesAreTaken': refuseWhen(
    'updateTemplate',
    ({ templateType }, { team, path }) => team.shelf('template').get(path[0] ?? '')?.templateType === templateType,
  ),
  'template.otherTypesAreRefused': changeBody('createTemplate', (body) =>
    body.templateType === 'fax' ? { ...body, templateType: 'sms' } : body,
  ),
  'template.smsRequires': fill('createTemplate', { content: 'Hello' }),
  'template.smsTakesOptionalFields': refuseWhen(
    'createTemplate',
    (body) => body.templateType !== 'whatsapp' && 'category' in body,
  ),
  'template.emailRequires': fill('createTemplate', { subject: 'Hello' }),
  'template.emailTakesOptionalFields': refuseWhen(
    'createTemplate',
    ({ templateType, language }) => templateType === 'email' && language === undefined,
  ),
  'template.whatsappRequires': fill('createTemplate', { category: 'UTILITY' }),
  'template.whatsappTakesOptionalFields': refuseWhen(
    'createTemplate',
    ({ isHeader }, { form }) => isHeader !== undefined && !form,
  ),
  'template.categoriesAreTaken': refuseWhen('createTemplate', ({ category }) => category === 'AUTHENTICATION'),
  'template.otherCategoriesAreRefused': accept('createTemplate', { category: 'UTILITY' }),
  'template.headerTypesAreTaken': refuseWhen('createTemplate', ({ headerType }) => headerType === 'document'),
  'template.otherHeaderTypesAreRefused': changeBody('createTemplate', without('headerType')),
  'template.mediaHeaderNeedsAFile': changeBody('createTemplate', (body) =>
    body.headerType === 'image' ? body : without('headerType')(body),
  ),
  'template.buttonsInAFormAreText': changeBody('createTemplate', (body, { form }) =>
    form ? without('templateButtons')(body) : body,
  ),
  'template.createAnswersWithTheTemplate': changeData('createTemplate', without('status')),
  'template.createAnswersWithTheSubject': changeData('createTemplate', without('subject')),
  'template.updateRequires': fill('updateTemplate', { templateType: 'sms' }),
  'template.updateTakesAnyOneField': refuseWhen('updateTemplate', ({ name }) => name === undefined),
  'template.updateAnswersWithTheChange': changeOperation('updateTemplate', (original, given) => {
    const before = given.team.shelf('template').get(given.path[0] ?? '')
    return withData(original(given), { ...before })
  }),
  'template.updateIsKept': [forgetUpdates('template'), echoOnly('updateTemplate', 'language'), staleList, cachedReads],
  'template.keepsItsLineBreaks': changeNew('template', (one) => ({
    ...one,
    content: String(one.content).replace(/\s+/g, ' '),
  })),
  'template.wrongTypesAreRefused': accept('createTemplate', { variables: [] }),
  'template.updateKeepsTheRest': [
    replaceOnUpdate('template', 'uniqueName', 'templateType', 'status'),
    alsoSets('updateTemplate', 'language', { content: 'Hello' }),
  ],
  'template.deletedIsGone': [keepDeleted('template'), cachedReads],
} satisfies Partial<Record<PromiseId, Deviant | readonly Deviant[]>>

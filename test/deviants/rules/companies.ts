import type { PromiseId } from '../../../spec/promises.ts'
import {
  type Break,
  changeBody,
  changeNew,
  changeOperation,
  changeStatus,
  changeUncheckedBody,
  ignoreComplaint,
  markDeleted,
  refuseWhen,
} from '../breaks.ts'

export const companies = {
  'company.createShowsTheRecord': changeNew('companies', ({ name }) => ({ name })),
  'company.takesEveryField': refuseWhen('createCompany', ({ zip }) => zip !== undefined),
  'company.takesTheFieldsOfTheExample': refuseWhen(
    'createCompany',
    ({ employeeCount }) => typeof employeeCount === 'number',
  ),
  'company.wrongTypesAreRefused': ignoreComplaint('updateCompany', 'contacts must'),
  'company.createAnswers201': changeStatus('createCompany', 200),
  'company.updateAnswers200': changeStatus('updateCompany', 201),
  'company.deleteAnswers200': changeStatus('deleteCompany', 204),
  'company.createRequires': changeUncheckedBody('createCompany', (body) => ({ name: 'Unnamed', ...body })),
  'company.requiredFieldsSuffice': refuseWhen('createCompany', ({ domain }) => domain === undefined),
  'company.updateMayBeEmpty': refuseWhen('updateCompany', (body) => Object.keys(body).length === 0),
  'company.updateTakesAnyOneField': changeBody('updateCompany', ({ name }) => (name === undefined ? {} : { name })),
  'company.updateShowsTheChange': changeOperation('updateCompany', (original) => async (given) => {
    const before = await given.tx.team.companies.get(given.path.companyId)
    return { ...(await original(given)), data: before }
  }),
  'company.deletedIsGone': markDeleted('companies'),
} satisfies Partial<Record<PromiseId, Break>>

import {
  type Break,
  changeBody,
  changeNew,
  changeOperation,
  changeStatus,
  changeUncheckedBody,
  doBefore,
  ignoreComplaint,
  refuse,
  refuseWhen,
  replaceIn,
  replaceOnUpdate,
} from '../breaks.ts'
import * as fieldsOfDeals from '../../../mock/rules/deals/deal-fields.ts'
import type { PromiseId } from '../../../spec/promises.ts'

export const deals = {
  'deal.createShowsTheRecord': changeNew('deals', (deal) => ({ ...deal, amount: Math.round(deal.amount ?? 0) })),
  'deal.takesEveryField': replaceIn(fieldsOfDeals, 'checkDealFields', (original) => async (fields, tx) => {
    if (fields.closeDate !== undefined) refuse('closeDate is set when the deal is closed')
    await original(fields, tx)
  }),
  'deal.takesTheFieldsOfTheExamples': replaceIn(fieldsOfDeals, 'checkDealFields', (original) => async (fields, tx) => {
    if (fields.company !== undefined) refuse('companyId is the field for a company')
    await original(fields, tx)
  }),
  'deal.amountIsANumber': changeUncheckedBody('updateDeal', (body) =>
    body.amount === undefined ? body : { ...body, amount: Number(body.amount) || 0 },
  ),
  'deal.numericTextsAreRefused': changeUncheckedBody('updateDeal', (body) =>
    body.amount === undefined ? body : { ...body, amount: Number(body.amount) },
  ),
  'deal.closeDatesOfOtherTypesAreRefused': changeUncheckedBody('updateDeal', ({ closeDate, ...body }) =>
    closeDate === undefined ? body : { ...body, closeDate: [closeDate].flat()[0] },
  ),
  'deal.otherContactsAreRefused': changeUncheckedBody('updateDeal', ({ contacts, ...body }) =>
    Array.isArray(contacts)
      ? { ...body, contacts: contacts.map(String) }
      : { ...body, ...(contacts === undefined ? {} : { contacts }) },
  ),
  'deal.createAnswers200': changeStatus('createDeal', 201),
  'deal.updateAnswers200': changeStatus('updateDeal', 201),
  'deal.deleteAnswers200': changeStatus('deleteDeal', 204),
  'deal.createRequires': ignoreComplaint('createDeal', 'stage is required'),
  'deal.requiredFieldsSuffice': refuseWhen('createDeal', ({ amount }) => amount === undefined),
  'deal.updateMayBeEmpty': refuseWhen('updateDeal', (body) => Object.keys(body).length === 0),
  'deal.updateTakesAnyOneField': changeBody('updateDeal', ({ currency, ...others }) => others),
  'deal.updateShowsTheChange': replaceOnUpdate('deals'),
  'deal.deletedIsGone': doBefore('updateDeal', async ({ path, tx: { team } }) => {
    const { dealId: _id } = path
    if (!(await team.deals.get(_id))) await team.deals.insert({ _id, name: '', pipeline: '', stage: '' })
  }),
  'deal.deleteSparesItsContact': changeOperation('deleteDeal', (original) => async (given) => {
    const { team } = given.tx
    const deal = await team.deals.get(given.path.dealId)
    if (deal?.contactId !== undefined) await team.contacts.remove(deal.contactId)
    return original(given)
  }),
} satisfies Partial<Record<PromiseId, Break>>

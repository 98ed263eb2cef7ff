import type { PromiseId } from '../../../spec/promises.ts'
import {
  type Break,
  changeBody,
  changeNew,
  changeStatus,
  changeUncheckedBody,
  doBefore,
  forgetUpdates,
  ignoreComplaint,
  markDeleted,
  refuseWhen,
} from '../breaks.ts'

export const quotes = {
  'quote.startsAsDraft': changeNew('quotes', (quote) => ({ ...quote, status: 'published' })),
  'quote.templateDefaultsToBasic': changeBody('createQuote', (body) => ({ template: 'default', ...body })),
  'quote.updateSetsTheStatus': changeBody('updateQuote', ({ status, ...others }) => others),
  'quote.anyStatusMayFollow': refuseWhen('updateQuote', async ({ status }, { path, tx: { team } }) => {
    const quote = await team.quotes.get(path.quoteId)
    return quote?.status === 'accepted' && status === 'draft'
  }),
  'quote.needsAKnownDeal': doBefore('createQuote', async ({ body, tx: { team } }) => {
    const { dealId: _id } = body
    if (!(await team.deals.get(_id))) await team.deals.insert({ _id, name: '', pipeline: '', stage: '' })
  }),
  'quote.statusesOfTheProse': refuseWhen('updateQuote', ({ status }) => status === 'expired'),
  'quote.statusesOfTheSchema': refuseWhen('updateQuote', ({ status }) => status === 'accepted'),
  'quote.otherStatusesAreRefused': ignoreComplaint('updateQuote', 'status must be one of'),

  'quote.signaturesAreTaken': refuseWhen('updateQuote', ({ signatureOption }) => signatureOption === 'no-signature'),
  'quote.otherSignaturesAreRefused': ignoreComplaint('updateQuote', 'signatureOption must be one of'),
  'quote.wrongTypesAreRefused': ignoreComplaint('updateQuote', 'acceptOnlinePayment must'),

  'quote.createAnswers201': changeStatus('createQuote', 200),
  'quote.updateAnswers200': changeStatus('updateQuote', 201),
  'quote.deleteAnswers200': changeStatus('deleteQuote', 204),

  'quote.createRequires': changeUncheckedBody('createQuote', (body) => ({ dealId: 'unknown', ...body })),
  'quote.createShowsTheRecord': changeBody('createQuote', ({ name, ...others }) => others),
  'quote.requiredFieldsSuffice': refuseWhen('createQuote', ({ name }) => name === undefined),
  'quote.updateMayBeEmpty': refuseWhen('updateQuote', (body) => Object.keys(body).length === 0),
  'quote.updateTakesAnyOneField': refuseWhen('updateQuote', ({ name }) => name === undefined),
  'quote.updateTakesTheFieldsOfTheExamples': refuseWhen('updateQuote', ({ expirationDate }) =>
    expirationDate?.includes('T'),
  ),
  'quote.updateShowsTheChange': forgetUpdates('quotes'),
  'quote.deletedIsGone': markDeleted('quotes'),
} satisfies Partial<Record<PromiseId, Break>>

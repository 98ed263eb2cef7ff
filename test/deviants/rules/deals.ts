import type { Break } from '../broken-copy.ts'
import { readAs, unchecked } from '../checks-of-a-body.ts'

export const deals = {
  'deal.createShowsTheRecord': {
    file: 'operations/deals.ts',
    rule: 'team.deals.insert(body)',
    instead: 'team.deals.insert({ ...body, amount: Math.round(body.amount) })',
  },
  'deal.takesEveryField': {
    file: 'rules/fields-of-a-deal.ts',
    rule: '(?:Z|[+-]\\d{2}:\\d{2})?)?$/',
    instead: '(?:Z|[+-]\\d{2}:\\d{2})?)$/',
  },
  'deal.takesTheFieldsOfTheExamples': {
    file: 'rules/fields-of-a-deal.ts',
    rule: 'const { amount, currency, closeDate } = fields',
    instead:
      "const { amount, currency, closeDate } = fields\n  if (fields.company) refuse('companyId is the field for a company')",
  },
  'deal.amountIsANumber': readAs(
    'updateDeal',
    '(body) => (body.amount === undefined ? body : { ...body, amount: Number(body.amount) })',
  ),
  'deal.createAnswers200': {
    file: 'operations/deals.ts',
    rule: 'import { done, ok }',
    instead: 'import { created as ok, done }',
  },
  'deal.updateAnswers200': {
    file: 'rules/record-shown.ts',
    rule: 'import { done, ok }',
    instead: 'import { created as ok, done }',
  },
  'deal.deleteAnswers200': {
    file: 'operations/deals.ts',
    rule: "return done('Deal deleted')",
    instead: "return { ...done('Deal deleted'), status: 204 }",
  },
  'deal.createRequires': unchecked('stage is required'),
  'deal.updateTakesAnyOneField': {
    file: 'operations/deals.ts',
    rule: 'updated(team.deals, deal, body, assumed)',
    instead: 'updated(team.deals, deal, { ...body, currency: deal.currency }, assumed)',
  },
  'deal.updateShowsTheChange': {
    file: 'operations/deals.ts',
    rule: 'updated(team.deals, deal, body, assumed)',
    instead: 'team.deals.replace(deal, body)',
  },
  'deal.deletedIsGone': {
    file: 'operations/deals.ts',
    rule: 'found(await team.deals.get(path.dealId), path.dealId, assumed)',
    instead: '(await team.deals.get(path.dealId)) ?? (await team.deals.insert({ ...body, _id: path.dealId }))',
  },
  'deal.deleteSparesItsContact': {
    file: 'operations/deals.ts',
    rule: 'if (!again) await deleteDataOf(deal, team, assumed)',
    instead: 'if (deal.contactId) await team.contacts.remove(deal.contactId)',
  },
} satisfies Record<string, Break>

import fc from 'fast-check'
import type { Group, Modelled } from './modelled.ts'
import { extras, fields, person, ref, text, unlisted, word, writable } from './pools.ts'
import type { Kind } from '../kinds.ts'
import type { TeamModel } from './team-model.ts'

const number = fc.constantFrom(-1, 0, 12.5, 1200)
const contactIds = fc.array(ref('contacts'), { maxLength: 2 })

const company = {
  domain: word,
  industry: word,
  email: word,
  employeeCount: number,
  contacts: contactIds,
  additionalFields: extras,
  ...unlisted,
}

const product = {
  sku: word,
  unitCost: number,
  billingFrequency: fc.constantFrom('one_time', 'one-time', 'weekly', 'every-five-years'),
  ...unlisted,
}

const deal = {
  amount: number,
  currency: fc.constantFrom('EUR', 'USD'),
  closeDate: fc.constantFrom('2026-06-30', '2026-06-30T12:00:00Z'),
  contactId: ref('contacts'),
  contacts: contactIds,
  companyId: ref('companies'),
  owner: fc.constant('@team-agent'),
  ...unlisted,
}
const stage = { pipeline: word, stage: word }

const quote = {
  name: person,
  status: fc.constantFrom('draft', 'published', 'expired', 'sent', 'accepted', 'declined'),
  template: fc.constantFrom('default-basic', 'other'),
  terms: text,
  signatureOption: fc.constantFrom('no-signature', 'written-signature'),
  expirationDate: fc.constant('2026-12-31T00:00:00.000Z'),
  acceptOnlinePayment: fc.boolean(),
  ...unlisted,
}

/** Companies, products, deals and quotes: what is sent is stored and shown. */
export const records: Group<`${'create' | 'update' | 'delete'}${'Company' | 'Product' | 'Deal' | 'Quote'}`> = {
  createCompany: creating(201, fields({ name: person }, company), (team, body) =>
    team.add('companies', { ...writable(body), teamId: team.name }),
  ),
  updateCompany: updating('companies', 'companyId', fields({}, { name: person, ...company })),
  deleteCompany: deleting('companies', 'companyId'),

  createProduct: creating(201, fields({ name: person, unitPrice: number }, product), (team, body) =>
    team.add('products', writable(body)),
  ),
  updateProduct: updating('products', 'productId', fields({}, { name: person, unitPrice: number, ...product })),
  deleteProduct: deleting('products', 'productId'),

  createDeal: creating(200, fields({ name: person, ...stage }, deal), (team, body) =>
    team.add('deals', writable(body)),
  ),
  updateDeal: updating('deals', 'dealId', fields({}, { name: person, ...stage, ...deal })),
  deleteDeal: {
    asks: fc.record({ path: fields({ dealId: ref('deals') }) }),
    answers: (team, { path }) => {
      const deal = team.found('deals', path.dealId)
      for (const quote of team.has.quotes.filter(({ dealId }) => dealId === deal._id.real)) team.remove('quotes', quote)
      team.remove('deals', deal)
      return { status: 200 }
    },
  },

  createQuote: creating(
    201,
    fields({ dealId: ref('deals') }, { name: person, template: quote.template, status: quote.status, ...unlisted }),
    (team, body) => {
      const { name } = team.found('deals', body.dealId)
      return team.add('quotes', { template: 'default-basic', name, ...writable(body), status: 'draft' })
    },
  ),
  updateQuote: updating('quotes', 'quoteId', fields({}, quote)),
  deleteQuote: deleting('quotes', 'quoteId'),
}

function creating(
  status: number,
  body: fc.Arbitrary<object>,
  create: (team: TeamModel, body: any) => object,
): Modelled {
  return { asks: fc.record({ body }), answers: (team, asked) => ({ status, data: create(team, asked.body) }) }
}

function updating(kind: Kind, id: string, body: fc.Arbitrary<object>): Modelled {
  return {
    asks: fc.record({ path: fields({ [id]: ref(kind) }), body }),
    answers: (team, asked) => ({
      status: 200,
      data: Object.assign(team.found(kind, asked.path[id]), writable(asked.body)),
    }),
  }
}

function deleting(kind: Kind, id: string): Modelled {
  return {
    asks: fc.record({ path: fields({ [id]: ref(kind) }) }),
    answers: (team, { path }) => {
      team.remove(kind, team.found(kind, path[id]))
      return { status: 200 }
    },
  }
}

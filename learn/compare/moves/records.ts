import type { OperationId } from '../../../spec/types.ts'
import type { Walker } from '../walker.ts'
import { count, customFields, price, text, textOrNothing } from '../values.ts'
import { from, type Move, type Moves, path } from './move.ts'

export type RecordKind = keyof Walker['records']
type Fields = Readonly<Record<string, () => unknown>>

export const recordMoves = {
  createCompany: create('company', (walker) => ({ ...walker.some.company(), ...walker.someOf(companyFields(walker)) })),
  updateCompany: update('company', (walker) => ({ name: () => text(walker, 'Babbage'), ...companyFields(walker) })),
  deleteCompany: remove('company'),
  createProduct: create('product', (walker) => ({ ...walker.some.product(), ...walker.someOf(productFields(walker)) })),
  updateProduct: update('product', (walker) => ({
    name: () => text(walker, 'Analytical engine'),
    unitPrice: () => price(walker),
    sku: () => walker.mint.slug('AE'),
    ...productFields(walker),
  })),
  deleteProduct: remove('product'),
  createDeal: create('deal', (walker) => ({ ...walker.some.deal(), ...walker.someOf(dealFields(walker)) })),
  updateDeal: update('deal', (walker) => ({
    name: () => text(walker, 'Engine for two mills'),
    amount: () => price(walker),
    ...dealFields(walker),
  })),
  deleteDeal: remove('deal'),
  createQuote: {
    ...create('quote', () => ({})),
    weight: 12,
    input: (walker) => {
      const deal = walker.records.deal.pickAny()
      return deal && { body: walker.chance(70) ? walker.some.quote(deal.id) : { dealId: deal.id } }
    },
  },
  updateQuote: update('quote', (walker) => ({
    name: () => text(walker, 'Engine for three mills'),
    status: () => walker.oneOf(['sent', 'accepted', 'published']),
    terms: () => 'net 30',
    notes: () => textOrNothing(walker, 'call first'),
    expirationDate: () => '2031-01-31T09:00:00.000Z',
    signatureOption: () => walker.oneOf(['no-signature', 'written-signature']),
    acceptOnlinePayment: () => walker.chance(50),
  })),
  deleteQuote: remove('quote'),
} satisfies Moves

function create(kind: RecordKind, body: (walker: Walker) => object): Move {
  return {
    weight: 8,
    input: (walker) => ({ body: body(walker) }),
    after: (walker, n) => {
      walker.records[kind].add({ id: from(n, 'data._id') })
    },
  }
}

function update(kind: RecordKind, fields: (walker: Walker) => Fields): Move {
  return {
    weight: kind === 'quote' ? 12 : 9,
    input: (walker) => {
      const record = walker.records[kind].pickAny()
      const body = walker.chance(12) ? {} : walker.someOf(fields(walker))
      return record && { ...path(`${kind}Id`, record.id), body }
    },
  }
}

function remove(kind: RecordKind): Move {
  return {
    weight: 6,
    input: (walker) => {
      const record = walker.records[kind].pickAny()
      return record && path(`${kind}Id`, record.id)
    },
    after: (walker, _, input) => {
      walker.records[kind].remove(({ id }) => id === input.path?.[`${kind}Id`])
    },
  }
}

const companyFields = (walker: Walker): Fields => ({
  industry: () => textOrNothing(walker, 'engines'),
  phone: () => walker.mint.phone(),
  city: () => walker.oneOf(['London', 'Turin']),
  country: () => 'GB',
  employeeCount: () => count(walker),
  contacts: () => [walker.people.pickAny()?.id ?? walker.mint.unknownId()],
  additionalFields: () => customFields(walker),
})

const productFields = (walker: Walker): Fields => ({
  description: () => textOrNothing(walker, 'made of brass'),
  unitCost: () => price(walker),
  billingFrequency: () => walker.oneOf(['one_time', 'monthly', 'annually', 'weekly']),
  term: () => '12',
})

const dealFields = (walker: Walker): Fields => ({
  currency: () => walker.oneOf(['EUR', 'GBP']),
  contactId: () => walker.people.pickAny()?.id ?? walker.mint.unknownId(),
  companyId: () => walker.records.company.pickAny()?.id ?? walker.mint.unknownId(),
  closeDate: () => '2031-01-31',
  description: () => textOrNothing(walker, 'for the mill'),
})

/** What shows a record, where nothing else reads it: an update that changes nothing. */
export const emptyUpdates = {
  company: 'updateCompany',
  product: 'updateProduct',
  deal: 'updateDeal',
  quote: 'updateQuote',
} as const satisfies Record<RecordKind, OperationId>

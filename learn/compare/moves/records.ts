import type { OperationId } from '../../../spec/types.ts'
import type { Fields, Walker } from '../walker.ts'
import { count, customFields, price, text, textOrNothing } from '../values.ts'
import { changesOf, from, type Move, type Moves, path } from './move.ts'

export type RecordKind = keyof Walker['records']

export const recordMoves = {
  createCompany: create('company', (walker) => ({ ...walker.some.company(), ...walker.someOf(companyFields(walker)) })),
  updateCompany: update('company', companyFields),
  deleteCompany: remove('company'),
  createProduct: create('product', (walker) => ({ ...walker.some.product(), ...walker.someOf(productFields(walker)) })),
  updateProduct: update('product', productFields),
  deleteProduct: remove('product'),
  createDeal: create('deal', (walker) => ({ ...walker.some.deal(), ...walker.someOf(dealFields(walker)) })),
  updateDeal: update('deal', dealFields),
  deleteDeal: remove('deal'),
  createQuote: {
    ...create('quote', () => ({})),
    weight: 12,
    input: (walker) => {
      const deal = walker.records.deal.pickAny()
      const { name, template } = quoteFields(walker)
      return deal && { body: { dealId: deal.id, ...walker.someOf({ name, template }) } }
    },
  },
  updateQuote: update('quote', quoteFields),
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

function update(kind: RecordKind, changes: (walker: Walker) => Fields): Move {
  return {
    weight: kind === 'quote' ? 12 : 9,
    input: (walker) => {
      const record = walker.records[kind].pickAny()
      return record && { ...path(`${kind}Id`, record.id), body: changesOf(walker, kind, changes(walker)) }
    },
    changes,
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

function companyFields(walker: Walker): Fields {
  return {
    name: () => text(walker, 'Babbage'),
    domain: () => walker.some.company().domain,
    industry: () => textOrNothing(walker, 'engines'),
    email: () => walker.mint.email(),
    phone: () => walker.mint.phone(),
    phoneNumber: () => walker.mint.phone(),
    logoUrl: () => 'https://www.example.com/logo.png',
    address: () => textOrNothing(walker, '1 Dorset Street'),
    city: () => walker.oneOf(['London', 'Turin']),
    state: () => walker.oneOf(['Greater London', 'Piedmont']),
    zip: () => walker.oneOf(['W1U 4EG', '01234']),
    postalCode: () => walker.oneOf(['W1U 4EG', '01234']),
    country: () => walker.oneOf(['GB', 'IT']),
    employeeCount: () => count(walker, 'employees'),
    annualRevenue: () => price(walker, 'companies'),
    contacts: () => people(walker),
    additionalFields: () => customFields(walker),
  }
}

function productFields(walker: Walker): Fields {
  return {
    name: () => text(walker, 'Analytical engine'),
    sku: () => walker.mint.slug('AE'),
    description: () => textOrNothing(walker, 'made of brass'),
    unitPrice: () => price(walker, 'products'),
    unitCost: () => price(walker, 'the costs of products'),
    billingFrequency: () => walker.oneOf(['one_time', 'monthly', 'annually', 'weekly']),
    term: () => seldom(walker, '12 months') ?? walker.oneOf(['12', '24']),
    productType: () => seldom(walker, 'pigeon') ?? walker.oneOf(['service', 'inventory']),
    imageUrl: () => 'https://www.example.com/engine.png',
    url: () => 'https://www.example.com/engine',
  }
}

function dealFields(walker: Walker): Fields {
  return {
    name: () => text(walker, 'Engine for two mills'),
    amount: () => price(walker, 'deals'),
    currency: () => seldom(walker, 'eur') ?? walker.oneOf(['EUR', 'GBP']),
    pipeline: () => '«pipeline»',
    stage: () => '«stage»',
    contactId: () => somebody(walker),
    companyId: () => walker.records.company.pickAny()?.id ?? walker.mint.unknownId(),
    closeDate: () => seldom(walker, '2030-06-30T09:00:00.000Z') ?? walker.oneOf(['2031-01-31', '2030-06-30']),
    description: () => textOrNothing(walker, 'for the mill'),
    contacts: () => people(walker),
    company: () => walker.records.company.pickAny()?.id ?? walker.mint.unknownId(),
    owner: () => walker.mint.unknownId(),
  }
}

function quoteFields(walker: Walker) {
  return {
    name: () => text(walker, 'Engine for three mills'),
    status: () => walker.oneOf(['sent', 'accepted', 'published', 'declined', 'expired', 'draft']),
    template: () => seldom(walker, 'default-modern') ?? 'default-basic',
    terms: () => textOrNothing(walker, 'net 30'),
    notes: () => textOrNothing(walker, 'call first'),
    signatureOption: () => walker.oneOf(['no-signature', 'written-signature']),
    url: () => 'https://www.example.com/quote',
    expirationDate: () =>
      seldom(walker, '2030-12-31') ?? walker.oneOf(['2031-01-31T09:00:00.000Z', '2030-12-31T00:00:00.000Z']),
    commentsToBuyer: () => textOrNothing(walker, 'thank you'),
    purchaseTerms: () => textOrNothing(walker, 'half in advance'),
    acceptOnlinePayment: () => walker.oneOf(['yes', 'no']) === 'yes',
  } satisfies Fields
}

/** A value that some servers refuse, and with it all that is sent beside it. */
const seldom = (walker: Walker, value: string) => (walker.chance(8) ? value : undefined)

const somebody = (walker: Walker) => walker.people.pickAny()?.id ?? walker.mint.unknownId()

const people = (walker: Walker) => [...new Set(Array.from({ length: walker.oneOf([0, 1, 2]) }, () => somebody(walker)))]

/** What shows a record, where nothing else reads it: an update that changes nothing. */
export const emptyUpdates = {
  company: 'updateCompany',
  product: 'updateProduct',
  deal: 'updateDeal',
  quote: 'updateQuote',
} as const satisfies Record<RecordKind, OperationId>

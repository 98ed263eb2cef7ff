import fc from 'fast-check'
import { capitalize } from '../../../shared/text.ts'
import type { OperationId } from '../../../spec/types.ts'
import type { RecordKind } from '../model.ts'
import {
  type Act,
  any,
  count,
  customFields,
  type Fields,
  type Kind,
  computed,
  oneOf,
  path,
  price,
  type Scene,
  some,
  text,
  textOrNothing,
  type Value,
} from './story.ts'

const unknown = computed(({ model }) => model.mint.unknownId())

export const people: fc.Arbitrary<Value> = fc
  .array(fc.nat({ max: 9 }), { maxLength: 2 })
  .map((backs) => ({ model }: Scene) => [...new Set(backs.map((back) => model.id('contact', back)))])

/** A value that some servers refuse, and with it the whole request, so it is rare. */
const seldom = (value: string, ...usual: readonly string[]) =>
  fc.oneof({ weight: 12, arbitrary: oneOf(...usual) }, { weight: 1, arbitrary: oneOf(value) })

const fields: Readonly<Record<RecordKind, Fields>> = {
  company: {
    name: text('Babbage'),
    domain: computed(({ model }) => model.some.company().domain),
    industry: textOrNothing('engines'),
    email: computed(({ model }) => model.mint.email()),
    phone: computed(({ model }) => model.mint.phone()),
    phoneNumber: computed(({ model }) => model.mint.phone()),
    logoUrl: oneOf('https://www.example.com/logo.png'),
    address: textOrNothing('1 Dorset Street'),
    city: oneOf('London', 'Turin'),
    state: oneOf('Greater London', 'Piedmont'),
    zip: oneOf('W1U 4EG', '01234'),
    postalCode: oneOf('W1U 4EG', '01234'),
    country: oneOf('GB', 'IT'),
    employeeCount: count,
    annualRevenue: price,
    contacts: people,
    additionalFields: customFields,
  },
  product: {
    name: text('Analytical engine'),
    sku: computed(({ model }) => model.mint.slug('AE')),
    description: textOrNothing('computed of brass'),
    unitPrice: price,
    unitCost: price,
    billingFrequency: oneOf('one_time', 'monthly', 'annually', 'weekly'),
    term: seldom('12 months', '12', '24'),
    productType: seldom('pigeon', 'service', 'inventory'),
    imageUrl: oneOf('https://www.example.com/engine.png'),
    url: oneOf('https://www.example.com/engine'),
  },
  deal: {
    name: text('Engine for two mills'),
    amount: price,
    currency: seldom('eur', 'EUR', 'GBP'),
    pipeline: oneOf('«pipeline»'),
    stage: oneOf('«stage»', 'won', 'lost'),
    contactId: any('contact'),
    companyId: any('company'),
    closeDate: seldom('2030-06-30T09:00:00.000Z', '2031-01-31', '2030-06-30'),
    description: textOrNothing('for the mill'),
    contacts: people,
    company: any('company'),
    owner: unknown,
  },
  quote: {
    name: text('Engine for three mills'),
    status: oneOf('sent', 'accepted', 'published', 'declined', 'expired', 'draft'),
    template: seldom('default-modern', 'default-basic'),
    terms: textOrNothing('net 30'),
    notes: textOrNothing('call first'),
    signatureOption: oneOf('no-signature', 'written-signature'),
    url: oneOf('https://www.example.com/quote'),
    expirationDate: seldom('2030-12-31', '2031-01-31T09:00:00.000Z', '2030-12-31T00:00:00.000Z'),
    commentsToBuyer: textOrNothing('thank you'),
    purchaseTerms: textOrNothing('half in advance'),
    acceptOnlinePayment: oneOf(true, false),
  },
}

const { name: quoteName, template: quoteTemplate } = fields.quote
const fieldsAtFirst = { ...fields, quote: { name: quoteName, template: quoteTemplate } as Fields }

/** The name of an operation on a kind: `createDeal` for `by('create', 'deal')`. */
const by = (verb: 'create' | 'update' | 'delete', kind: RecordKind) => `${verb}${capitalize(kind)}` as OperationId

/** The fields that a record must have. */
const required: Readonly<Record<RecordKind, (scene: Scene) => object>> = {
  company: ({ model }) => ({ name: model.mint.name('Difference & Sons') }),
  product: ({ model }) => ({ name: model.mint.name('Engine'), unitPrice: 9 }),
  deal: ({ model }) => ({ name: model.mint.name('Engine for the mill'), pipeline: '«pipeline»', stage: '«stage»' }),
  quote: (scene) => ({ dealId: scene.id('deal') }),
}

/** Creates a record; it may name those that the story has. */
export const create = (kind: RecordKind): fc.Arbitrary<Act> =>
  fc.tuple(some(fieldsAtFirst[kind]), fc.boolean()).map(([filled, isRelated]) => async (scene: Scene) => {
    const { contact, company } = scene.own
    const names = kind === 'deal' && isRelated ? { contactId: contact, companyId: company } : {}
    const body = { ...required[kind](scene), ...scene.fill(filled), ...names }
    const n = await scene.send(by('create', kind), { body })
    if (n !== undefined) scene.adopt(kind, n)
  })

export const change = (kind: RecordKind, changed = some(fields[kind])): fc.Arbitrary<Act> =>
  changed.map(
    (filled) => (scene: Scene) =>
      scene.send(by('update', kind), { ...path(`${kind}Id`, scene.id(kind)), body: scene.fill(filled) }),
  )

/** An update without fields, since no operation reads these records. */
export const view =
  (kind: RecordKind): Act =>
  (scene) =>
    scene.send(by('update', kind), { ...path(`${kind}Id`, scene.id(kind)), body: {} })

/** Others of the same kind must not have changed. */
const readAnother = (kind: RecordKind): fc.Arbitrary<Act> =>
  fc.integer({ min: 1, max: 3 }).map((back) => async (scene: Scene) => {
    const id = scene.model.pick(kind, back)
    if (id !== undefined) await scene.send(by('update', kind), { ...path(`${kind}Id`, id), body: {} })
  })

export const remove =
  (kind: RecordKind): Act =>
  async (scene) => {
    const id = scene.id(kind)
    const n = await scene.send(by('delete', kind), path(`${kind}Id`, id))
    if (n !== undefined) scene.model.remove(kind, id)
  }

export const only = (kind: RecordKind, name: string) =>
  (fields[kind][name] ?? unknown).map((value) => [[name, value]] as const)

/** The field that a record goes through its life with, alone. */
const progress: Readonly<Record<RecordKind, ReturnType<typeof only>>> = {
  company: only('company', 'name'),
  product: only('product', 'unitPrice'),
  deal: only('deal', 'stage'),
  quote: only('quote', 'status'),
}

const acts = (...kinds: readonly RecordKind[]) =>
  kinds.flatMap((kind, at) => [
    { weight: 6, arbitrary: change(kind) },
    { weight: 3, arbitrary: change(kind, progress[kind]) },
    { weight: 1, arbitrary: fc.constant(remove(kind)) },
    { weight: at === 0 ? 1 : 3, arbitrary: create(kind) },
    { weight: 1, arbitrary: readAnother(kind) },
  ])

const createBoth = fc.tuple(create('deal'), create('quote')).map(([deal, quote]): Act => async (scene) => {
  await deal(scene)
  await quote(scene)
})

export const recordStories: readonly Kind[] = [
  { weight: 3, opening: create('company'), ...aboutRecords('company') },
  { weight: 2, opening: create('company'), ...aboutRecords('company', 'deal') },
  { weight: 4, opening: create('product'), ...aboutRecords('product') },
  { weight: 2, opening: create('deal'), ...aboutRecords('deal') },
  { weight: 3, opening: createBoth, ...aboutRecords('quote') },
  { weight: 2, opening: createBoth, ...aboutRecords('quote', 'deal') },
]

function aboutRecords(...kinds: readonly RecordKind[]) {
  return { acts: acts(...kinds), reads: kinds.map(view), readsInPercent: 15, removals: kinds.map(remove) }
}

import { capitalize } from '../../../shared/text.ts'
import type { OperationId } from '../../../spec/types.ts'
import type { RecordKind } from '../plan.ts'
import { type Act, type Fields, oneOf, path, type Story, text, type Value } from '../story.ts'

const email: Value = ({ plan }) => plan.mint.email()
const phone: Value = ({ plan }) => plan.mint.phone()
/** Mostly a known record, since a server may refuse the others. */
const idOfAny =
  (kind: 'contact' | 'company'): Value =>
  ({ plan }) =>
    plan.chance(10) ? plan.anyId(kind) : plan.known(kind, plan.number(2))

export function people(story: Story): unknown[] {
  const ids = Array.from({ length: story.plan.number(2) }, () => idOfAny('contact')(story))
  return [...new Set(ids)].filter((id) => id !== undefined)
}

const textOrEmpty =
  (noun: string): Value =>
  (story) =>
    story.plan.chance(12) ? '' : text(noun)(story)

/** A value that some servers refuse, and with it the whole request, so it is rare. */
const seldom =
  (value: string, ...usual: readonly string[]): Value =>
  ({ plan }) =>
    plan.chance(4) ? value : plan.pick(usual)

/** Servers store these in different ways: none, whole, with several decimals, and large. */
const price = oneOf(250.25, 0, 1, 19.999, 0.1, 1_250_000.5, 1e9)

export const customFields: Value = (story) =>
  story.fillSome({
    pigeons: oneOf(12, 0, 2_500_000),
    colour: oneOf('blue', '', 'grün'),
    tags: oneOf(['a', 'b']),
    isKnown: oneOf(true, false),
  })

const fields: Readonly<Record<RecordKind, Fields>> = {
  company: {
    name: text('Babbage'),
    domain: ({ plan }) => plan.bodies.company().domain,
    industry: textOrEmpty('engines'),
    email,
    phone,
    phoneNumber: phone,
    logoUrl: oneOf('https://www.example.com/logo.png'),
    address: textOrEmpty('1 Dorset Street'),
    city: oneOf('London', 'Turin'),
    state: oneOf('Greater London', 'Piedmont'),
    zip: oneOf('W1U 4EG', '01234'),
    postalCode: oneOf('W1U 4EG', '01234'),
    country: oneOf('GB', 'IT'),
    employeeCount: oneOf(12, 31, 0, 2_500_000),
    annualRevenue: price,
    contacts: people,
    additionalFields: customFields,
  },
  product: {
    name: text('Analytical engine'),
    sku: ({ plan }) => plan.mint.slug('AE'),
    description: textOrEmpty('made of brass'),
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
    contactId: idOfAny('contact'),
    companyId: idOfAny('company'),
    closeDate: seldom('2030-06-30T09:00:00.000Z', '2031-01-31', '2030-06-30'),
    description: textOrEmpty('for the mill'),
    contacts: people,
    company: idOfAny('company'),
    owner: ({ plan }) => plan.mint.unknownId(),
  },
  quote: {
    name: text('Engine for three mills'),
    status: oneOf('sent', 'accepted', 'published', 'declined', 'expired', 'draft'),
    template: seldom('default-modern', 'default-basic'),
    terms: textOrEmpty('net 30'),
    notes: textOrEmpty('call first'),
    signatureOption: oneOf('no-signature', 'written-signature'),
    url: oneOf('https://www.example.com/quote'),
    expirationDate: seldom('2030-12-31', '2031-01-31T09:00:00.000Z', '2030-12-31T00:00:00.000Z'),
    commentsToBuyer: textOrEmpty('thank you'),
    purchaseTerms: textOrEmpty('half in advance'),
    acceptOnlinePayment: oneOf(true, false),
  },
}

/** The fields that a record must have. */
const required: Readonly<Record<RecordKind, (story: Story) => object>> = {
  company: ({ plan }) => ({ name: plan.mint.name('Difference & Sons') }),
  product: ({ plan }) => ({ name: plan.mint.name('Engine'), unitPrice: 9 }),
  deal: ({ plan }) => ({ name: plan.mint.name('Engine for the mill'), pipeline: '«pipeline»', stage: '«stage»' }),
  quote: (story) => ({ dealId: story.id('deal') }),
}

const operationOn = (verb: 'create' | 'update' | 'delete', kind: RecordKind) =>
  `${verb}${capitalize(kind)}` as OperationId

/** Creates a record; a deal may refer to the contact and the company of the story. */
export const create =
  (kind: RecordKind): Act =>
  (story) => {
    const { name, template } = fields.quote
    const given = kind === 'quote' && name && template ? { name, template } : fields[kind]
    const { contact, company } = story.own
    const references = kind === 'deal' && story.plan.chance(50) ? { contactId: contact, companyId: company } : {}
    const body = { ...required[kind](story), ...story.fillSome(given), ...references }
    const n = story.send(operationOn('create', kind), { body })
    if (n !== undefined) story.adopt(kind, n)
  }

const update = (story: Story, kind: RecordKind, body: object, id = story.id(kind)) =>
  story.send(operationOn('update', kind), { ...path(kind, id), body })

/** Changes the fields with these names; by default, some fields. */
export const change =
  (kind: RecordKind, ...names: readonly string[]): Act =>
  (story) =>
    update(story, kind, names.length > 0 ? story.fill(fields[kind], names) : story.fillSome(fields[kind], 1))

export const toStatus =
  (status: string): Act =>
  (story) =>
    update(story, 'quote', { status })

/** An update without fields, since no operation reads these records. */
export const view =
  (kind: RecordKind): Act =>
  (story) =>
    update(story, kind, {})

/** Other records of the kind must not have changed. */
const viewAnother =
  (kind: RecordKind): Act =>
  (story) => {
    const id = story.plan.known(kind, 1 + story.plan.number(2))
    if (id !== undefined) update(story, kind, {}, id)
  }

export const remove =
  (kind: RecordKind): Act =>
  (story) => {
    const id = story.id(kind)
    const n = story.send(operationOn('delete', kind), path(kind, id))
    if (n !== undefined) story.plan.remove(kind, id)
  }

/** The field that changes most often in the life of a record. */
const mainField = { company: 'name', product: 'unitPrice', deal: 'stage', quote: 'status' } as const

export const actsOn = (...kinds: readonly RecordKind[]) => ({
  acts: kinds.flatMap((kind, at): (readonly [number, Act])[] => [
    [6, change(kind)],
    [3, change(kind, mainField[kind])],
    [1, remove(kind)],
    [at === 0 ? 1 : 3, create(kind)],
    [1, viewAnother(kind)],
  ]),
  reads: kinds.map(view),
  readsInPercent: 15,
  removals: kinds.map(remove),
})

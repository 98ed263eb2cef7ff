import { expect } from 'vitest'
import { type Answer, type Fields, fieldsOf, withIds } from '../client/answer.ts'
import { kinds, pathTo, type Subject } from '../client/kinds.ts'
import type { Input } from '../client/request.ts'
import type { Tools } from '../client/tools.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import type { OperationId, Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { checkAccepted, checkPlaces, checkRefused, eachValueAs, unchangedSubjects } from './each-operation.ts'
import { type Context, keeps } from './keeps.ts'
import { keepsUpdatesOfOthers } from './other-records.ts'
import { asShown, inAMonth, oncePerRun, pick, pictureUrl, unusualNames } from './values.ts'

const recordKinds = ['company', 'product', 'deal', 'quote'] as const

type RecordKind = (typeof recordKinds)[number]

/** The body of a new record. */
async function newBody(kind: RecordKind, tools: Tools): Promise<Fields> {
  if (kind === 'deal') await checkPlaces(tools)
  return kind === 'quote' ? { ...tools.some.quote((await tools.make.deal())._id) } : { ...tools.some[kind]() }
}

const create = async (kind: RecordKind, { ask }: Tools, body: object) =>
  withIds((await ask(kinds[kind].createdBy, { body })).data) as Fields & Subject

/** The operation that updates a record, and its input. */
const updating = (kind: RecordKind, { _id }: Subject, body: object) =>
  [kinds[kind].shownBy, { ...pathTo(kind, _id), body }] as const satisfies [OperationId, Input]

type FieldOf<Id extends PromiseId> =
  ReturnType<typeof promise<Id>> extends { readonly fields: readonly (infer Field extends string)[] } ? Field : never

type ValuesFor<Id extends PromiseId> = (tools: Tools) => Promise<Readonly<Record<FieldOf<Id>, unknown>>>

/** A value for each field, listed or only in an example. */
const valuesOf = {
  company: async (tools) => ({
    name: tools.mint.name('Analytical Engines'),
    domain: `${tools.mint.slug('engines').replaceAll('_', '-')}.${tools.target.emailDomain}`,
    industry: 'Machinery',
    phone: tools.mint.phone(),
    address: '1 Mill Lane',
    city: 'London',
    state: 'Greater London',
    zip: 'NW1 4RY',
    country: 'GB',
    email: tools.mint.email(),
    phoneNumber: tools.mint.phone(),
    logoUrl: pictureUrl(tools),
    postalCode: 'NW1 4RY',
    employeeCount: 12,
    annualRevenue: 9750.5,
    contacts: [await unchangedSubjects(tools).id('contact')],
    additionalFields: { tier: 'gold' },
  }),
  product: async ({ mint, target }) => ({
    name: mint.name('Analytical engine'),
    sku: newSku(mint),
    description: 'Computes whatever can be computed',
    unitPrice: 2400.23,
    unitCost: 1600.71,
    billingFrequency: 'monthly',
    term: '12',
    productType: 'machine',
    imageUrl: pictureUrl({ target }),
    url: 'https://engines.example.com/analytical',
  }),
  deal: async (tools) => {
    const { mint, some } = tools
    const { pipeline, stage } = some.deal()
    const { id } = unchangedSubjects(tools)
    const [contact, company] = [await id('contact'), await id('company')]
    return {
      pipeline,
      stage,
      name: mint.name('Engine for the forge'),
      amount: 2400.25,
      currency: await chooseCurrency(tools),
      contactId: contact,
      companyId: company,
      closeDate: await chooseCloseDate(tools),
      description: 'The second engine',
      contacts: [contact],
      company,
      owner: mint.unknownId(),
    }
  },
  quote: async (tools) => ({
    name: tools.mint.name('Engine for the forge'),
    // A status that locks no field, and a template that exists.
    status: 'draft',
    template: 'default-basic',
    terms: 'Net 30',
    notes: 'For the second engine',
    signatureOption: 'written-signature',
    url: 'https://engines.example.com/quotes/1',
    expirationDate: inAMonth(),
    commentsToBuyer: 'Thank you',
    purchaseTerms: 'As agreed',
    acceptOnlinePayment: await choosePayment(tools),
  }),
} satisfies {
  company: ValuesFor<`company.${'takesEveryField' | 'takesTheFieldsOfTheExample' | 'updateTakesAnyOneField'}`>
  product: ValuesFor<`product.${'takesEveryField' | 'takesTheFieldsOfTheExamples' | 'updateTakesAnyOneField'}`>
  deal: ValuesFor<`deal.${'takesEveryField' | 'takesTheFieldsOfTheExamples' | 'updateTakesAnyOneField'}`>
  quote: ValuesFor<`quote.${'updateTakesTheFieldsOfTheExamples' | 'updateTakesAnyOneField'}`>
}

const pickedValues = async (kind: RecordKind, context: Context): Promise<Fields> =>
  pick<string, Fields>(context.requirement.fields ?? [], await valuesOf[kind](context))

const newSku = (mint: Tools['mint']) => mint.slug('AE').toUpperCase().replaceAll('_', '-')

/** Another currency than the default of deals, if the team uses more than one. */
function chooseCurrency(tools: Tools): Promise<string> {
  const { call, some } = tools
  return oncePerRun(tools, 'currency', async () => {
    for (const currency of ['GBP', 'USD'])
      if ((await call('createDeal', { body: some.deal({ currency }) })).succeeded) return currency
    return String(some.deal().currency)
  })
}

/** A date with or without a time of day: both are ISO date strings, and a server may accept only one of them. */
function chooseCloseDate(tools: Tools): Promise<string> {
  const closeDate = inAMonth().slice(0, '2026-06-30'.length)
  return oncePerRun(tools, 'closeDate', async () =>
    (await tools.call('createDeal', { body: tools.some.deal({ closeDate }) })).succeeded ? closeDate : inAMonth(),
  )
}

/** False if the server refuses online payment, such as for a team without a payment provider. */
function choosePayment(tools: Tools): Promise<boolean> {
  const body = { acceptOnlinePayment: true }
  return oncePerRun(tools, 'acceptOnlinePayment', async () => {
    const { _id: quoteId } = await tools.make.quote()
    return (await tools.call('updateQuote', { path: { quoteId }, body })).succeeded
  })
}

for (const kind of recordKinds) {
  /** Each of these fields is enough for an update, and is stored. */
  keeps(`${kind}.updateTakesAnyOneField`, async (context) => {
    const record = await create(kind, context, await newBody(kind, context))
    const values = await pickedValues(kind, context)
    for (const [field, value] of Object.entries(values))
      await context.accepts(...updating(kind, record, { [field]: value }))
    await isShownWith(context, kind, { ...record, ...values }, values)
  })

  keeps(`${kind}.updateShowsTheChange`, async ({ ask, call, mint, requirement }, context) => {
    const body = await newBody(kind, context)
    const record = await create(kind, context, body)
    let [now, shown] = [record, await shownFields(context, kind, record)]
    let changed: Fields = {}
    const change = async (send: Tools['call'], fields: Fields) => {
      const answer = await send(...updating(kind, record, fields))
      if (!answer.succeeded) return answer
      now = { ...now, ...fields }
      changed = { ...changed, ...fields }
      const returned = documentedIn(kind, answer)
      const expected = Object.entries({ ...shown, ...changed }).filter(([field]) => field in returned)
      expect(returned).toMatchObject(Object.fromEntries(expected))
      return answer
    }
    /** Expects the updates to be stored, and to leave the other fields as they are. */
    const expectStored = async () => {
      const after = await shownFields(context, kind, now)
      const stored = Object.entries(changed).filter(([field]) => field in after)
      expect(after).toMatchObject({ ...shown, ...Object.fromEntries(stored) })
      shown = after
      changed = {}
    }
    const { status: _, ...values } = {
      ...(await valuesOf[kind](context)),
      ...(kind === 'deal' ? { stage: mint.slug('won') } : {}),
    } as Fields
    await change(call, values)
    const last =
      kind === 'product' ? { unitPrice: 1300.75 } : kind === 'deal' ? { amount: 1300.75 } : { name: mint.name('Forge') }
    const expected = pick<string, Fields>(requirement.fields, { ...body, ...now, ...last })
    const returned = withIds(fieldsOf((await change(ask, last)).data))
    await expectStored()
    if (Object.keys({ ...shown, ...returned }).length === 0)
      throw new Inconclusive(`no response to an update shows the ${kind}`)
    expect({ ...expected, _id: record._id, ...returned }).toMatchObject({ ...expected, _id: record._id })
    for (const unusual of unusualNames) {
      const name = mint.name(unusual)
      const { fields, succeeded } = await change(call, { name })
      if (succeeded) expect({ name, ...fieldsOf(fields.data) }).toMatchObject({ name })
    }
    // A new name does not take a quote back to its first status.
    if (kind === 'quote')
      for (const fields of [{ status: 'sent' }, { name: mint.name('Mill') }]) await change(call, fields)
    await expectStored()
    if (kind === 'company') await keepsUpdatesOfOthers(context, kind)
  })
}

const documentedOf = (kind: RecordKind): readonly string[] => promise(`${kind}.createShowsTheRecord`).fields

/** Expects these values of the documented fields that an update shows; the specification leaves open which it shows. */
async function isShownWith(tools: Tools, kind: RecordKind, record: Subject, values: object): Promise<void> {
  const shown = await shownFields(tools, kind, record)
  for (const [field, value] of Object.entries(shown))
    if (field in values) expect(value).toEqual((values as Fields)[field])
}

/** The documented fields that an empty update shows. */
async function shownFields({ observe, readAnswer }: Tools, kind: RecordKind, record: Subject): Promise<Fields> {
  const answer = await readAnswer(kind, record)
  const { succeeded, summary, fields } = answer
  if (!succeeded) throw new Inconclusive(`the ${kind} cannot be seen: ${summary}`)
  observe('recordAfterUpdate', fields.data ? 'record' : 'messageOnly')
  return documentedIn(kind, answer)
}

function documentedIn(kind: RecordKind, { fields }: Answer): Fields {
  const documented = documentedOf(kind)
  const shown = Object.entries(withIds(fieldsOf(fields.data)))
  return Object.fromEntries(shown.filter(([field]) => documented.includes(field)))
}

const valuesFor = (kind: RecordKind) => async (context: Context) => [await pickedValues(kind, context)]

checkAccepted({
  'company.takesEveryField': valuesFor('company'),
  'company.takesTheFieldsOfTheExample': valuesFor('company'),
  'product.takesEveryField': valuesFor('product'),
  'product.takesTheFieldsOfTheExamples': valuesFor('product'),
  'product.billingOfTheSchema': eachValueAs('billingFrequency'),
  'product.billingOfTheProse': eachValueAs('billingFrequency'),
  'deal.takesEveryField': valuesFor('deal'),
  'quote.updateTakesTheFieldsOfTheExamples': async (context) => [
    await pickedValues('quote', context),
    { acceptOnlinePayment: false },
  ],
  'quote.signaturesAreTaken': eachValueAs('signatureOption'),
})

keeps('deal.takesTheFieldsOfTheExamples', async ({ accepts, call, some }, context) => {
  const { owner, ...others } = await pickedValues('deal', context)
  await checkPlaces(context)
  await accepts('createDeal', { body: some.deal(others) })
  // No operation shows a user who could own a deal, so the id is made up.
  if (!(await call('createDeal', { body: { ...some.deal(), owner } })).succeeded)
    throw new Inconclusive('this server refuses an unknown owner of a deal, and no id of a user is known')
  await accepts('createDeal', { body: { ...some.deal(others), owner } })
})

/** Each field of the promise with each of these values. */
const eachFieldWith =
  (...values: readonly unknown[]) =>
  ({ requirement: { fields = [] } }: Context) =>
    fields.flatMap((field) => values.map((value) => ({ [field]: value })))

/** Wrong values for a list of contacts: the first has an id that exists. */
const notContacts = async (tools: Tools) => {
  const _id = await unchangedSubjects(tools).id('contact')
  return [[{ _id }], { first: _id }, [42]].map((contacts) => ({ contacts }))
}

/** The last is a text that some servers turn into a number. */
const refusesOtherThanNumbers = eachFieldWith('twelve', { amount: 12 }, [12, 13])
const refusesNumericTexts = eachFieldWith('12')

checkRefused({
  'company.wrongTypesAreRefused': async (context) => [
    ...['employeeCount', 'annualRevenue', 'additionalFields'].map((field) => ({ [field]: 'twelve' })),
    ...(await notContacts(context)),
  ],
  'product.pricesAreNumbers': refusesOtherThanNumbers,
  'product.numericTextsAreRefused': refusesNumericTexts,
  'deal.numericTextsAreRefused': refusesNumericTexts,
  'deal.closeDatesOfOtherTypesAreRefused': eachFieldWith({ date: inAMonth() }, [inAMonth()]),
  'deal.otherContactsAreRefused': notContacts,
  'quote.wrongTypesAreRefused': () => [{ expirationDate: [inAMonth()] }, { acceptOnlinePayment: 'perhaps' }],
})

keeps('deal.deleteSparesItsContact', async ({ ask, call, readRecord, make, some }) => {
  const body = some.contact()
  const contact = await make.contact(body)
  const { _id: conversationId } = (await ask('createConversation', { body: { contactId: contact._id } })).data
  for (const named of [{ contactId: contact._id }, { contacts: [contact._id] }]) {
    await ask('deleteDeal', { path: { dealId: (await make.deal(named))._id } })
    expect(await readRecord('contact', contact)).toMatchObject(asShown({ ...body, _id: contact._id }))
    expect((await call('getConversation', { path: { conversationId } })).status).toBe(200)
  }
})

const statusLists = ['quote.statusesOfTheProse', 'quote.statusesOfTheSchema'] as const

type Status = Schemas['QuoteStatus']

/** Ways to each of the later statuses of a list. No step returns to an earlier status, which a server may refuse. */
const waysOf = ([first, second, ...later]: readonly [Status, Status, ...Status[]]): Status[][] =>
  later.map((status) => [first, second, status])

for (const id of statusLists)
  keeps(id, async ({ accepts, make, requirement }) => {
    for (const way of waysOf(requirement.values)) {
      const quote = await make.quote()
      for (const status of way) await accepts(...updating('quote', quote, { status }))
    }
  })

keeps('quote.anyStatusMayFollow', async ({ accepts, make }) => {
  const statuses = [...new Set(statusLists.flatMap((id): readonly Status[] => promise(id).values))]
  const quote = await make.quote()
  // This way contains each step from one status to another once.
  const steps = statuses.flatMap((one, index) => [one, ...statuses.slice(index + 2).flatMap((other) => [other, one])])
  const way = [...steps, ...statuses.toReversed().slice(1)]
  for (const status of way) {
    const { fields } = await accepts(...updating('quote', quote, { status }))
    expect({ status, ...fieldsOf(fields.data) }).toMatchObject({ status })
  }
})

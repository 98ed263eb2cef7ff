import { type Fields, fieldsOf } from '../../client/answer.ts'
import { expect } from 'vitest'
import type { Tools } from '../../client/tools.ts'
import { promise as promised } from '../../spec/promises.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { type Given, keeps } from './keeps.ts'
import {
  inAMonth,
  isGoneOnceDeleted,
  isSeenWith,
  pick,
  refusesUpdates,
  showsTheChange,
  showsTheRecord,
  acceptsEachAlone,
} from './records.ts'

const at = ({ _id }: { readonly _id: string }) => ({ quoteId: _id })

keeps('quote.startsAsDraft', async (given) => {
  const quote = await given.make.quote()
  expect(quote.status).toBe('draft')
  await isSeenWith(given, 'quote', quote, { status: 'draft' })
})

keeps('quote.templateDefaultsToBasic', async (given) => {
  const { ask, make, some } = given
  const { template, ...body } = some.quote((await make.deal())._id)
  const quote = (await ask('createQuote', { body })).data
  expect(quote.template).toBe(template)
  await isSeenWith(given, 'quote', quote, { template })
})

type Status = Schemas['QuoteStatus']

/** Ways to each of the last statuses of a list; none goes back to an earlier one, which a server may refuse. */
function waysOf([first, second, ...last]: readonly [Status, Status, ...Status[]]): Status[][] {
  return last.map((status) => [first, second, status])
}

keeps('quote.updateSetsTheStatus', async ({ ask, look, make }) => {
  const lists = [promised('quote.statusesOfTheProse').values, promised('quote.statusesOfTheSchema').values]
  for (const way of lists.flatMap(waysOf)) {
    const quote = await make.quote()
    for (const status of way) {
      const answer = await ask('updateQuote', { path: at(quote), body: { status } })
      const told = [answer.fields.data, await look('quote', quote)].map((one) => fieldsOf(one).status)
      const shown = told.filter((one) => one !== undefined)
      if (shown.length === 0) throw new Inconclusive('no answer shows the status of a quote')
      for (const one of shown) expect(one).toBe(status)
    }
  }
})

keeps('quote.anyStatusMayFollow', async ({ accepts, look, make }) => {
  const statuses = new Set([
    ...promised('quote.statusesOfTheProse').values,
    ...promised('quote.statusesOfTheSchema').values,
  ])
  const quote = await make.quote()
  for (const from of statuses)
    for (const to of statuses) {
      await accepts('updateQuote', { path: at(quote), body: { status: from } })
      await accepts('updateQuote', { path: at(quote), body: { status: to } })
      const shown = await look('quote', quote)
      if (shown && 'status' in shown) expect(shown).toMatchObject({ status: to })
    }
})

keeps('quote.needsAKnownDeal', async ({ ask, make, mint, refuses, some }) => {
  const deal = await make.deal()
  await make.quote({ dealId: deal._id })
  await ask('deleteDeal', { path: { dealId: deal._id } })
  for (const dealId of [deal._id, mint.unknownId()]) {
    // Which of the two is left open.
    expect([400, 404]).toContain((await refuses('createQuote', { body: some.quote(dealId) })).status)
  }
})

async function acceptsEachStatus(
  given: Given<'quote.statusesOfTheProse'> | Given<'quote.statusesOfTheSchema'>,
): Promise<void> {
  const { accepts, make, requirement } = given
  for (const way of waysOf(requirement.values)) {
    const quote = await make.quote()
    for (const status of way) await accepts('updateQuote', { path: at(quote), body: { status } })
  }
}

keeps('quote.statusesOfTheProse', acceptsEachStatus)

keeps('quote.statusesOfTheSchema', acceptsEachStatus)

keeps('quote.otherStatusesAreRefused', async (given) => {
  await refusesUpdates(given, 'quote', await given.make.quote(), [{ status: 'archived' }])
})

keeps('quote.signaturesAreTaken', async ({ accepts, make, requirement }) => {
  const quote = await make.quote()
  for (const signatureOption of requirement.values)
    await accepts('updateQuote', { path: at(quote), body: { signatureOption } })
})

keeps('quote.otherSignaturesAreRefused', async (given) => {
  await refusesUpdates(given, 'quote', await given.make.quote(), [{ signatureOption: 'rubber-stamp' }])
})

keeps('quote.wrongTypesAreRefused', async (given) => {
  const wrong: Fields = { expirationDate: [inAMonth()], acceptOnlinePayment: 'perhaps' }
  const bodies = given.requirement.fields.map((field) => ({ [field]: wrong[field] }))
  await refusesUpdates(given, 'quote', await given.make.quote(), bodies)
})

keeps('quote.createAnswers201', async ({ call, make, requirement, some }) => {
  expect((await call('createQuote', { body: some.quote((await make.deal())._id) })).status).toBe(requirement.status)
})

keeps('quote.updateAnswers200', async ({ call, make, requirement }) => {
  const answer = await call('updateQuote', { path: at(await make.quote()), body: { notes: 'For the second engine' } })
  expect(answer.status).toBe(requirement.status)
})

keeps('quote.deleteAnswers200', async ({ call, make, requirement }) => {
  expect((await call('deleteQuote', { path: at(await make.quote()) })).status).toBe(requirement.status)
})

keeps('quote.createRequires', async ({ make, requires, some }) => {
  const { _id: dealId } = await make.deal()
  await requires('createQuote', () => ({ body: some.quote(dealId) }))
})

/** A made-up template; none if the server accepts only the documented one, which is left open. */
async function chooseTemplate({ call, make, mint, observe, some }: Tools): Promise<{ template?: string }> {
  const template = mint.slug('offer')
  const { succeeded } = await call('createQuote', { body: some.quote((await make.deal())._id, { template }) })
  observe('otherQuoteTemplate', succeeded ? 'accepted' : 'refused')
  return succeeded ? { template } : {}
}

keeps('quote.createShowsTheRecord', async (given) => {
  const { make, some } = given
  const [deal, other] = [await make.deal(), await make.deal()]
  const body = some.quote(deal._id, await chooseTemplate(given))
  await showsTheRecord(given, 'quote', [body, some.quote(other._id)])
})

/** Whether something is paid online; a server may refuse that to a team that cannot take payments. */
async function choosePayment({ call, make }: Tools): Promise<boolean> {
  const body = { acceptOnlinePayment: true }
  return (await call('updateQuote', { path: at(await make.quote()), body })).succeeded
}

/** A value for each field, listed or only in an example. */
async function everyField(given: Tools) {
  const { mint } = given
  return {
    name: mint.name('Engine for the forge'),
    // A status that locks nothing, and a template that exists.
    status: 'draft',
    template: 'default-basic',
    terms: 'Net 30',
    notes: 'For the second engine',
    signatureOption: 'written-signature',
    url: 'https://engines.example.com/quotes/1',
    expirationDate: inAMonth(),
    commentsToBuyer: 'Thank you',
    purchaseTerms: 'As agreed',
    acceptOnlinePayment: await choosePayment(given),
  }
}

keeps('quote.updateTakesAnyOneField', async (given) => {
  const { make, requirement } = given
  await acceptsEachAlone(given, 'quote', await make.quote(), pick(requirement.fields, await everyField(given)))
})

keeps('quote.updateTakesTheFieldsOfTheExamples', async (given) => {
  const { accepts, make, requirement } = given
  const body = pick(requirement.fields, await everyField(given))
  await accepts('updateQuote', { path: at(await make.quote()), body })
})

keeps('quote.updateShowsTheChange', async (given) => {
  const { make, mint, some } = given
  const [{ _id: dealId }, change] = [await make.deal(), { name: mint.name('Engine for the forge') }]
  await showsTheChange(given, 'quote', await make.quote({ dealId }), [some.quote(dealId), change])
})

keeps('quote.deletedIsGone', async (given) => {
  await isGoneOnceDeleted(given, 'quote', async () => given.some.quote((await given.make.deal())._id))
})

import { expect } from 'vitest'
import { promise as promised } from '../../spec/promises.ts'
import type { Schemas } from '../../spec/types.ts'
import { type Given, keeps } from './keeps.ts'
import {
  inAMonth,
  isGoneOnceDeleted,
  isSeenWith,
  pick,
  refusesUpdates,
  showsTheChange,
  showsTheRecord,
  takesEachAlone,
} from './records.ts'
import type { Tools } from '../../client/tools.ts'

const at = ({ _id }: { readonly _id: string }) => ({ quoteId: _id })

keeps('quote.startsAsDraft', async (given) => {
  const quote = await given.made.quote()
  expect(quote.status).toBe('draft')
  await isSeenWith(given, 'quote', quote, { status: 'draft' })
})

keeps('quote.templateDefaultsToBasic', async (given) => {
  const { ask, made, some } = given
  const { template, ...body } = some.quote((await made.deal())._id)
  const quote = (await ask('createQuote', { body })).data
  expect(quote.template).toBe(template)
  await isSeenWith(given, 'quote', quote, { template })
})

type Status = Schemas['QuoteStatus']

/** How a quote comes to the last statuses of a list; on none of these ways it goes back, which a server may refuse. */
function waysOf([first, second, ...last]: readonly [Status, Status, ...Status[]]): Status[][] {
  return last.map((status) => [first, second, status])
}

keeps('quote.updateSetsTheStatus', async ({ ask, look, made }) => {
  const lists = [promised('quote.statusesOfTheProse').values, promised('quote.statusesOfTheSchema').values]
  for (const way of lists.flatMap(waysOf)) {
    const quote = await made.quote()
    for (const status of way) {
      await ask('updateQuote', { path: at(quote), body: { status } })
      expect(await look('quote', quote)).toMatchObject({ status })
    }
  }
})

keeps('quote.needsAKnownDeal', async ({ ask, made, mint, refused, some }) => {
  const deal = await made.deal()
  await made.quote({ dealId: deal._id })
  await ask('deleteDeal', { path: { dealId: deal._id } })
  for (const dealId of [deal._id, mint.unknownId()]) {
    // Which of the two it is, is left open.
    expect([400, 404]).toContain((await refused('createQuote', { body: some.quote(dealId) })).status)
  }
})

async function takesEachStatus(
  given: Given<'quote.statusesOfTheProse'> | Given<'quote.statusesOfTheSchema'>,
): Promise<void> {
  const { accepted, made, promise } = given
  for (const way of waysOf(promise.values)) {
    const quote = await made.quote()
    for (const status of way) await accepted('updateQuote', { path: at(quote), body: { status } })
  }
}

keeps('quote.statusesOfTheProse', takesEachStatus)

keeps('quote.statusesOfTheSchema', takesEachStatus)

keeps('quote.otherStatusesAreRefused', async (given) => {
  await refusesUpdates(given, 'quote', await given.made.quote(), [{ status: 'archived' }])
})

keeps('quote.signaturesAreTaken', async ({ accepted, made, promise }) => {
  const quote = await made.quote()
  for (const signatureOption of promise.values)
    await accepted('updateQuote', { path: at(quote), body: { signatureOption } })
})

keeps('quote.otherSignaturesAreRefused', async (given) => {
  await refusesUpdates(given, 'quote', await given.made.quote(), [{ signatureOption: 'rubber-stamp' }])
})

keeps('quote.createAnswers201', async ({ call, made, promise, some }) => {
  expect((await call('createQuote', { body: some.quote((await made.deal())._id) })).status).toBe(promise.status)
})

keeps('quote.updateAnswers200', async ({ call, made, promise }) => {
  const answer = await call('updateQuote', { path: at(await made.quote()), body: { notes: 'For the second engine' } })
  expect(answer.status).toBe(promise.status)
})

keeps('quote.deleteAnswers200', async ({ call, made, promise }) => {
  expect((await call('deleteQuote', { path: at(await made.quote()) })).status).toBe(promise.status)
})

keeps('quote.createRequires', async ({ made, requires, some }) => {
  const { _id: dealId } = await made.deal()
  await requires('createQuote', () => ({ body: some.quote(dealId) }))
})

/** A template of our own invention; none where the server takes no other than the one that is named, which is left open. */
async function templateTaken({ call, made, mint, observe, some }: Tools): Promise<{ template?: string }> {
  const template = mint.slug('offer')
  const { succeeded } = await call('createQuote', { body: some.quote((await made.deal())._id, { template }) })
  observe('otherQuoteTemplate', succeeded ? 'accepted' : 'refused')
  return succeeded ? { template } : {}
}

keeps('quote.createShowsTheRecord', async (given) => {
  const { made, some } = given
  const [deal, other] = [await made.deal(), await made.deal()]
  const body = some.quote(deal._id, await templateTaken(given))
  await showsTheRecord(given, 'quote', 'createQuote', [body, some.quote(other._id)])
})

/** A value for each field, be it listed or only in an example. */
function everyField({ mint }: Tools) {
  return {
    name: mint.name('Engine for the forge'),
    // Neither a state that would lock it nor a template that is not there.
    status: 'draft',
    template: 'default-basic',
    terms: 'Net 30',
    notes: 'For the second engine',
    signatureOption: 'written-signature',
    url: 'https://engines.example.com/quotes/1',
    expirationDate: inAMonth(),
    commentsToBuyer: 'Thank you',
    purchaseTerms: 'As agreed',
    acceptOnlinePayment: true,
  }
}

keeps('quote.updateTakesAnyOneField', async (given) => {
  const { made, promise } = given
  await takesEachAlone(given, 'quote', await made.quote(), pick(promise.fields, everyField(given)))
})

keeps('quote.updateTakesTheFieldsOfTheExamples', async (given) => {
  const { accepted, made, promise } = given
  const body = pick(promise.fields, everyField(given))
  await accepted('updateQuote', { path: at(await made.quote()), body })
})

keeps('quote.updateShowsTheChange', async (given) => {
  const { made, mint, some } = given
  const [{ _id: dealId }, change] = [await made.deal(), { name: mint.name('Engine for the forge') }]
  await showsTheChange(given, 'quote', await made.quote({ dealId }), [some.quote(dealId), change])
})

keeps('quote.deletedIsGone', async (given) => {
  await isGoneOnceDeleted(given, 'quote')
})

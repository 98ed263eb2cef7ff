import { expect } from 'vitest'
import type { Tools } from '../../client/tools.ts'
import { BrokenPromise, Inconclusive } from '../judge/outcome.ts'
import { checkPlaces } from './deal-places.ts'
import { keeps } from './keeps.ts'
import {
  inAMonth,
  isGoneOnceDeleted,
  notNumbers,
  numericTexts,
  pick,
  refusesUpdates,
  showsTheChange,
  showsTheRecord,
  acceptsEachAlone,
} from './records.ts'

const at = ({ _id }: { readonly _id: string }) => ({ dealId: _id })

/** A value for each listed field. */
async function everyField(given: Tools) {
  const { make, mint, some } = given
  const { pipeline, stage } = some.deal()
  return {
    pipeline,
    stage,
    name: mint.name('Engine for the forge'),
    amount: 2400.25,
    currency: await chooseCurrency(given),
    contactId: (await make.contact())._id,
    companyId: (await make.company())._id,
    closeDate: await chooseCloseDate(given),
  }
}

/** Another than deals have by default, where the team uses more than one. */
async function chooseCurrency({ call, some }: Tools): Promise<string> {
  for (const currency of ['GBP', 'USD'])
    if ((await call('createDeal', { body: some.deal({ currency }) })).succeeded) return currency
  return String(some.deal().currency)
}

/** A date with or without a time of day: an ISO date string is either, and a server may want one of them. */
async function chooseCloseDate({ call, some }: Tools): Promise<string> {
  const closeDate = inAMonth().slice(0, '2026-06-30'.length)
  return (await call('createDeal', { body: some.deal({ closeDate }) })).succeeded ? closeDate : inAMonth()
}

keeps('deal.createShowsTheRecord', async (given) => {
  await showsTheRecord(given, 'deal', [given.some.deal(), given.some.deal()])
})

keeps('deal.takesEveryField', async (given) => {
  const { accepts, requirement } = given
  await checkPlaces(given)
  await accepts('createDeal', { body: pick(requirement.fields, await everyField(given)) })
})

keeps('deal.takesTheFieldsOfTheExamples', async (given) => {
  const { accepts, call, make, mint, requirement, some } = given
  const values = {
    description: 'The second engine',
    contacts: [(await make.contact())._id],
    company: (await make.company())._id,
    owner: mint.unknownId(),
  }
  const { owner, ...others } = pick(requirement.fields, values)
  await checkPlaces(given)
  await accepts('createDeal', { body: some.deal(others) })
  // No operation shows a user who could own a deal, so the id is made up.
  if (!(await call('createDeal', { body: some.deal({ owner }) })).succeeded)
    throw new Inconclusive('this server refuses an unknown owner of a deal, and no id of a user is known')
  await accepts('createDeal', { body: some.deal({ ...others, owner }) })
})

keeps('deal.numericTextsAreRefused', async (given) => {
  const { make, requirement, refuses, some } = given
  await checkPlaces(given)
  const wrong = requirement.fields.flatMap(numericTexts)
  for (const fields of wrong) await refuses('createDeal', { body: { ...some.deal(), ...fields } })
  await refusesUpdates(given, 'deal', await make.deal(), wrong)
})

keeps('deal.amountIsANumber', async (given) => {
  const { make, requirement, refuses, some } = given
  await checkPlaces(given)
  const wrong = requirement.fields.flatMap(notNumbers)
  for (const fields of wrong) await refuses('createDeal', { body: { ...some.deal(), ...fields } })
  await refusesUpdates(given, 'deal', await make.deal(), wrong)
})

keeps('deal.closeDatesOfOtherTypesAreRefused', async (given) => {
  const { make, requirement, refuses, some } = given
  await checkPlaces(given)
  const wrong = requirement.fields.flatMap((field) => [{ [field]: { date: inAMonth() } }, { [field]: [inAMonth()] }])
  for (const fields of wrong) await refuses('createDeal', { body: { ...some.deal(), ...fields } })
  await refusesUpdates(given, 'deal', await make.deal(), wrong)
})

keeps('deal.otherContactsAreRefused', async (given) => {
  const { make, refuses, some } = given
  await checkPlaces(given)
  const { _id } = await make.contact()
  const wrong = [{ first: _id }, [42], [{ _id }]].map((contacts) => ({ contacts }))
  for (const fields of wrong) await refuses('createDeal', { body: { ...some.deal(), ...fields } })
  await refusesUpdates(given, 'deal', await make.deal(), wrong)
})

keeps('deal.createAnswers200', async (given) => {
  const { call, requirement, some } = given
  await checkPlaces(given)
  expect((await call('createDeal', { body: some.deal() })).status).toBe(requirement.status)
})

keeps('deal.updateAnswers200', async ({ call, make, requirement }) => {
  const answer = await call('updateDeal', { path: at(await make.deal()), body: { amount: 1100 } })
  expect(answer.status).toBe(requirement.status)
})

keeps('deal.deleteAnswers200', async ({ call, make, requirement }) => {
  expect((await call('deleteDeal', { path: at(await make.deal()) })).status).toBe(requirement.status)
})

keeps('deal.createRequires', async ({ requires, some }) => {
  await requires('createDeal', () => ({ body: some.deal() }))
})

keeps('deal.updateTakesAnyOneField', async (given) => {
  const { call, look, make, mint, requirement } = given
  const deal = await make.deal()
  await acceptsEachAlone(given, 'deal', deal, pick(requirement.fields, await everyField(given)))
  // A stage that a server takes is one that it keeps.
  const stage = mint.slug('won')
  const moved = await call('updateDeal', { path: at(deal), body: { stage } })
  const shown = moved.succeeded ? (await look('deal', deal))?.stage : undefined
  if (shown !== undefined) expect(shown).toBe(stage)
})

keeps('deal.updateShowsTheChange', async (given) => {
  const { make, some } = given
  const before = some.deal()
  await showsTheChange(given, 'deal', await make.deal(before), [before, { amount: 1300.75 }])
})

keeps('deal.deletedIsGone', async (given) => {
  const quote = await given.make.quote()
  const { _id: contactId } = await given.make.contact()
  await isGoneOnceDeleted(given, 'deal', () => given.some.deal({ contactId }))
  const { status, summary } = await given.view('quote', quote)
  if (status === 404) throw new BrokenPromise('the quote of another deal still in place', summary)
})

keeps('deal.deleteSparesItsContact', async ({ ask, call, look, make, some }) => {
  const body = some.contact()
  const contact = await make.contact(body)
  const { _id: conversationId } = (await ask('createConversation', { body: { contactId: contact._id } })).data
  for (const named of [{ contactId: contact._id }, { contacts: [contact._id] }]) {
    await ask('deleteDeal', { path: at(await make.deal(named)) })
    expect(await look('contact', contact)).toMatchObject({ ...body, _id: contact._id })
    expect((await call('getConversation', { path: { conversationId } })).status).toBe(200)
  }
})

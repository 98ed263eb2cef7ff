import { expect } from 'vitest'
import { Inconclusive, Skipped } from '../judge/outcome.ts'
import { keeps } from './keeps.ts'
import {
  inAMonth,
  isGoneOnceDeleted,
  notNumbers,
  pick,
  refusesUpdates,
  showsTheChange,
  showsTheRecord,
  takesEachAlone,
} from './records.ts'
import type { Tools } from '../../client/tools.ts'

const at = ({ _id }: { readonly _id: string }) => ({ dealId: _id })

/** A server may take a deal only into a pipeline that is there, and nobody but the operator can name one. */
async function findsItsPlace({ call, some, target }: Tools): Promise<void> {
  const { pipeline, stage } = target.places
  if (pipeline !== undefined && stage !== undefined) return
  const { status } = await call('createDeal', { body: some.deal() })
  if (status !== 400 && status !== 404) return
  throw new Skipped('it takes a pipeline of the team, and a stage of it: --pipeline-id, --stage-id')
}

/** A value for each field that is listed. */
async function everyField({ made, mint, some }: Tools) {
  const { pipeline, stage } = some.deal()
  return {
    pipeline,
    stage,
    name: mint.name('Engine for the forge'),
    amount: 2400.25,
    currency: 'GBP',
    contactId: (await made.contact())._id,
    companyId: (await made.company())._id,
    closeDate: inAMonth().slice(0, '2026-06-30'.length),
  }
}

keeps('deal.createShowsTheRecord', async (given) => {
  await showsTheRecord(given, 'deal', 'createDeal', [given.some.deal(), given.some.deal()])
})

keeps('deal.takesEveryField', async (given) => {
  const { accepted, promise } = given
  await findsItsPlace(given)
  await accepted('createDeal', { body: pick(promise.fields, await everyField(given)) })
})

keeps('deal.takesTheFieldsOfTheExamples', async (given) => {
  const { accepted, call, made, mint, promise, some } = given
  const values = {
    description: 'The second engine',
    contacts: [(await made.contact())._id],
    company: (await made.company())._id,
    owner: mint.unknownId(),
  }
  const { owner, ...others } = pick(promise.fields, values)
  await findsItsPlace(given)
  await accepted('createDeal', { body: some.deal(others) })
  if (!(await call('createDeal', { body: some.deal({ owner }) })).succeeded) await takesUnknownIds(given)
  await accepted('createDeal', { body: some.deal({ ...others, owner }) })
})

/** No operation shows a user who could own a deal: so one is made up, which a server may refuse as it may any such id. */
async function takesUnknownIds({ call, mint, observe, some }: Tools): Promise<void> {
  const { succeeded } = await call('createDeal', { body: some.deal({ contactId: mint.unknownId() }) })
  observe('dealReferences', succeeded ? 'accepted' : 'refused')
  if (!succeeded) throw new Inconclusive('here a deal names only what is there, and no user is known to own it')
}

keeps('deal.amountIsANumber', async (given) => {
  const { made, promise, refused, some } = given
  const wrong = promise.fields.flatMap(notNumbers)
  for (const fields of wrong) await refused('createDeal', { body: { ...some.deal(), ...fields } })
  await refusesUpdates(given, 'deal', await made.deal(), wrong)
})

keeps('deal.createAnswers200', async (given) => {
  const { call, promise, some } = given
  await findsItsPlace(given)
  expect((await call('createDeal', { body: some.deal() })).status).toBe(promise.status)
})

keeps('deal.updateAnswers200', async ({ call, made, promise }) => {
  const answer = await call('updateDeal', { path: at(await made.deal()), body: { amount: 1100 } })
  expect(answer.status).toBe(promise.status)
})

keeps('deal.deleteAnswers200', async ({ call, made, promise }) => {
  expect((await call('deleteDeal', { path: at(await made.deal()) })).status).toBe(promise.status)
})

keeps('deal.createRequires', async ({ requires, some }) => {
  await requires('createDeal', () => ({ body: some.deal() }))
})

keeps('deal.updateTakesAnyOneField', async (given) => {
  const { made, promise } = given
  await takesEachAlone(given, 'deal', await made.deal(), pick(promise.fields, await everyField(given)))
})

keeps('deal.updateShowsTheChange', async (given) => {
  const { made, some } = given
  const before = some.deal()
  await showsTheChange(given, 'deal', await made.deal(before), [before, { amount: 1300.75 }])
})

keeps('deal.deletedIsGone', async (given) => {
  await isGoneOnceDeleted(given, 'deal')
})

keeps('deal.deleteSparesItsContact', async ({ ask, call, look, made, some }) => {
  const body = some.contact()
  const contact = await made.contact(body)
  const { _id: conversationId } = (await ask('createConversation', { body: { contactId: contact._id } })).data
  for (const named of [{ contactId: contact._id }, { contacts: [contact._id] }]) {
    await ask('deleteDeal', { path: at(await made.deal(named)) })
    expect(await look('contact', contact)).toMatchObject({ ...body, _id: contact._id })
    expect((await call('getConversation', { path: { conversationId } })).status).toBe(200)
  }
})

import { expect } from 'vitest'
import { keeps } from './keeps.ts'
import { isGoneOnceDeleted, pick, showsTheChange, showsTheRecord, takesEachAlone } from './records.ts'
import type { Tools } from '../../client/tools.ts'

const at = ({ _id }: { readonly _id: string }) => ({ companyId: _id })

/** A value for each field, be it listed or only in an example. */
async function everyField({ made, mint }: Tools) {
  return {
    name: mint.name('Analytical Engines'),
    domain: 'engines.example.com',
    industry: 'Machinery',
    phone: mint.phone(),
    address: '1 Mill Lane',
    city: 'London',
    state: 'Greater London',
    zip: 'NW1 4RY',
    country: 'GB',
    email: mint.email(),
    phoneNumber: mint.phone(),
    logoUrl: 'https://files.example.com/logo.png',
    postalCode: 'NW1 4RY',
    employeeCount: 12,
    annualRevenue: 1_200_000,
    contacts: [(await made.contact())._id],
    additionalFields: { tier: 'gold' },
  }
}

keeps('company.createShowsTheRecord', async (given) => {
  await showsTheRecord(given, 'company', 'createCompany', [given.some.company(), given.some.company()])
})

keeps('company.takesEveryField', async (given) => {
  const { accepted, promise, some } = given
  await accepted('createCompany', { body: some.company(pick(promise.fields, await everyField(given))) })
})

keeps('company.takesTheFieldsOfTheExample', async (given) => {
  const { accepted, promise, some } = given
  await accepted('createCompany', { body: some.company(pick(promise.fields, await everyField(given))) })
})

keeps('company.createAnswers201', async ({ call, promise, some }) => {
  expect((await call('createCompany', { body: some.company() })).status).toBe(promise.status)
})

keeps('company.updateAnswers200', async ({ call, made, promise }) => {
  const answer = await call('updateCompany', { path: at(await made.company()), body: { industry: 'Computing' } })
  expect(answer.status).toBe(promise.status)
})

keeps('company.deleteAnswers200', async ({ call, made, promise }) => {
  expect((await call('deleteCompany', { path: at(await made.company()) })).status).toBe(promise.status)
})

keeps('company.createRequires', async ({ requires, some }) => {
  await requires('createCompany', () => ({ body: some.company() }))
})

keeps('company.updateTakesAnyOneField', async (given) => {
  const { made, promise } = given
  await takesEachAlone(given, 'company', await made.company(), pick(promise.fields, await everyField(given)))
})

keeps('company.updateShowsTheChange', async (given) => {
  const { made, mint, some } = given
  const [before, change] = [some.company(), { name: mint.name('Analytical Engines') }]
  await showsTheChange(given, 'company', await made.company(before), [before, change])
})

keeps('company.deletedIsGone', async (given) => {
  await isGoneOnceDeleted(given, 'company')
})

import { expect } from 'vitest'
import type { Tools } from '../../client/tools.ts'
import { keeps } from './keeps.ts'
import { pictureUrl } from './media.ts'
import { isGoneOnceDeleted, pick, refusesUpdates, showsTheChange, showsTheRecord, acceptsEachAlone } from './records.ts'

const at = ({ _id }: { readonly _id: string }) => ({ companyId: _id })

/** A value for each field, listed or only in an example. */
async function everyField({ make, mint, target }: Tools) {
  return {
    name: mint.name('Analytical Engines'),
    domain: `${mint.slug('engines').replaceAll('_', '-')}.${target.emailDomain}`,
    industry: 'Machinery',
    phone: mint.phone(),
    address: '1 Mill Lane',
    city: 'London',
    state: 'Greater London',
    zip: 'NW1 4RY',
    country: 'GB',
    email: mint.email(),
    phoneNumber: mint.phone(),
    logoUrl: pictureUrl({ target }),
    postalCode: 'NW1 4RY',
    employeeCount: 12,
    annualRevenue: 9750.5,
    contacts: [(await make.contact())._id],
    additionalFields: { tier: 'gold' },
  }
}

keeps('company.createShowsTheRecord', async (given) => {
  await showsTheRecord(given, 'company', [given.some.company(), given.some.company()])
})

keeps('company.takesEveryField', async (given) => {
  const { accepts, requirement, some } = given
  await accepts('createCompany', { body: some.company(pick(requirement.fields, await everyField(given))) })
})

keeps('company.takesTheFieldsOfTheExample', async (given) => {
  const { accepts, requirement, some } = given
  await accepts('createCompany', { body: some.company(pick(requirement.fields, await everyField(given))) })
})

keeps('company.wrongTypesAreRefused', async (given) => {
  const { make, requirement, refuses, some } = given
  const { _id } = await make.contact()
  const lists = [{ first: 'Ada' }, [42], [{ _id }]]
  const wrong = requirement.fields.flatMap((field) =>
    (field === 'contacts' ? lists : ['twelve']).map((value) => ({ [field]: value })),
  )
  for (const fields of wrong) await refuses('createCompany', { body: { ...some.company(), ...fields } })
  await refusesUpdates(given, 'company', await make.company(), wrong)
})

keeps('company.createAnswers201', async ({ call, requirement, some }) => {
  expect((await call('createCompany', { body: some.company() })).status).toBe(requirement.status)
})

keeps('company.updateAnswers200', async ({ call, make, requirement }) => {
  const answer = await call('updateCompany', { path: at(await make.company()), body: { industry: 'Computing' } })
  expect(answer.status).toBe(requirement.status)
})

keeps('company.deleteAnswers200', async ({ call, make, requirement }) => {
  expect((await call('deleteCompany', { path: at(await make.company()) })).status).toBe(requirement.status)
})

keeps('company.createRequires', async ({ requires, some }) => {
  await requires('createCompany', () => ({ body: some.company() }))
})

keeps('company.updateTakesAnyOneField', async (given) => {
  const { make, requirement } = given
  await acceptsEachAlone(given, 'company', await make.company(), pick(requirement.fields, await everyField(given)))
})

keeps('company.updateShowsTheChange', async (given) => {
  const { make, mint, some } = given
  const [before, change] = [some.company(), { name: mint.name('Analytical Engines') }]
  await showsTheChange(given, 'company', await make.company(before), [before, change])
})

keeps('company.deletedIsGone', async (given) => {
  await isGoneOnceDeleted(given, 'company', () => given.some.company())
})

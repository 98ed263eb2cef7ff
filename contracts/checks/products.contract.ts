import { expect } from 'vitest'
import type { Tools } from '../../client/tools.ts'
import { type Given, keeps } from './keeps.ts'
import { pictureUrl } from './media.ts'
import {
  isGoneOnceDeleted,
  notNumbers,
  numericTexts,
  pick,
  refusesUpdates,
  showsTheChange,
  showsTheRecord,
  acceptsEachAlone,
} from './records.ts'

const at = ({ _id }: { readonly _id: string }) => ({ productId: _id })

/** A value for each field, listed or only in an example. */
function everyField({ mint, target }: Tools) {
  return {
    name: mint.name('Analytical engine'),
    sku: mint.slug('AE').toUpperCase().replaceAll('_', '-'),
    description: 'Computes whatever can be computed',
    unitPrice: 2400.23,
    unitCost: 1600.71,
    billingFrequency: 'monthly' as const,
    term: '12',
    productType: 'machine',
    imageUrl: pictureUrl({ target }),
    url: 'https://engines.example.com/analytical',
  }
}

keeps('product.createShowsTheRecord', async (given) => {
  await showsTheRecord(given, 'product', [given.some.product(), given.some.product()])
})

keeps('product.takesEveryField', async (given) => {
  const { accepts, requirement, some } = given
  await accepts('createProduct', { body: some.product(pick(requirement.fields, everyField(given))) })
})

keeps('product.takesTheFieldsOfTheExamples', async (given) => {
  const { accepts, requirement, some } = given
  await accepts('createProduct', { body: some.product(pick(requirement.fields, everyField(given))) })
})

keeps('product.pricesAreNumbers', async (given) => {
  const { make, requirement, refuses, some } = given
  const wrong = requirement.fields.flatMap(notNumbers)
  for (const fields of wrong) await refuses('createProduct', { body: { ...some.product(), ...fields } })
  await refusesUpdates(given, 'product', await make.product(), wrong)
})

keeps('product.numericTextsAreRefused', async (given) => {
  const { make, requirement, refuses, some } = given
  const wrong = requirement.fields.flatMap(numericTexts)
  for (const fields of wrong) await refuses('createProduct', { body: { ...some.product(), ...fields } })
  await refusesUpdates(given, 'product', await make.product(), wrong)
})

/** On create, and on update. */
async function acceptsEachBilling(
  given: Given<'product.billingOfTheSchema'> | Given<'product.billingOfTheProse'>,
): Promise<void> {
  const { accepts, make, requirement, some } = given
  const product = await make.product()
  for (const billingFrequency of requirement.values) {
    await accepts('createProduct', { body: some.product({ billingFrequency }) })
    await accepts('updateProduct', { path: at(product), body: { billingFrequency } })
  }
}

keeps('product.billingOfTheSchema', acceptsEachBilling)

keeps('product.billingOfTheProse', acceptsEachBilling)

keeps('product.otherBillingIsRefused', async (given) => {
  const { make, refuses, some } = given
  const wrong = ['every-full-moon', 'yearly', 'daily', 'every-six-years', 'monthly-ish'].map((billingFrequency) => ({
    billingFrequency,
  }))
  for (const fields of wrong) await refuses('createProduct', { body: { ...some.product(), ...fields } })
  await refusesUpdates(given, 'product', await make.product({ billingFrequency: 'monthly' }), wrong)
})

keeps('product.createAnswers201', async ({ call, requirement, some }) => {
  expect((await call('createProduct', { body: some.product() })).status).toBe(requirement.status)
})

keeps('product.updateAnswers200', async ({ call, make, requirement }) => {
  const answer = await call('updateProduct', { path: at(await make.product()), body: { unitPrice: 1300 } })
  expect(answer.status).toBe(requirement.status)
})

keeps('product.deleteAnswers200', async ({ call, make, requirement }) => {
  expect((await call('deleteProduct', { path: at(await make.product()) })).status).toBe(requirement.status)
})

keeps('product.createRequires', async ({ requires, some }) => {
  await requires('createProduct', () => ({ body: some.product() }))
})

keeps('product.updateTakesAnyOneField', async (given) => {
  const { make, requirement } = given
  await acceptsEachAlone(given, 'product', await make.product(), pick(requirement.fields, everyField(given)))
})

keeps('product.updateShowsTheChange', async (given) => {
  const { make, some } = given
  const before = some.product()
  await showsTheChange(given, 'product', await make.product(before), [before, { unitPrice: 1300.75 }])
})

keeps('product.deletedIsGone', async (given) => {
  await isGoneOnceDeleted(given, 'product', () => given.some.product())
})

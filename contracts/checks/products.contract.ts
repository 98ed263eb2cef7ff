import { expect } from 'vitest'
import { type Given, keeps } from './keeps.ts'
import {
  isGoneOnceDeleted,
  notNumbers,
  pick,
  refusesUpdates,
  showsTheChange,
  showsTheRecord,
  takesEachAlone,
} from './records.ts'
import type { Tools } from '../../client/tools.ts'

const at = ({ _id }: { readonly _id: string }) => ({ productId: _id })

/** A value for each field, be it listed or only in an example. */
function everyField({ mint }: Tools) {
  return {
    name: mint.name('Analytical engine'),
    sku: mint.slug('AE'),
    description: 'Computes whatever can be computed',
    unitPrice: 2400.25,
    unitCost: 1600.75,
    billingFrequency: 'monthly' as const,
    term: '12',
    productType: 'machine',
    imageUrl: 'https://files.example.com/engine.png',
    url: 'https://engines.example.com/analytical',
  }
}

keeps('product.createShowsTheRecord', async (given) => {
  await showsTheRecord(given, 'product', 'createProduct', [given.some.product(), given.some.product()])
})

keeps('product.takesEveryField', async (given) => {
  const { accepted, promise, some } = given
  await accepted('createProduct', { body: some.product(pick(promise.fields, everyField(given))) })
})

keeps('product.takesTheFieldsOfTheExamples', async (given) => {
  const { accepted, promise, some } = given
  await accepted('createProduct', { body: some.product(pick(promise.fields, everyField(given))) })
})

keeps('product.pricesAreNumbers', async (given) => {
  const { made, promise, refused, some } = given
  const wrong = promise.fields.flatMap(notNumbers)
  for (const fields of wrong) await refused('createProduct', { body: { ...some.product(), ...fields } })
  await refusesUpdates(given, 'product', await made.product(), wrong)
})

/** On create, and on update. */
async function takesEachBilling(
  given: Given<'product.billingOfTheSchema'> | Given<'product.billingOfTheProse'>,
): Promise<void> {
  const { accepted, made, promise, some } = given
  const product = await made.product()
  for (const billingFrequency of promise.values) {
    await accepted('createProduct', { body: some.product({ billingFrequency }) })
    await accepted('updateProduct', { path: at(product), body: { billingFrequency } })
  }
}

keeps('product.billingOfTheSchema', takesEachBilling)

keeps('product.billingOfTheProse', takesEachBilling)

keeps('product.otherBillingIsRefused', async (given) => {
  const { made, refused, some } = given
  const wrong = { billingFrequency: 'every-full-moon' }
  await refused('createProduct', { body: { ...some.product(), ...wrong } })
  await refusesUpdates(given, 'product', await made.product({ billingFrequency: 'monthly' }), [wrong])
})

keeps('product.createAnswers201', async ({ call, promise, some }) => {
  expect((await call('createProduct', { body: some.product() })).status).toBe(promise.status)
})

keeps('product.updateAnswers200', async ({ call, made, promise }) => {
  const answer = await call('updateProduct', { path: at(await made.product()), body: { unitPrice: 1300 } })
  expect(answer.status).toBe(promise.status)
})

keeps('product.deleteAnswers200', async ({ call, made, promise }) => {
  expect((await call('deleteProduct', { path: at(await made.product()) })).status).toBe(promise.status)
})

keeps('product.createRequires', async ({ requires, some }) => {
  await requires('createProduct', () => ({ body: some.product() }))
})

keeps('product.updateTakesAnyOneField', async (given) => {
  const { made, promise } = given
  await takesEachAlone(given, 'product', await made.product(), pick(promise.fields, everyField(given)))
})

keeps('product.updateShowsTheChange', async (given) => {
  const { made, some } = given
  const before = some.product()
  await showsTheChange(given, 'product', await made.product(before), [before, { unitPrice: 1300.75 }])
})

keeps('product.deletedIsGone', async (given) => {
  await isGoneOnceDeleted(given, 'product')
})

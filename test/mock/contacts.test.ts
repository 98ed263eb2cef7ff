import { expect, it } from 'vitest'
import { ada, grace, create, upsert, idOf } from './contact-calls.ts'
import { openSandbox } from './harness.ts'

it('a contact with both addresses is updated by an upsert, although other contacts share one of them', async () => {
  const { call } = await openSandbox()
  await create(call, { ...grace, email: ada.email })
  await create(call, { ...grace, phone: ada.phone })
  const id = await idOf(create(call))
  expect((await upsert(call, { ...ada, firstName: 'Augusta' })).body.data._id).toBe(id)
})

it('a contact is found again with emailStored=lowerCase and addressCompare=exact', async () => {
  const { call } = await openSandbox({ assume: { emailStored: 'lowerCase', addressCompare: 'exact' } })
  const body = { ...ada, phone: undefined, email: 'Ada@Example.com' }
  expect(await idOf(upsert(call, body))).toBe(await idOf(upsert(call, body)))
})

it('an e-mail address may be empty, and is then not the address of another contact', async () => {
  const { call } = await openSandbox()
  const body = { ...ada, phone: undefined, email: '' }
  const made = await create(call, body)
  expect([made.status, made.body.data.email]).toEqual([201, ''])
  expect(await idOf(upsert(call, body))).not.toBe(made.body.data._id)
})

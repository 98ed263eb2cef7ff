import { expect } from 'vitest'
import { Inconclusive } from '../judge/outcome.ts'
import { keeps } from './keeps.ts'
import { addresses, at, contactOf, grace, identity, resolving } from './resolved-conversations.ts'
import { asShown } from './shown.ts'

/** With more digits than E.164 allows. */
const tooLong = (phone: string) => phone.padEnd(17, '0')

keeps('conversation.findRefusesUnlistedFields', async ({ mint, refuses }) => {
  await refuses('findOrCreateConversation', { body: { ...addresses(mint), ...grace } })
  await refuses('findOrCreateConversation', { body: { ...addresses(mint), nickname: 'Amazing' } })
})

keeps('conversation.emailAloneIsEnough', async ({ accepts, mint, requirement }) => {
  for (const operation of requirement.operations)
    await accepts(operation, resolving[operation]({ email: mint.email() }, mint))
})

keeps('conversation.phoneAloneIsEnough', async ({ accepts, mint, requirement }) => {
  for (const operation of requirement.operations)
    await accepts(operation, resolving[operation]({ phone: mint.phone() }, mint))
})

keeps('conversation.malformedEmailIsRefused', async ({ mint, requirement, refuses }) => {
  for (const operation of requirement.operations)
    for (const email of ['ada', 'ada.example.com', 'ada@'])
      await refuses(operation, resolving[operation]({ ...addresses(mint), email }, mint))
})

keeps('conversation.malformedPhoneIsRefused', async ({ mint, requirement, refuses }) => {
  for (const operation of requirement.operations)
    for (const phone of ['ada', tooLong(mint.phone())])
      await refuses(operation, resolving[operation]({ ...addresses(mint), phone }, mint))
})

keeps('conversation.nationalPhoneIsRefused', async ({ mint, requirement, refuses }) => {
  for (const operation of requirement.operations)
    await refuses(operation, resolving[operation]({ ...addresses(mint), phone: '0301234567' }, mint))
})

keeps('conversation.missingContactIsMade', async ({ accepts, look, make, mint, requirement }) => {
  const other = await make.conversation()
  for (const operation of requirement.operations) {
    for (const sent of [{ email: mint.email() }, { phone: mint.phone() }, addresses(mint)]) {
      const { _id } = contactOf((await accepts(operation, resolving[operation](sent, mint))).data)
      expect(_id).not.toBe(contactOf(other)._id)
      expect(await look('contact', { ...grace, _id })).toMatchObject(asShown({ ...sent, _id }))
    }
  }
})

keeps('conversation.missingConversationIsMade', async ({ accepts, make, mint, requirement }) => {
  for (const operation of requirement.operations) {
    const sent = addresses(mint)
    const { _id } = await make.contact(sent)
    const { data } = await accepts(operation, resolving[operation](sent, mint))
    const opened = await accepts('getConversation', { path: at(data) })
    expect(identity(opened.data)).toEqual({ _id: data._id, contactId: { _id } })
  }
})

keeps('conversation.findAgainIsTheSame', async ({ accepts, ask, make, mint }) => {
  const both = addresses(mint)
  const { email, phone } = both
  const again = [
    { first: both, then: [both, { email }, { phone }] },
    ...[{ email: mint.email() }, { phone: mint.phone() }].map((one) => ({ first: one, then: [one] })),
  ]
  for (const { first, then } of again) {
    const { data } = await ask('findOrCreateConversation', { body: first })
    await make.conversation()
    for (const body of then)
      expect((await accepts('findOrCreateConversation', { body })).data).toMatchObject(identity(data))
  }
})

keeps('conversation.createWithContactRequires', async ({ mint, requires }) => {
  await requires('createContactWithConversation', () => ({ body: { ...grace, ...addresses(mint) } }))
})

keeps('conversation.newContactIsALead', async ({ ask, look, mint }) => {
  const { data } = await ask('createContactWithConversation', { body: { ...grace, ...addresses(mint) } })
  expect(await look('contact', { ...contactOf(data), ...grace })).toMatchObject({ lifecycleStage: 'Lead' })
})

keeps('conversation.newContactKeepsItsStage', async ({ accepts, look, mint }) => {
  const body = { ...grace, ...addresses(mint), lifecycleStage: 'Customer' }
  const { data } = await accepts('createContactWithConversation', { body })
  expect(await look('contact', { ...contactOf(data), ...grace })).toMatchObject({ lifecycleStage: 'Customer' })
})

keeps('conversation.newContactJoinsItsGroup', async ({ ask, call, look, mint, observe, target }) => {
  const groupId = target.places.group
  const answer = await call('createContactWithConversation', { body: { ...grace, ...addresses(mint), groupId } })
  if (!answer.succeeded) {
    await ask('createContactWithConversation', { body: { ...grace, ...addresses(mint) } })
    observe('contactReferences', 'refused')
    throw new Inconclusive('this server accepts only groups that exist')
  }
  expect(await look('contact', { ...contactOf(answer.data), ...grace })).toMatchObject({ groupIds: [groupId] })
})

keeps('conversation.emailFindsTheContact', async ({ accepts, make, mint }) => {
  const email = mint.email()
  const known = await make.conversation({ email })
  await make.conversation()
  const { data } = await accepts('createContactWithConversation', { body: { ...grace, email } })
  expect(data).toMatchObject(identity(known))
})

keeps('conversation.phoneFindsTheContact', async ({ accepts, make, mint }) => {
  const phone = mint.phone()
  const known = await make.conversation({ phone })
  await make.conversation()
  const { data } = await accepts('createContactWithConversation', { body: { ...grace, phone } })
  expect(data).toMatchObject(identity(known))
})

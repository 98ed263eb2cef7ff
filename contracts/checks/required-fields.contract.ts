import { plainType } from '../../client/bodies.ts'
import { pathTo } from '../../client/kinds.ts'
import type { Input } from '../../client/request.ts'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { checkPlaces } from './deal-places.ts'
import { type Given, keeps } from './keeps.ts'
import { templateTypes } from './new-template.ts'
import { pick } from './records.ts'

// What is required suffices: a request with nothing else succeeds.

async function acceptsNamesAlone(given: Given, operation: OperationId, fields: readonly ('firstName' | 'lastName')[]) {
  const { accepts, call, mint, target } = given
  const body = pick(fields, { firstName: mint.name('Ada'), lastName: 'Lovelace' })
  // A server may refuse the name of a person with digits in it; without, nobody finds the record again after a crash.
  const isPlain = target.loopback && !(await call(operation, { body })).succeeded
  await accepts(operation, { body: isPlain ? { ...body, firstName: 'Ada' } : body })
}

keeps('contact.requiredFieldsSuffice', async (given) => {
  await acceptsNamesAlone(given, 'createContact', given.requirement.fields)
})

keeps('contact.upsertRequiredFieldsSuffice', async (given) => {
  await acceptsNamesAlone(given, 'createOrUpdateContact', given.requirement.fields)
})

keeps('conversation.requiredFieldsSuffice', async (given) => {
  await acceptsNamesAlone(given, 'createContactWithConversation', given.requirement.fields)
})

keeps('company.requiredFieldsSuffice', async ({ accepts, requirement, mint }) => {
  await accepts('createCompany', { body: pick(requirement.fields, { name: mint.name('Difference & Sons') }) })
})

keeps('product.requiredFieldsSuffice', async ({ accepts, requirement, mint }) => {
  const product = { name: mint.name('Difference engine'), unitPrice: 1200.5 }
  await accepts('createProduct', { body: pick(requirement.fields, product) })
})

keeps('deal.requiredFieldsSuffice', async (given) => {
  const { accepts, requirement, some } = given
  await checkPlaces(given)
  await accepts('createDeal', { body: pick(requirement.fields, some.deal()) })
})

keeps('quote.requiredFieldsSuffice', async ({ accepts, make, requirement, some }) => {
  const { _id } = await make.deal()
  await accepts('createQuote', { body: pick(requirement.fields, some.quote(_id)) })
})

keeps('template.requiredFieldsSuffice', async ({ accepts, some }) => {
  for (const type of templateTypes) {
    const fields = ['templateType', ...promise(`template.${type}Requires`).fields]
    // Without a placeholder, which would want a sample.
    const body = some.template[type]({ content: 'We open at nine.' })
    await accepts('createTemplate', { body: pick<string, Record<string, unknown>>(fields, body) })
  }
})

keeps('message.requiredFieldsSuffice', async ({ accepts, recipient, some, target }) => {
  const [email, phone] = [recipient.email, recipient.phone]
  const { providers, loopback } = target
  const messages: readonly (readonly [boolean, OperationId, () => Input['body']])[] = [
    [true, 'sendLiveMessage', () => ({ ...some.chat(), to: phone() })],
    [!!providers.email, 'sendEmailMessage', () => ({ ...some.email(), to: email() })],
    [!!providers.sms, 'sendMessage', () => ({ ...some.text({ channel: 'sms' }), to: phone() })],
    // Whether a WhatsApp message needs a template is left open.
    [loopback && !!providers.email, 'sendBulkMessages', () => some.bulk('email')],
    [loopback && !!providers.sms, 'sendBulkMessages', () => some.bulk('sms')],
  ]
  for (const [isPossible, operation, body] of messages) if (isPossible) await accepts(operation, { body: body() })
})

async function acceptsAnEmptyUpdate(
  { accepts, make }: Given,
  kind: 'contact' | 'company' | 'product' | 'deal' | 'quote',
  operation: OperationId,
): Promise<void> {
  await accepts(operation, { ...pathTo(kind, (await make[kind]())._id), body: {} })
}

keeps('contact.updateMayBeEmpty', async (given) => {
  await acceptsAnEmptyUpdate(given, 'contact', 'updateContact')
})

keeps('company.updateMayBeEmpty', async (given) => {
  await acceptsAnEmptyUpdate(given, 'company', 'updateCompany')
})

keeps('product.updateMayBeEmpty', async (given) => {
  await acceptsAnEmptyUpdate(given, 'product', 'updateProduct')
})

keeps('deal.updateMayBeEmpty', async (given) => {
  await acceptsAnEmptyUpdate(given, 'deal', 'updateDeal')
})

keeps('quote.updateMayBeEmpty', async (given) => {
  await acceptsAnEmptyUpdate(given, 'quote', 'updateQuote')
})

keeps('template.updateMayBeEmpty', async ({ accepts, make, target }) => {
  const templateType = plainType(target)
  const { _id } = await make.template(templateType)
  await accepts('updateTemplate', { ...pathTo('template', _id), body: { templateType } })
})

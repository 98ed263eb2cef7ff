import { pathTo } from '../../client/operations/index.ts'
import { plainType } from '../../client/operations/templates.ts'
import type { Input } from '../../client/request.ts'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Given, keeps } from './keeps.ts'
import { templateTypes } from './new-template.ts'
import { pick } from './records.ts'

// What is required suffices: a request with nothing else succeeds.

const names = ({ mint }: Given) => ({ firstName: mint.name('Ada'), lastName: 'Lovelace' })

keeps('contact.requiredFieldsSuffice', async (given) => {
  await given.accepts('createContact', { body: pick(given.requirement.fields, names(given)) })
})

keeps('contact.upsertRequiredFieldsSuffice', async (given) => {
  await given.accepts('createOrUpdateContact', { body: pick(given.requirement.fields, names(given)) })
})

keeps('conversation.requiredFieldsSuffice', async (given) => {
  await given.accepts('createContactWithConversation', { body: pick(given.requirement.fields, names(given)) })
})

keeps('company.requiredFieldsSuffice', async ({ accepts, requirement, mint }) => {
  await accepts('createCompany', { body: pick(requirement.fields, { name: mint.name('Difference & Sons') }) })
})

keeps('product.requiredFieldsSuffice', async ({ accepts, requirement, mint }) => {
  const product = { name: mint.name('Difference engine'), unitPrice: 1200.5 }
  await accepts('createProduct', { body: pick(requirement.fields, product) })
})

keeps('deal.requiredFieldsSuffice', async ({ accepts, requirement, some }) => {
  await accepts('createDeal', { body: pick(requirement.fields, some.deal()) })
})

keeps('quote.requiredFieldsSuffice', async ({ accepts, make, requirement, some }) => {
  const { _id } = await make.deal()
  await accepts('createQuote', { body: pick(requirement.fields, some.quote(_id)) })
})

keeps('template.requiredFieldsSuffice', async ({ accepts, some }) => {
  for (const type of templateTypes) {
    const fields = ['templateType', ...promise(`template.${type}Requires`).fields]
    await accepts('createTemplate', { body: pick<string, Record<string, unknown>>(fields, some.template[type]()) })
  }
})

keeps('message.requiredFieldsSuffice', async ({ accepts, recipient, some, target }) => {
  const [email, phone] = [recipient.email, recipient.phone]
  const { providers, loopback } = target
  const messages: readonly (readonly [boolean, OperationId, () => Input['body']])[] = [
    [true, 'sendLiveMessage', () => ({ ...some.chat(), to: phone() })],
    [!!providers.email, 'sendEmailMessage', () => ({ ...some.email(), to: email() })],
    [!!providers.sms, 'sendMessage', () => ({ ...some.text({ channel: 'sms' }), to: phone() })],
    [!!providers.whatsapp, 'sendMessage', () => ({ ...some.text({ channel: 'whatsapp' }), to: phone() })],
    // Whether a bulk WhatsApp message needs a template is left open.
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

import type { Answer } from '../../client/answer.ts'
import type { Target } from '../../client/target/target.ts'
import type { Tools } from '../../client/tools.ts'
import { BrokenPromise } from '../judge/outcome.ts'
import { findApprovedTemplate } from './approved-template.ts'

/** Fields that name other records. A server that refuses an unknown id in one of them must not take a foreign one. */
export async function takesNoForeignReference(attacker: Tools, owner: Tools): Promise<void> {
  const { call, make, mint, some } = attacker
  const [contact, company, own] = [await owner.make.contact(), await owner.make.company(), await make.contact()]
  const deal = (fields: object) => call('createDeal', { body: some.deal(fields) })
  const [ownDeal, ownCompany] = [await deal({}), await make.company()]
  const dealId = ownDeal.succeeded ? ownDeal.data._id : mint.unknownId()
  const dealUpdate = (body: object) => call('updateDeal', { path: { dealId }, body })
  const attempts: readonly NamingAttempt[] = [
    [contact._id, (contactId) => deal({ contactId })],
    [company._id, (companyId) => deal({ companyId })],
    [contact._id, (id) => deal({ contacts: [id] })],
    [company._id, (id) => deal({ company: id })],
    [contact._id, (contactId) => dealUpdate({ contactId })],
    [company._id, (companyId) => dealUpdate({ companyId })],
    [contact._id, (id) => dealUpdate({ contacts: [id] })],
    [company._id, (id) => dealUpdate({ company: id })],
    [contact._id, (id) => call('createCompany', { body: some.company({ contacts: [id] }) })],
    [contact._id, (id) => call('updateCompany', { path: { companyId: ownCompany._id }, body: { contacts: [id] } })],
    [company._id, (id) => call('updateContact', { path: { contactId: own._id }, body: { company: id } })],
    ...(attacker.target.loopback ? await namingInSends(attacker, owner) : []),
  ]
  for (const [foreign, name] of attempts) {
    if ((await name(mint.unknownId())).succeeded) continue
    const answer = await name(foreign)
    if (answer.succeeded) throw new BrokenPromise('a refusal, as of an unknown id', answer.summary)
  }
}

/** A record of another team, and a request that names it. */
type NamingAttempt = readonly [foreign: string, name: (id: string) => Promise<Answer>]

/** What a message may name: the provider that sends it, a template, and the message that it replies to. */
async function namingInSends({ call, recipient, some, target }: Tools, owner: Tools): Promise<NamingAttempt[]> {
  const email = (fields: object) => call('sendEmailMessage', { body: some.email({ to: recipient.email(), ...fields }) })
  const whatsapp = (templateId: string, fields: object) =>
    call('sendMessage', {
      body: some.text({ channel: 'whatsapp', to: recipient.phone(), ...fields, templateId }),
    })
  const sms = (providerId: string) =>
    call('sendMessage', { body: some.text({ channel: 'sms', to: recipient.phone(), providerId }) })
  const bulk = (providerId: string) => call('sendBulkMessages', { body: some.bulk('email', { providerId }) })
  const { _id: conversationId } = await owner.make.conversation()
  const { data: message } = await owner.ask('sendLiveMessage', { body: owner.some.chat({ conversationId }) })
  const theirs = owner.target.providers.whatsapp ? await findApprovedTemplate(owner) : undefined
  // Two teams may share a template; that one leaks is for another promise to say.
  const isShared = theirs && (await call('getTemplate', { path: { templateId: theirs.templateId } })).succeeded
  const approved = isShared ? undefined : theirs
  return [
    ...(target.providers.email ? [[message._id, (id) => email({ replyToMessageId: id })] satisfies NamingAttempt] : []),
    ...foreignProviders('email', target, owner).flatMap((foreign) => [
      [foreign, (providerId) => email({ providerId })] satisfies NamingAttempt,
      [foreign, bulk] satisfies NamingAttempt,
    ]),
    ...foreignProviders('sms', target, owner).map((foreign) => [foreign, sms] satisfies NamingAttempt),
    ...(approved && target.providers.whatsapp
      ? [[approved.templateId, (id) => whatsapp(id, approved)] satisfies NamingAttempt]
      : []),
  ]
}

/** The id and the address of a provider of the other team, where the attacker has another one for the channel. */
function foreignProviders(channel: 'email' | 'sms', { providers }: Target, owner: Tools): string[] {
  const [own, theirs] = [providers[channel], owner.target.providers[channel]]
  const named = own && theirs ? [theirs.id, theirs.address] : []
  return named.filter((one) => one !== undefined && one !== own?.id && one !== own?.address) as string[]
}

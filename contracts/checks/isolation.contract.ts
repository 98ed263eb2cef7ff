import { expect } from 'vitest'
import { type Answer, fieldsOf, idOf } from '../client/answer.ts'
import { type CreatedKind, kindIn, kinds, pathTo } from '../client/kinds.ts'
import { rows, sending, type SingleSend } from '../client/operations.ts'
import { findApprovedTemplate, fromTemplate, historyOf, messagesOn } from '../client/messages.ts'
import type { Input } from '../client/request.ts'
import type { Target } from '../client/target/target.ts'
import { newSubjects, type Subjects, subjectsFrom, type Tools } from '../client/tools.ts'
import type { OperationId } from '../../spec/types.ts'
import { BrokenPromise, Inconclusive } from '../judge/outcome.ts'
import { each } from './each-operation.ts'
import { type Context, keeps } from './keeps.ts'
import { makeAny, withToken } from './other-records.ts'
import { makeConversation } from './sends.ts'
import { idsIn, listAll, makePlainTemplate } from './template-fixtures.ts'

/** The team of the record that each operation answers with. */
async function teamsShown(tools: Tools, by: readonly OperationId[]): Promise<unknown[]> {
  const subjects = newSubjects(tools)
  const teams: unknown[] = []
  for (const operation of by) {
    const { data } = (await tools.ask(operation, await rows[operation].request(subjects, tools))).fields
    const { teamId } = fieldsOf(data)
    // An update of a company need not answer with the record. Other promises cover a missing field of the other answers.
    if (teamId !== undefined) teams.push(teamId)
  }
  return teams
}

keeps('access.recordsCarryTheirTeam', async ({ as, mint, requirement, some }) => {
  const ours = await teamsShown(as('team'), requirement.operations)
  const [team, otherTeam] = [ours[0], (await as('otherTeam').make.company()).teamId]
  expect(ours).toEqual(ours.map(() => team))
  expect(team).not.toBe(otherTeam)
  const teamOf = { team, otherTeam }
  // A server that stores the caller in a global variable mixes concurrent requests.
  const callers = Array.from({ length: 3 }, () => ['team', 'otherTeam'] as const).flat()
  const mixed = await Promise.all(callers.map(async (who) => (await as(who).make.company()).teamId))
  expect(mixed).toEqual(callers.map((who) => teamOf[who]))
  // An Idempotency-Key is unique within a team, so two teams may use the same one.
  const key = mint.key()
  for (const who of ['team', 'otherTeam'] as const) {
    const { succeeded, fields } = await as(who).call('createCompany', { body: some.company(), key })
    if (succeeded) expect(fieldsOf(fields.data).teamId).toBe(teamOf[who])
  }
})

/** Requests of one team for records of another. */
interface Attack {
  readonly attacker: Tools
  readonly owner: Tools
  readonly inputFor: (operation: OperationId) => Promise<Input>
  readonly record: Subjects['record']
}

const directions = [
  ['team', 'otherTeam'],
  ['otherTeam', 'team'],
  ['admin', 'otherTeam'],
] as const

/**
 * Tries each operation of the promise with the key of each team, and the first with a token.
 * If one cannot be tried, the others still are.
 */
async function withEachAttack(
  { as, mint, requirement }: Context,
  act: (operation: OperationId, attack: Attack) => Promise<void>,
): Promise<void> {
  const owned = { team: newSubjects(as('team')), otherTeam: newSubjects(as('otherTeam')) }
  const tries = directions.flatMap(([from, to]) => {
    const [attacker, owner, { record }] = [as(from), as(to), owned[to]]
    const subjects = subjectsFrom(record, async () => mint.email())
    const inputFor = async (operation: OperationId) => rows[operation].request(subjects, attacker)
    const operations = requirement.operations as readonly OperationId[]
    return operations
      .slice(0, from === 'admin' ? 1 : undefined)
      .map((operation) => [operation, { attacker, owner, record, inputFor }] as const)
  })
  await each(tries, ([operation, attack]) => act(operation, attack))
}

/** A read of a history with a message. */
async function readOfAMessage(owner: Tools) {
  const { _id: conversationId } = await makeConversation('sendLiveMessage', owner)
  await owner.ask('sendLiveMessage', { body: owner.some.chat({ conversationId }) })
  return { path: { conversationId }, query: { page: 1, limit: 10 } }
}

keeps('access.readsStayInTheTeam', async (context) => {
  await withEachAttack(context, async (operation, { attacker, owner, inputFor }) => {
    if (operation === 'listConversationsOfContact')
      await owner.ask('createConversation', await inputFor('createConversation'))
    const input = operation === 'listMessages' ? await readOfAMessage(owner) : await inputFor(operation)
    const own = await owner.call(operation, input)
    expect(contentOf(await attacker.call(operation, input))).toEqual([])
    if (contentOf(own).length === 0) throw new Inconclusive(`its own team gets nothing either: ${own.summary}`)
  })
})

/** The records in a success, without empty objects, lists and groups. */
function contentOf({ succeeded, fields }: Answer): unknown[] {
  const all = succeeded ? [fields.data ?? []].flat() : []
  return all.filter((one) => {
    const { messages } = fieldsOf(one)
    return Array.isArray(messages) ? messages.length > 0 : Object.keys(fieldsOf(one)).length > 0
  })
}

keeps('access.listsStayInTheTeam', async ({ as }) => {
  const [ours, theirs] = [await makePlainTemplate(as('team')), await makePlainTemplate(as('otherTeam'))]
  await each(['team', 'admin', 'agent', 'otherTeam'] as const, async (who) => {
    const [own, foreign] = who === 'otherTeam' ? [theirs, ours] : [ours, theirs]
    const listed = idsIn(await listAll(as(who)))
    expect(listed).not.toContain(foreign._id)
    if (who !== 'agent' && !listed.includes(own._id))
      throw new Inconclusive('the list lacks a template of the team itself')
  })
})

keeps('access.updatesStayInTheTeam', async (context) => {
  await withEachAttack(context, async (operation, { attacker, owner, record, inputFor }) => {
    const kind = kindIn(operation)
    const theirs = await record(kind)
    const input = await inputFor(operation)
    await expectRefusal(attacker.call(operation, input))
    // If an update answers with the record, the answer shows whether the attack changed it.
    const shown = fieldsOf((await owner.readAnswer(kind, theirs)).fields.data)
    for (const [field, value] of Object.entries(fieldsOf(input.body)))
      if (field !== 'templateType') expect(shown[field]).not.toBe(value)
  })
})

async function expectRefusal(answer: Promise<Answer>): Promise<Answer> {
  const { succeeded, summary } = await answer
  if (succeeded) throw new BrokenPromise('a refusal', summary)
  return answer
}

keeps('access.deletesStayInTheTeam', async (context) => {
  await withEachAttack(context, async (operation, { attacker, owner, record, inputFor }) => {
    const kind = kindIn(operation)
    const theirs = await record(kind)
    const before = await owner.readAnswer(kind, theirs)
    const answer = await attacker.call(operation, await inputFor(operation))
    // On some servers the delete of an unknown record succeeds.
    if (answer.succeeded && !(await deletesTwice(attacker, kind)))
      throw new BrokenPromise('nothing to delete', answer.summary)
    const after = await owner.readAnswer(kind, theirs)
    if (!before.succeeded) throw new Inconclusive(`its own team cannot see the ${kind}: ${before.summary}`)
    if (!after.succeeded) throw new BrokenPromise(`the ${kind} still in place`, after.summary)
  })
  await sparesRelatedRecords(context.as('team'), context.as('otherTeam'))
})

/** Whether a second delete of the same record succeeds. */
async function deletesTwice(tools: Tools, kind: CreatedKind): Promise<boolean> {
  const { _id } = await makeAny(kind, tools)
  const { deletedBy } = kinds[kind]
  await tools.ask(deletedBy, pathTo(kind, _id))
  return (await tools.call(deletedBy, pathTo(kind, _id))).succeeded
}

/** Expects that the delete of a foreign contact or deal leaves its conversation or quote in place. */
async function sparesRelatedRecords({ call }: Tools, owner: Tools): Promise<void> {
  const { _id: conversationId, contactId } = await owner.make.conversation()
  await staysInPlace(owner, conversationId, () => call('deleteContact', { path: { contactId: contactId._id } }))
  const { _id: dealId } = await owner.make.deal()
  const quote = await owner.make.quote({ dealId })
  await call('deleteDeal', { path: { dealId } })
  expect((await owner.readAnswer('quote', quote)).status).toBe(200)
}

/** Expects that the owner can read a conversation after the attack as before. */
async function staysInPlace(owner: Tools, conversationId: string, attack: () => Promise<unknown>): Promise<void> {
  const read = () => owner.call('getConversation', { path: { conversationId } })
  const before = await read()
  await attack()
  const after = await read()
  if (!before.succeeded) throw new Inconclusive(`its own team cannot read it either: ${before.summary}`)
  expect(after.status).toBe(before.status)
}

keeps('access.deletesByEmailStayInTheTeam', async (context) => {
  await withEachAttack(context, async (operation, { attacker, owner }) => {
    const email = context.mint.email()
    const { _id: conversationId, contactId } = await owner.make.conversation({ email })
    // The attacker has a contact with the address too, so that the delete finds one. A token may not be allowed to.
    await attacker.call('createContact', { body: attacker.some.contact({ email }) })
    await staysInPlace(owner, conversationId, () => attacker.call(operation, { query: { email } }))
    expect((await owner.readAnswer('contact', { _id: contactId._id, firstName: 'Ada' })).status).toBe(200)
  })
})

keeps('access.sendsStayInTheTeam', async (context) => {
  await withEachAttack(context, async (id, { attacker, owner }) => {
    const operation = id as SingleSend
    const { into, message, toContact } = sending[operation]
    const theirs = await makeConversation(operation, owner)
    const direct = toContact(theirs.contactId)
    const attempts = [
      ...[into(theirs), direct].map((target) => message(attacker, target)),
      ...('contactId' in direct ? [{ ...message(attacker), recipientId: theirs.contactId._id }] : []),
      ...(await withForeignConversation(operation, theirs._id, attacker)),
    ]
    const statuses: number[] = []
    for (const body of attempts) statuses.push((await expectRefusal(attacker.call(operation, { body }))).status)
    const contents = messagesOn(await historyOf(owner, theirs._id)).map(({ content }) => content)
    for (const { content } of attempts) expect(contents).not.toContain(content)
    // If the server refuses every message of the attacker, such as for its provider, the refusals prove nothing.
    if (statuses.some((status) => status !== 401 && status !== 403))
      await attacker.ask(operation, { body: message(attacker, into(await makeConversation(operation, attacker))) })
  })
})

/** Messages into the foreign conversation without a receiver, and with a contact of the attacker as receiver. */
async function withForeignConversation(operation: SingleSend, conversationId: string, attacker: Tools) {
  if (!attacker.target.loopback) return [] // on another machine a run may send only a few messages
  const { message, toContact } = sending[operation]
  const own = await attacker.call('createContact', { body: attacker.some.contact() })
  const receivers = own.succeeded ? [{}, toContact(own.data)] : [{}]
  return receivers.map((receiver) => message(attacker, { ...receiver, conversationId }))
}

keeps('access.referencesStayInTheTeam', async ({ as }, context) => {
  await withEachAttack(context, async (operation, { attacker, owner, record, inputFor }) => {
    await expectRefusal(attacker.call(operation, await inputFor(operation)))
    if (operation !== 'createConversation') return
    const { _id: contactId } = await record('contact')
    expect((await owner.ask('listConversationsOfContact', { path: { contactId } })).data).toEqual([])
  })
  await acceptsNoForeignReference(as('team'), as('otherTeam'))
})

/** A foreign record, and a request that names it. */
type Reference = readonly [foreign: string, name: (id: string) => Promise<Answer>]

/** A server that refuses an unknown id in a field must not accept a foreign one. */
async function acceptsNoForeignReference(attacker: Tools, owner: Tools): Promise<void> {
  const { call, make, mint, some, target } = attacker
  const [contact, company, own] = [await owner.make.contact(), await owner.make.company(), await make.contact()]
  const deal = (fields: object) => call('createDeal', { body: some.deal(fields) })
  const [ownDeal, { _id: companyId }] = [await deal({}), await make.company()]
  const path = { dealId: ownDeal.succeeded ? ownDeal.data._id : mint.unknownId() }
  const inDeals = [deal, (body: object) => call('updateDeal', { path, body })].flatMap((write): Reference[] => [
    [contact._id, (id) => write({ contactId: id })],
    [company._id, (id) => write({ companyId: id })],
    [contact._id, (id) => write({ contacts: [id] })],
    [company._id, (id) => write({ company: id })],
  ])
  const references: readonly Reference[] = [
    ...inDeals,
    [contact._id, (id) => call('createCompany', { body: some.company({ contacts: [id] }) })],
    [contact._id, (id) => call('updateCompany', { path: { companyId }, body: { contacts: [id] } })],
    [company._id, (id) => call('updateContact', { path: { contactId: own._id }, body: { company: id } })],
    ...(target.loopback ? await referencesInSends(attacker, owner) : []),
  ]
  for (const [foreign, name] of references)
    if (!(await name(mint.unknownId())).succeeded) await expectRefusal(name(foreign))
}

/** A message may name its provider, a template, and the message to which it replies. */
async function referencesInSends({ call, recipient, some, target }: Tools, owner: Tools): Promise<Reference[]> {
  const email = (fields: object) => call('sendEmailMessage', { body: some.email({ to: recipient.email(), ...fields }) })
  const text = (fields: object) => call('sendMessage', { body: some.text({ to: recipient.phone(), ...fields }) })
  const { _id: conversationId } = await owner.make.conversation()
  const { data: message } = await owner.ask('sendLiveMessage', { body: owner.some.chat({ conversationId }) })
  const references: Reference[] = []
  if (target.providers.email) references.push([message._id, (id) => email({ replyToMessageId: id })])
  for (const foreign of foreignProviders('email', target, owner)) {
    references.push([foreign, (providerId) => email({ providerId })])
    references.push([foreign, (providerId) => call('sendBulkMessages', { body: some.bulk('email', { providerId }) })])
  }
  for (const foreign of foreignProviders('sms', target, owner))
    references.push([foreign, (providerId) => text({ channel: 'sms', providerId })])
  const template = owner.target.providers.whatsapp ? await findApprovedTemplate(owner) : undefined
  const { templateId, ...parameters } = fromTemplate(template ?? { _id: '', content: '' })
  // Two teams may share a template; another promise covers its reads.
  const isForeign = template && !(await call('getTemplate', { path: { templateId } })).succeeded
  if (isForeign && target.providers.whatsapp)
    references.push([templateId, (id) => text({ channel: 'whatsapp', ...parameters, templateId: id })])
  return references
}

/** The id and the address of the other team's provider, if both teams have different ones for the channel. */
function foreignProviders(channel: 'email' | 'sms', { providers }: Target, owner: Tools): string[] {
  const [own, theirs] = [providers[channel], owner.target.providers[channel]]
  const named = own && theirs ? [theirs.id, theirs.address] : []
  return named.filter((one) => one !== undefined && one !== own?.id && one !== own?.address) as string[]
}

keeps('access.sameAddressInTwoTeams', async (context) => {
  const other = context.as('otherTeam')
  const [first] = context.requirement.operations
  for (const operation of context.requirement.operations) await keepsApart(operation, other, context)
  // Either team may create the first contact with the addresses.
  await keepsApart(first, context, other)
  await withToken(context, (token) => keepsApart(first, other, token))
})

type FindsContact = 'findOrCreateConversation' | 'createContactWithConversation' | 'createOrUpdateContact'

/** Expects that neither of two teams with contacts of the same addresses gets the contact of the other. */
async function keepsApart(operation: FindsContact, first: Tools, second: Tools): Promise<void> {
  const addresses = { email: first.mint.email(), phone: first.mint.phone() }
  const names = { firstName: 'Ada', lastName: 'Lovelace' }
  const body = operation === 'findOrCreateConversation' ? addresses : { ...names, ...addresses }
  const contactOf = async ({ ask }: Tools) => {
    const { data } = await ask(operation, { body })
    const id = idOf('contactId' in data ? data.contactId : data)
    if (id === undefined) throw new Inconclusive(`${operation} shows no id of the contact`)
    return id
  }
  const [theirs, ours] = [await contactOf(first), await contactOf(second)]
  expect(ours).not.toBe(theirs)
  expect(await contactOf(first)).not.toBe(ours)
  expect(await contactOf(second)).not.toBe(theirs)
}

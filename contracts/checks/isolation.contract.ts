import { expect } from 'vitest'
import { type Answer, fieldsOf, idOf } from '../client/answer.ts'
import { type CreatedKind, kindIn, kinds, pathTo } from '../client/kinds.ts'
import { rows, sending, type SingleSend } from '../client/operations.ts'
import { findApprovedTemplate, fromTemplate, historyOf, messagesOn, pageOf } from '../client/messages.ts'
import type { Input } from '../client/request.ts'
import type { Target } from '../client/target/target.ts'
import { newSubjects, type Subjects, subjectsFrom, type Tools } from '../client/tools.ts'
import type { OperationId } from '../../spec/types.ts'
import { BrokenPromise, Inconclusive } from '../judge/outcome.ts'
import { each, type Owner, unchangedSubjects } from './each-operation.ts'
import { type Context, keeps } from './keeps.ts'
import { makeAny, withToken } from './other-records.ts'
import { anyConversation } from './sends.ts'
import { anyTemplate, idsIn, listAll } from './template-fixtures.ts'

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
  readonly teams: { readonly attacker: Owner; readonly owner: Owner }
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
  context: Context,
  act: (operation: OperationId, attack: Attack) => Promise<void>,
): Promise<void> {
  const { as, mint, requirement } = context
  const tries = directions.flatMap(([from, to]) => {
    const [attacker, owner, { record }] = [as(from), as(to), unchangedSubjects(context, to)]
    const subjects = subjectsFrom(record, async () => mint.email())
    const teams = { attacker: from === 'otherTeam' ? from : 'team', owner: to } as const
    const inputFor = async (operation: OperationId) => rows[operation].request(subjects, attacker)
    const operations = requirement.operations as readonly OperationId[]
    return operations
      .slice(0, from === 'admin' ? 1 : undefined)
      .map((operation) => [operation, { attacker, owner, teams, record, inputFor }] as const)
  })
  await each(tries, ([operation, attack]) => act(operation, attack))
}

/** A read of a history with a message, or of a list with a conversation. */
async function readOfAMessage(operation: OperationId, { owner, teams }: Attack, context: Tools) {
  const { _id: conversationId, contactId } = await anyConversation('sendLiveMessage', context, teams.owner)
  if (operation === 'listConversationsOfContact') return { path: { contactId: contactId._id } }
  await owner.ask('sendLiveMessage', { body: owner.some.chat({ conversationId }) })
  return pageOf(conversationId)
}

keeps('access.readsStayInTheTeam', async (context) => {
  await withEachAttack(context, async (operation, attack) => {
    const { attacker, owner, inputFor } = attack
    const isOfMessages = operation === 'listMessages' || operation === 'listConversationsOfContact'
    const input = isOfMessages ? await readOfAMessage(operation, attack, context) : await inputFor(operation)
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

keeps('access.listsStayInTheTeam', async ({ as }, context) => {
  const ours = await anyTemplate(context)
  const theirs = await anyTemplate(context, undefined, 'otherTeam')
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
    const answer = await attacker.call(operation, await inputFor(operation))
    // On some servers the delete of an unknown record succeeds.
    if (answer.succeeded && !(await deletesTwice(attacker, kind)))
      throw new BrokenPromise('nothing to delete', answer.summary)
    const after = await owner.readAnswer(kind, theirs)
    if (after.succeeded) return
    const another = await owner.readAnswer(kind, await makeAny(kind, owner))
    if (!another.succeeded) throw new Inconclusive(`its own team cannot see the ${kind}: ${another.summary}`)
    throw new BrokenPromise(`the ${kind} still in place`, after.summary)
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

/** Expects that the owner can still read a conversation after the attack. */
async function staysInPlace(owner: Tools, conversationId: string, attack: () => Promise<unknown>): Promise<void> {
  await attack()
  const read = (id: string) => owner.call('getConversation', { path: { conversationId: id } })
  const after = await read(conversationId)
  if (after.succeeded) return
  const another = await read((await owner.make.conversation())._id)
  if (!another.succeeded) throw new Inconclusive(`its own team cannot read it either: ${another.summary}`)
  throw new BrokenPromise('the conversation still in place', after.summary)
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
  await withEachAttack(context, async (id, { attacker, owner, teams }) => {
    const operation = id as SingleSend
    const { into, message, toContact } = sending[operation]
    const [theirs, own] = [
      await anyConversation(operation, context, teams.owner),
      await anyConversation(operation, context, teams.attacker),
    ]
    const direct = toContact(theirs.contactId)
    const attempts = [
      ...[into(theirs), direct].map((target) => message(attacker, target)),
      ...('contactId' in direct ? [{ ...message(attacker), recipientId: theirs.contactId._id }] : []),
      // On another machine a run may send only a few messages.
      ...(context.target.loopback ? [{}, toContact(own.contactId)] : []).map((receiver) =>
        message(attacker, { ...receiver, conversationId: theirs._id }),
      ),
    ]
    const statuses: number[] = []
    for (const body of attempts) statuses.push((await expectRefusal(attacker.call(operation, { body }))).status)
    const contents = messagesOn(await historyOf(owner, theirs._id)).map(({ content }) => content)
    for (const { content } of attempts) expect(contents).not.toContain(content)
    // If the server refuses every message of the attacker, such as for its provider, the refusals prove nothing.
    if (statuses.some((status) => status !== 401 && status !== 403))
      await attacker.ask(operation, { body: message(attacker, into(own)) })
  })
})

keeps('access.referencesStayInTheTeam', async (context) => {
  await withEachAttack(context, async (operation, { attacker, owner, record, inputFor }) => {
    await expectRefusal(attacker.call(operation, await inputFor(operation)))
    if (operation !== 'createConversation') return
    const { _id: contactId } = await record('contact')
    expect((await owner.ask('listConversationsOfContact', { path: { contactId } })).data).toEqual([])
  })
  await acceptsNoForeignReference(context)
})

/** A foreign record, and a request that names it. */
type Reference = readonly [foreign: string, name: (id: string) => Promise<Answer>]

/** A server that refuses an unknown id in a field must not accept a foreign one. */
async function acceptsNoForeignReference(context: Tools): Promise<void> {
  const { call, make, mint, some, target } = context
  const { record } = unchangedSubjects(context, 'otherTeam')
  const [contact, company, own] = [await record('contact'), await record('company'), await make.contact()]
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
    ...(target.loopback ? await referencesInSends(context) : []),
  ]
  for (const [foreign, name] of references)
    if (!(await name(mint.unknownId())).succeeded) await expectRefusal(name(foreign))
}

/** A message may name its provider, a template, and the message to which it replies. */
async function referencesInSends(context: Tools): Promise<Reference[]> {
  const { as, call, recipient, some, target } = context
  const owner = as('otherTeam')
  const email = (fields: object) => call('sendEmailMessage', { body: some.email({ to: recipient.email(), ...fields }) })
  const text = (fields: object) => call('sendMessage', { body: some.text({ to: recipient.phone(), ...fields }) })
  const { _id: conversationId } = await anyConversation('sendLiveMessage', context, 'otherTeam')
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

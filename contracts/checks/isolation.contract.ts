import { plainType } from '../../client/bodies.ts'
import { type Kind, kindIn, kinds, pathTo } from '../../client/kinds.ts'
import { expect } from 'vitest'
import { type Answer, fieldsOf } from '../../client/answer.ts'
import { rows, sending, type SingleSend } from '../../client/operations.ts'
import type { Input } from '../../client/request.ts'
import { newSubjects, type Subjects, subjectsFrom, type Tools } from '../../client/tools.ts'
import type { OperationId } from '../../spec/types.ts'
import { BrokenPromise, Inconclusive } from '../judge/outcome.ts'
import { each } from './each-operation.ts'
import { takesNoForeignReference } from './foreign-references.ts'
import { historyOf, messagesOn } from './history.ts'
import { type Given, keeps } from './keeps.ts'
import { plainTemplate } from './new-template.ts'
import { unlessRefused } from './other-callers.ts'
import { makeConversation } from './sends.ts'
import { idsIn, listAll } from './template-list.ts'

/** The team of the record that each operation answers with. */
async function teamsShown(tools: Tools, by: readonly OperationId[]): Promise<unknown[]> {
  const subjects = newSubjects(tools)
  const teams: unknown[] = []
  for (const operation of by) {
    const { data } = (await tools.ask(operation, await rows[operation].request(subjects, tools))).fields
    // An update need not answer with the record.
    if (operation !== 'updateCompany' || fieldsOf(data).teamId !== undefined) teams.push(fieldsOf(data).teamId)
  }
  return teams
}

keeps('access.recordsCarryTheirTeam', async ({ as, mint, requirement, some }) => {
  const [ours, theirs] = [
    await teamsShown(as('team'), requirement.operations),
    await teamsShown(as('otherTeam'), requirement.operations),
  ]
  expect(ours).toEqual(ours.map(() => ours[0]))
  expect(theirs).toEqual(theirs.map(() => theirs[0]))
  expect(ours[0]).not.toBe(theirs[0])
  // Both at once: a server that keeps the caller in a place of its own may mix them.
  const turns = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? ('team' as const) : ('otherTeam' as const)))
  const mixed = await Promise.all(turns.map(async (who) => (await as(who).make.company()).teamId))
  expect(mixed).toEqual(turns.map((who) => (who === 'team' ? ours[0] : theirs[0])))
  // A key is unique within a team, so another team may have used the same.
  const key = mint.key()
  for (const who of ['team', 'otherTeam'] as const) {
    const { succeeded, fields } = await as(who).call('createCompany', { body: some.company(), key })
    if (succeeded) expect(fieldsOf(fields.data).teamId).toBe(who === 'team' ? ours[0] : theirs[0])
  }
})

/** What a team does about the records of another: both ways, by key and by token. */
interface Attack {
  readonly attacker: Tools
  readonly owner: Tools
  /** Requests of the attacker about records of the owner. */
  readonly inputFor: (operation: OperationId) => Promise<Input>
  readonly record: Subjects['record']
}

const directions = [
  ['team', 'otherTeam'],
  ['otherTeam', 'team'],
  ['admin', 'otherTeam'],
  ['agent', 'otherTeam'],
] as const

/** Tries each operation in each direction. What cannot be tried in one does not keep the others from being tried. */
async function withEachAttack(
  given: Given,
  operations: readonly OperationId[],
  act: (operation: OperationId, attack: Attack) => Promise<void>,
): Promise<void> {
  const tries = directions.flatMap(([from, to]) => {
    const [attacker, owner] = [given.as(from), given.as(to)]
    const { record } = newSubjects(owner)
    const subjects = subjectsFrom(record, async () => given.mint.email())
    const inputFor = async (operation: OperationId) => rows[operation].request(subjects, attacker)
    return operations.map((operation) => [operation, { attacker, owner, record, inputFor }] as const)
  })
  await each(tries, async ([operation, attack]) => act(operation, attack))
}

/** A read of a history with a message in it. */
async function readOfAMessage(owner: Tools) {
  const { _id: conversationId } = await makeConversation('sendLiveMessage', owner)
  await owner.ask('sendLiveMessage', { body: owner.some.chat({ conversationId }) })
  return { path: { conversationId }, query: { page: 1, limit: 10 } }
}

keeps('access.readsStayInTheTeam', async (given) => {
  await withEachAttack(given, given.requirement.operations, async (operation, { attacker, owner, inputFor }) => {
    if (operation === 'listConversationsOfContact')
      await owner.ask('createConversation', await inputFor('createConversation'))
    const input = operation === 'listMessages' ? await readOfAMessage(owner) : await inputFor(operation)
    const own = await owner.call(operation, input)
    expect(contentOf(await attacker.call(operation, input))).toEqual([])
    if (contentOf(own).length === 0) throw new Inconclusive(`its own team gets nothing either: ${own.summary}`)
  })
})

/** What a success shows of a record: a list of values, of which an empty list, object or group is none. */
function contentOf({ succeeded, fields }: Answer): unknown[] {
  const all = succeeded ? [fields.data ?? []].flat() : []
  return all.filter((one) => {
    const { messages } = fieldsOf(one)
    return Array.isArray(messages) ? messages.length > 0 : Object.keys(fieldsOf(one)).length > 0
  })
}

keeps('access.listsStayInTheTeam', async ({ as }) => {
  const [ours, theirs] = [await plainTemplate(as('team')), await plainTemplate(as('otherTeam'))]
  await each(['team', 'admin', 'agent', 'otherTeam'] as const, async (who) => {
    const [own, foreign] = who === 'otherTeam' ? [theirs, ours] : [ours, theirs]
    const listed = idsIn(await listAll(as(who)))
    expect(listed).not.toContain(foreign._id)
    if (who !== 'agent' && !listed.includes(own._id))
      throw new Inconclusive('the list lacks a template of the team itself')
  })
})

keeps('access.updatesStayInTheTeam', async (given) => {
  await withEachAttack(
    given,
    given.requirement.operations,
    async (operation, { attacker, owner, record, inputFor }) => {
      const kind = kindIn(operation)
      const theirs = await record(kind)
      const input = await inputFor(operation)
      const answer = await attacker.call(operation, input)
      if (answer.succeeded) throw new BrokenPromise('a refusal', answer.summary)
      // Where an update answers with the record, it shows whether anything came of the attack.
      const shown = (await owner.view(kind, theirs)).fields.data ?? {}
      for (const [field, value] of Object.entries(fieldsOf(input.body)))
        if (field !== 'templateType') expect(fieldsOf(shown)[field]).not.toBe(value)
    },
  )
})

keeps('access.deletesStayInTheTeam', async (given) => {
  await withEachAttack(
    given,
    given.requirement.operations,
    async (operation, { attacker, owner, record, inputFor }) => {
      const kind = kindIn(operation)
      const theirs = await record(kind)
      const before = await owner.view(kind, theirs)
      const answer = await attacker.call(operation, await inputFor(operation))
      // Some servers answer the delete of what is not there like any other; then this success means nothing either.
      if (answer.succeeded && !(await deletesTwice(attacker, kind)))
        throw new BrokenPromise('nothing to delete', answer.summary)
      const after = await owner.view(kind, theirs)
      if (!before.succeeded) throw new Inconclusive(`its own team cannot see the ${kind}: ${before.summary}`)
      if (!after.succeeded) throw new BrokenPromise(`the ${kind} still in place`, after.summary)
    },
  )
  for (const [from, to] of directions.slice(0, 2)) await sparesWhatBelongsToThem(given.as(from), given.as(to))
})

/** Whether a record can be deleted that is deleted already. */
async function deletesTwice({ ask, call, make, target }: Tools, kind: Kind): Promise<boolean> {
  const { _id } = kind === 'template' ? await make.template(plainType(target)) : await make[kind]()
  const { deletedBy } = kinds[kind]
  await ask(deletedBy, pathTo(kind, _id))
  return (await call(deletedBy, pathTo(kind, _id))).succeeded
}

/** Nothing is deleted that would be deleted with a contact or a deal of the attacker. */
async function sparesWhatBelongsToThem({ call }: Tools, owner: Tools): Promise<void> {
  const { _id: conversationId, contactId } = await owner.make.conversation()
  await staysInPlace(owner, conversationId, () => call('deleteContact', { path: { contactId: contactId._id } }))
  const quote = await owner.make.quote()
  await call('deleteDeal', { path: { dealId: quote.dealId } })
  expect((await owner.view('quote', quote)).status).toBe(200)
}

/** A conversation that its team can read can be read after the attack too. */
async function staysInPlace(owner: Tools, conversationId: string, attack: () => Promise<unknown>): Promise<void> {
  const read = () => owner.call('getConversation', { path: { conversationId } })
  const before = await read()
  await attack()
  const after = await read()
  if (!before.succeeded) throw new Inconclusive(`its own team cannot read it either: ${before.summary}`)
  expect(after.status).toBe(before.status)
}

keeps('access.deletesByEmailStayInTheTeam', async (given) => {
  await withEachAttack(given, given.requirement.operations, async (operation, { attacker, owner }) => {
    const email = given.mint.email()
    const { _id: conversationId, contactId } = await owner.make.conversation({ email })
    // So that there is something to delete; a token may not be allowed to.
    await attacker.call('createContact', { body: attacker.some.contact({ email }) })
    await staysInPlace(owner, conversationId, () => attacker.call(operation, { query: { email } }))
    expect((await owner.view('contact', { _id: contactId._id, firstName: 'Ada' })).status).toBe(200)
  })
})

keeps('access.sendsStayInTheTeam', async (given) => {
  const { requirement } = given
  await withEachAttack(given, requirement.operations, async (operation, { attacker, owner }) => {
    const { into, message, toContact } = sending[operation as SingleSend]
    const theirs = await makeConversation(operation as SingleSend, owner)
    const direct = toContact(theirs.contactId)
    const alias = { ...message(attacker), recipientId: theirs.contactId._id }
    const attempts = [
      ...[into(theirs), direct].map((target) => message(attacker, target)),
      ...('contactId' in direct ? [alias] : []),
      ...(await namingTheConversationAlone(operation as SingleSend, theirs._id, attacker)),
    ]
    const statuses: number[] = []
    for (const body of attempts) {
      const answer = await attacker.call(operation, { body })
      if (answer.succeeded) throw new BrokenPromise('a refusal', answer.summary)
      statuses.push(answer.status)
    }
    const contents = messagesOn(await historyOf(owner, theirs._id)).map(({ content }) => content)
    for (const { content } of attempts) expect(contents).not.toContain(content)
    if (statuses.some((status) => status !== 401 && status !== 403))
      await couldSucceed(operation as SingleSend, attacker)
  })
})

/** Messages into that conversation whose receiver is nobody, or a contact of the attacker. Off this machine each message counts. */
async function namingTheConversationAlone(operation: SingleSend, conversationId: string, attacker: Tools) {
  if (!attacker.target.loopback) return []
  const { message, toContact } = sending[operation]
  const own = await attacker.call('createContact', { body: attacker.some.contact() })
  const receivers = own.succeeded ? [{}, toContact(own.data)] : [{}]
  return receivers.map((receiver) => message(attacker, { ...receiver, conversationId }))
}

/** A refusal tells nothing of teams where the attacker's own message is refused too, such as for its provider. */
async function couldSucceed(operation: SingleSend, attacker: Tools): Promise<void> {
  const { into, message } = sending[operation]
  await attacker.ask(operation, { body: message(attacker, into(await makeConversation(operation, attacker))) })
}

keeps('access.referencesStayInTheTeam', async (given) => {
  await withEachAttack(
    given,
    given.requirement.operations,
    async (operation, { attacker, owner, record, inputFor }) => {
      const answer = await attacker.call(operation, await inputFor(operation))
      if (answer.succeeded) throw new BrokenPromise('a refusal', answer.summary)
      if (operation !== 'createConversation') return
      const { _id: contactId } = await record('contact')
      expect((await owner.ask('listConversationsOfContact', { path: { contactId } })).data).toEqual([])
    },
  )
  for (const [from, to] of directions.slice(0, 2)) await takesNoForeignReference(given.as(from), given.as(to))
  const token = tokenOf(given)
  if (token) await unlessRefused(() => takesNoForeignReference(token, given.as('otherTeam')))
})

keeps('access.sameAddressInTwoTeams', async (given) => {
  const { as, requirement } = given
  const other = as('otherTeam')
  for (const operation of requirement.operations) {
    // Either team may be the first to know the addresses.
    await keepsApart(operation, other, given)
    await keepsApart(operation, given, other)
  }
  const token = tokenOf(given)
  if (token)
    for (const operation of requirement.operations) await unlessRefused(() => keepsApart(operation, other, token))
})

/** Both teams know the same addresses, one after the other, and each finds its own contact again. */
async function keepsApart(
  operation: 'findOrCreateConversation' | 'createContactWithConversation' | 'createOrUpdateContact',
  first: Tools,
  second: Tools,
): Promise<void> {
  const addresses = { email: first.mint.email(), phone: first.mint.phone() }
  const body = operation === 'findOrCreateConversation' ? addresses : { ...ada, ...addresses }
  const theirs = contactIn(await first.ask(operation, { body }))
  const ours = contactIn(await second.ask(operation, { body }))
  expect(ours).not.toBe(theirs)
  expect(contactIn(await first.ask(operation, { body }))).toBe(theirs)
  expect(contactIn(await second.ask(operation, { body }))).toBe(ours)
}

/** A token of the team, on this machine: beyond it, one that is refused would end the run. What a token may do is left open. */
function tokenOf({ as, target: { credentials, loopback } }: Tools): Tools | undefined {
  const token = (['admin', 'agent'] as const).find((who) => credentials[who])
  return loopback && token ? as(token) : undefined
}

const ada = { firstName: 'Ada', lastName: 'Lovelace' }

/** The id of the contact in an answer, or of the contact in a conversation. */
const contactIn = ({
  data,
}: Answer<'findOrCreateConversation' | 'createContactWithConversation' | 'createOrUpdateContact'>): string =>
  'contactId' in data ? data.contactId._id : data._id

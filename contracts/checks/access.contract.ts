import { expect } from 'vitest'
import type { Answer } from '../../client/answer.ts'
import { kindIn, rows } from '../../client/operations/index.ts'
import { sending } from '../../client/operations/messages.ts'
import { plainType } from '../../client/operations/templates.ts'
import { newSubjects, unknownSubjects } from '../../client/subjects.ts'
import type { Tools } from '../../client/tools.ts'
import type { OperationId } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { each, lookPastUpdates, spoil, withEach, withEachUnknown } from './each-operation.ts'
import { historyOf } from './history.ts'
import { keeps } from './keeps.ts'
import { makeConversation } from './sends.ts'
import { idsIn, listAll } from './template-list.ts'

keeps('access.keyOpensEveryOperation', async (given) => {
  await withEach(given, async (operation, input) => {
    expect([401, 403]).not.toContain((await given.call(operation, input)).status)
  })
})

keeps('access.tokenIsAnAlternative', async (given) => {
  // An agent may not find the templates of others, but an admin finds whatever the key finds.
  const refusals = { admin: [401, 403, 404], agent: [401, 403] }
  // On a shared service a run stops after a 401 to a known credential, and which routes take a token is left open.
  const which = given.target.loopback ? 'all' : (['listTemplates'] as const)
  await each(['admin', 'agent'] as const, async (who) => {
    const { call } = given.as(who)
    await withEach(
      given,
      async (operation, input) => {
        expect(refusals[who]).not.toContain((await call(operation, input)).status)
      },
      which,
    )
  })
})

keeps('access.noCredentialIs401', async (given) => {
  await withEachUnknown(given, (operation, input) => given.refuses(operation, { ...input, caller: 'nobody' }))
})

keeps('access.credentialComesFirst', async (given) => {
  await withEachUnknown(
    given,
    (operation, { query, ...input }) =>
      given.refuses(operation, query ? { ...input, caller: 'nobody' } : { ...spoil(input), caller: 'nobody' }),
    given.requirement.operations,
  )
})

keeps('access.wrongKeyIs401', async (given) => {
  for (const key of [given.mint.key(), ''])
    await withEachUnknown(given, (operation, input) => given.refuses(operation, { ...input, caller: { key } }))
})

keeps('access.wrongTokenIs401', async (given) => {
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${base64({ alg: 'none', typ: 'JWT' })}.${base64({ sub: given.mint.unknownId(), role: 'admin' })}.`
  for (const token of [given.mint.key(), unsigned, ...forgedTokens(given)])
    await withEachUnknown(given, (operation, input) => given.refuses(operation, { ...input, caller: { token } }))
})

/** The token of the agent with another signature, if it is a JWT. */
function forgedTokens({ target }: Tools): string[] {
  const [content, signature] =
    /^(eyJ[\w-]+\.eyJ[\w-]+)\.([\w-]+)$/.exec(target.credentials.agent?.reveal() ?? '')?.slice(1) ?? []
  return content === undefined || signature === undefined
    ? []
    : [`${content}.${signature.split('').reverse().join('')}`]
}

/** A template that no platform has to approve. */
const newTemplate = ({ make, target }: Tools) => make.template(plainType(target))

keeps('access.agentsListTheirOwnTemplates', async ({ as }) => {
  const [agent, admin] = [as('agent'), as('admin')]
  const [own, other] = [await newTemplate(agent), await newTemplate(admin)]
  const listed = idsIn(await listAll(agent))
  expect(listed).toContain(own._id)
  expect(listed).not.toContain(other._id)
})

keeps('access.adminsListAllTemplates', async ({ as }) => {
  const [agent, admin] = [as('agent'), as('admin')]
  const ids: string[] = []
  for (const maker of [agent, admin, as('team')]) ids.push((await newTemplate(maker))._id)
  expect(idsIn(await listAll(admin))).toEqual(expect.arrayContaining(ids))
})

/** The team of the record that each operation answers with. */
async function teamsShown(tools: Tools, by: readonly OperationId[]): Promise<unknown[]> {
  const subjects = newSubjects(tools)
  const teams: unknown[] = []
  for (const operation of by) {
    const { data } = await tools.ask(operation, await rows[operation].request(subjects, tools))
    teams.push((data as { teamId?: unknown }).teamId)
  }
  return teams
}

keeps('access.recordsCarryTheirTeam', async ({ as, requirement }) => {
  const [ours, theirs] = [
    await teamsShown(as('team'), requirement.operations),
    await teamsShown(as('otherTeam'), requirement.operations),
  ]
  expect(ours).toEqual(ours.map(() => ours[0]))
  expect(theirs).toEqual(theirs.map(() => theirs[0]))
  expect(ours[0]).not.toBe(theirs[0])
})

/** Another team, its records, and our requests about them. */
function otherTeamOf(given: Tools) {
  const other = given.as('otherTeam')
  const theirs = newSubjects(other)
  const inputFor = async (operation: OperationId) => rows[operation].request(theirs, given)
  return { other, record: theirs.record, inputFor }
}

/** A read of a history with a message in it. */
async function readOfAMessage(given: Tools) {
  const { _id: conversationId } = await makeConversation('sendLiveMessage', given)
  await given.ask('sendLiveMessage', { body: given.some.chat({ conversationId }) })
  return { path: { conversationId }, query: { page: 1, limit: 10 } }
}

keeps('access.readsStayInTheTeam', async (given) => {
  const { other, inputFor } = otherTeamOf(given)
  await each(given.requirement.operations, async (operation) => {
    if (operation === 'listConversationsOfContact')
      await other.ask('createConversation', await inputFor('createConversation'))
    const input = operation === 'listMessages' ? await readOfAMessage(other) : await inputFor(operation)
    await other.ask(operation, input)
    const answer = await given.call(operation, input)
    expect(answer.succeeded ? answer.data : []).toEqual([])
  })
})

keeps('access.listsStayInTheTeam', async ({ as }) => {
  const [ours, theirs] = [await newTemplate(as('team')), await newTemplate(as('otherTeam'))]
  await each(['team', 'admin', 'otherTeam'] as const, async (who) => {
    const [own, foreign] = who === 'otherTeam' ? [theirs, ours] : [ours, theirs]
    const listed = idsIn(await listAll(as(who)))
    if (!listed.includes(own._id)) throw new Inconclusive('the list lacks a template of the team itself')
    expect(listed).not.toContain(foreign._id)
  })
})

keeps('access.updatesStayInTheTeam', async (given) => {
  const { other, record, inputFor } = otherTeamOf(given)
  await each(given.requirement.operations, async (operation) => {
    const kind = kindIn(operation)
    const theirs = await record(kind)
    const before = await lookPastUpdates(other, kind, theirs)
    await given.refuses(operation, await inputFor(operation))
    expect(await lookPastUpdates(other, kind, theirs)).toEqual(before)
  })
})

keeps('access.deletesStayInTheTeam', async (given) => {
  const { other, record, inputFor } = otherTeamOf(given)
  const unknown = unknownSubjects(given)
  await each(given.requirement.operations, async (operation) => {
    const kind = kindIn(operation)
    const theirs = await record(kind)
    const before = await lookPastUpdates(other, kind, theirs)
    const answer = await given.call(operation, await inputFor(operation))
    // Some servers answer the delete of an unknown record like any other; then this success means nothing either.
    const { request } = rows[operation]
    const found = answer.succeeded && !(await given.call(operation, await request(unknown, given))).succeeded
    expect(found).toBe(false)
    expect(await lookPastUpdates(other, kind, theirs)).toEqual(before)
  })
  await sparesWhatBelongsToThem(given, other)
})

/** Nothing is deleted that would be deleted with a contact or a deal of ours. */
async function sparesWhatBelongsToThem({ call }: Tools, other: Tools): Promise<void> {
  const { _id: conversationId, contactId } = await other.make.conversation()
  await call('deleteContact', { path: { contactId: contactId._id } })
  expect((await other.call('getConversation', { path: { conversationId } })).status).toBe(200)
  const quote = await other.make.quote()
  await call('deleteDeal', { path: { dealId: quote.dealId } })
  expect(await other.look('quote', quote)).toBeDefined()
}

keeps('access.deletesByEmailStayInTheTeam', async ({ as, ask, make, mint }) => {
  const [other, email] = [as('otherTeam'), mint.email()]
  const { _id: conversationId, contactId } = await other.make.conversation({ email })
  await make.contact({ email })
  await ask('deleteContactsByEmail', { query: { email } })
  expect(await other.look('contact', { _id: contactId._id, firstName: 'Ada' })).toMatchObject({ email })
  expect((await other.call('getConversation', { path: { conversationId } })).status).toBe(200)
})

keeps('access.sendsStayInTheTeam', async (given) => {
  const other = given.as('otherTeam')
  await each(given.requirement.operations, async (operation) => {
    const { into, message, toContact } = sending[operation]
    const theirs = await makeConversation(operation, other)
    const before = (await historyOf(other, theirs._id)).data
    for (const target of [into(theirs), toContact(theirs.contactId)])
      await given.refuses(operation, { body: message(given, target) })
    expect((await historyOf(other, theirs._id)).data).toEqual(before)
  })
})

keeps('access.referencesStayInTheTeam', async (given) => {
  const { other, record, inputFor } = otherTeamOf(given)
  await each(given.requirement.operations, async (operation) => given.refuses(operation, await inputFor(operation)))
  const { _id: contactId } = await record('contact')
  expect((await other.ask('listConversationsOfContact', { path: { contactId } })).data).toEqual([])
})

keeps('access.sameAddressInTwoTeams', async ({ as, ask, mint, requirement }) => {
  const other = as('otherTeam')
  for (const operation of requirement.operations) {
    const addresses = { email: mint.email(), phone: mint.phone() }
    const body = operation === 'findOrCreateConversation' ? addresses : { ...ada, ...addresses }
    const theirs = contactIn(await other.ask(operation, { body }))
    const ours = contactIn(await ask(operation, { body }))
    expect(ours).not.toBe(theirs)
    expect(contactIn(await other.ask(operation, { body }))).toBe(theirs)
    expect(contactIn(await ask(operation, { body }))).toBe(ours)
  }
})

const ada = { firstName: 'Ada', lastName: 'Lovelace' }

/** The id of the contact in an answer, or of the contact in a conversation. */
const contactIn = ({
  data,
}: Answer<'findOrCreateConversation' | 'createContactWithConversation' | 'createOrUpdateContact'>): string =>
  'contactId' in data ? data.contactId._id : data._id

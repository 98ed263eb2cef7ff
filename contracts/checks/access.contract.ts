import { expect } from 'vitest'
import type { OperationId } from '../../spec/types.ts'
import type { Answer } from '../../client/answer.ts'
import { each, eachGood, eachVain, kindIn, nothingOf, recordsOf, requestsAbout, seen } from './each-operation.ts'
import { historyOf } from './history.ts'
import { plainType } from './new-template.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { keeps } from './keeps.ts'
import { chat, sending, talkBy } from './sends.ts'
import { allListed, idsIn } from './template-list.ts'
import type { Tools } from '../../client/tools.ts'

keeps('access.keyOpensEveryOperation', async (given) => {
  await eachGood(given, async (operation, asked) => {
    expect([401, 403]).not.toContain((await given.call(operation, asked)).status)
  })
})

keeps('access.tokenIsAnAlternative', async (given) => {
  // An agent may not find the templates of others. Nor may an admin find nothing, who reaches what the key reaches.
  const notOpened = { admin: [401, 403, 404], agent: [401, 403] }
  // A service that others share is left alone after a 401 to whom it knows, and which routes take a token is left open.
  const about = given.target.loopback ? 'all' : (['listTemplates'] as const)
  await each(['admin', 'agent'] as const, async (who) => {
    const { call } = given.as(who)
    await eachGood(
      given,
      async (operation, asked) => {
        expect(notOpened[who]).not.toContain((await call(operation, asked)).status)
      },
      about,
    )
  })
})

keeps('access.noCredentialIs401', async (given) => {
  await eachVain(given, (operation, asked) => given.refused(operation, { ...asked, who: 'nobody' }))
})

keeps('access.wrongKeyIs401', async (given) => {
  for (const key of [given.mint.key(), ''])
    await eachVain(given, (operation, asked) => given.refused(operation, { ...asked, who: { key } }))
})

keeps('access.wrongTokenIs401', async (given) => {
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${base64({ alg: 'none', typ: 'JWT' })}.${base64({ sub: given.mint.unknownId(), role: 'admin' })}.`
  for (const token of [given.mint.key(), unsigned, ...forgedTokens(given)])
    await eachVain(given, (operation, asked) => given.refused(operation, { ...asked, who: { token } }))
})

/** What a token of the team says, when it is one that says something, under the signature of somebody else. */
function forgedTokens({ target }: Tools): string[] {
  const [said, signature] =
    /^(eyJ[\w-]+\.eyJ[\w-]+)\.([\w-]+)$/.exec(target.credentials.agent?.reveal() ?? '')?.slice(1) ?? []
  return said === undefined || signature === undefined ? [] : [`${said}.${signature.split('').reverse().join('')}`]
}

/** A template that goes to no platform. */
const newTemplate = ({ made, target }: Tools) => made.template(plainType(target))

keeps('access.agentsListTheirOwnTemplates', async ({ as }) => {
  const [agent, admin] = [as('agent'), as('admin')]
  const [own, other] = [await newTemplate(agent), await newTemplate(admin)]
  const listed = idsIn(await allListed(agent))
  expect(listed).toContain(own._id)
  expect(listed).not.toContain(other._id)
})

keeps('access.adminsListAllTemplates', async ({ as }) => {
  const [agent, admin] = [as('agent'), as('admin')]
  const ids: string[] = []
  for (const maker of [agent, admin, as('team')]) ids.push((await newTemplate(maker))._id)
  expect(idsIn(await allListed(admin))).toEqual(expect.arrayContaining(ids))
})

/** The team of which each operation says that its record is. */
async function teamsShown(tools: Tools, about: readonly OperationId[]): Promise<unknown[]> {
  const requests = requestsAbout(recordsOf(tools), tools)
  const teams: unknown[] = []
  for (const operation of about) {
    const { data } = await tools.ask(operation, await requests[operation]())
    teams.push((data as { teamId?: unknown }).teamId)
  }
  return teams
}

keeps('access.recordsCarryTheirTeam', async ({ as, promise }) => {
  const [ours, theirs] = [
    await teamsShown(as('team'), promise.operations),
    await teamsShown(as('otherTeam'), promise.operations),
  ]
  expect(ours).toEqual(ours.map(() => ours[0]))
  expect(theirs).toEqual(theirs.map(() => theirs[0]))
  expect(ours[0]).not.toBe(theirs[0])
})

/** Records of another team, and what we ask about them. */
function foreign(given: Tools) {
  const other = given.as('otherTeam')
  const { record, email } = recordsOf(other)
  return { other, record, requests: requestsAbout({ record, email }, given) }
}

/** How to read a history in which there is something. */
async function historyOfAMessage(given: Tools) {
  const { _id: conversationId } = await talkBy('sendLiveMessage', given)
  await given.ask('sendLiveMessage', { body: chat(given, { conversationId }) })
  return { path: { conversationId }, query: { page: 1, limit: 10 } }
}

keeps('access.readsStayInTheTeam', async (given) => {
  const { other, requests } = foreign(given)
  await each(given.promise.operations, async (operation) => {
    if (operation === 'listConversationsOfContact')
      await other.ask('createConversation', await requests.createConversation())
    const asked = operation === 'listMessages' ? await historyOfAMessage(other) : await requests[operation]()
    await other.ask(operation, asked)
    const answer = await given.call(operation, asked)
    expect(answer.succeeded ? answer.data : []).toEqual([])
  })
})

keeps('access.listsStayInTheTeam', async ({ as }) => {
  const [ours, theirs] = [await newTemplate(as('team')), await newTemplate(as('otherTeam'))]
  await each(['team', 'admin', 'otherTeam'] as const, async (who) => {
    const [own, foreign] = who === 'otherTeam' ? [theirs, ours] : [ours, theirs]
    const listed = idsIn(await allListed(as(who)))
    if (!listed.includes(own._id)) throw new Inconclusive('the list lacks a template of the team itself')
    expect(listed).not.toContain(foreign._id)
  })
})

keeps('access.updatesStayInTheTeam', async (given) => {
  const { other, record, requests } = foreign(given)
  await each(given.promise.operations, async (operation) => {
    const kind = kindIn(operation)
    const theirs = await record(kind)
    const before = await seen(other, kind, theirs)
    await given.refused(operation, await requests[operation]())
    expect(await seen(other, kind, theirs)).toEqual(before)
  })
})

keeps('access.deletesStayInTheTeam', async (given) => {
  const { other, record, requests } = foreign(given)
  const vain = requestsAbout(nothingOf(given), given)
  await each(given.promise.operations, async (operation) => {
    const kind = kindIn(operation)
    const theirs = await record(kind)
    const before = await seen(other, kind, theirs)
    const answer = await given.call(operation, await requests[operation]())
    // Where a delete that finds nothing counts as done, this one has found nothing either.
    const found = answer.succeeded && !(await given.call(operation, await vain[operation]())).succeeded
    expect(found).toBe(false)
    expect(await seen(other, kind, theirs)).toEqual(before)
  })
  await sparesWhatBelongsToThem(given, other)
})

/** Nothing goes that would have gone with a contact or a deal. */
async function sparesWhatBelongsToThem({ call }: Tools, other: Tools): Promise<void> {
  const { _id: conversationId, contactId } = await other.made.conversation()
  await call('deleteContact', { path: { contactId: contactId._id } })
  expect((await other.call('getConversation', { path: { conversationId } })).status).toBe(200)
  const quote = await other.made.quote()
  await call('deleteDeal', { path: { dealId: quote.dealId } })
  expect(await other.look('quote', quote)).toBeDefined()
}

keeps('access.deletesByEmailStayInTheTeam', async ({ as, ask, made, mint }) => {
  const [other, email] = [as('otherTeam'), mint.email()]
  const { _id: conversationId, contactId } = await other.made.conversation({ email })
  await made.contact({ email })
  await ask('deleteContactsByEmail', { query: { email } })
  expect(await other.look('contact', { _id: contactId._id, firstName: 'Ada' })).toMatchObject({ email })
  expect((await other.call('getConversation', { path: { conversationId } })).status).toBe(200)
})

keeps('access.sendsStayInTheTeam', async (given) => {
  const other = given.as('otherTeam')
  await each(given.promise.operations, async (operation) => {
    const { into, message, toContact } = sending[operation]
    const theirs = await talkBy(operation, other)
    const before = (await historyOf(other, theirs._id)).data
    for (const target of [into(theirs), toContact(theirs.contactId)])
      await given.refused(operation, { body: message(given, target) })
    expect((await historyOf(other, theirs._id)).data).toEqual(before)
  })
})

keeps('access.referencesStayInTheTeam', async (given) => {
  const { other, record, requests } = foreign(given)
  await each(given.promise.operations, async (operation) => given.refused(operation, await requests[operation]()))
  const { _id: contactId } = await record('contact')
  expect((await other.ask('listConversationsOfContact', { path: { contactId } })).data).toEqual([])
})

keeps('access.sameAddressInTwoTeams', async ({ as, ask, mint, promise }) => {
  const other = as('otherTeam')
  for (const operation of promise.operations) {
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

/** The id of the contact that is answered with, or whose conversation that is. */
const contactIn = ({
  data,
}: Answer<'findOrCreateConversation' | 'createContactWithConversation' | 'createOrUpdateContact'>): string =>
  'contactId' in data ? data.contactId._id : data._id

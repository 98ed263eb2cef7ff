import { describe, expect, it } from 'vitest'
import { namedStores } from '../store/helpers.ts'
import { inTier } from '../../tier.ts'
import { openAround } from './slow-stores.ts'
import { crowds, sends, type Crowd, type Door, type Person } from './requests.ts'
import { createSandbox } from '../../../mock/create-sandbox.ts'
import { openStore as openNamed } from '../../../mock/store/open-store.ts'
import { type Call, callerOf, type ApiResponse, twoTeams } from '../helpers.ts'

const openStore = openAround(openNamed)

const rounds = inTier({ test: 2, ci: 6, nightly: 200 })

const allStores = ['', 'slow '].flatMap((word) =>
  namedStores.map(({ store, place }) => ({
    ...{ store: word + store, sandboxes: 1, rounds },
    place: async () => word + (await place()),
  })),
)
/** Memory takes no time for a step, and slow memory lets others run between two. */
const stores = inTier({ test: allStores.filter(({ store }) => store.endsWith('memory')), ci: allStores })
const shared = namedStores
  .filter(({ store }) => store === 'PostgreSQL')
  .map((one) => ({
    ...one,
    sandboxes: 2,
    rounds: inTier({ test: 2, ci: 6, nightly: 1_000 }),
  }))

describe.each([...stores, ...shared])('with $sandboxes on the $store store', ({ place, sandboxes, rounds }) => {
  it.each(crowds)('$who gets one conversation from simultaneous requests', async (crowd) => {
    expect(await crowdedRounds(await place(), crowd, rounds, sandboxes)).toEqual([])
  })

  it('simultaneous sends with one key create one message, and get one answer', async () => {
    expect(await keyedRounds(await place(), sends, rounds, sandboxes)).toEqual([])
  })
})

describe('a store without turns', () => {
  it.each(crowds)('is detected by the race for $who', async (crowd) => {
    expect(await crowdedRounds('racy memory', crowd, 2, 1)).not.toEqual([])
  })
})

it('a server that ignores keys is detected: it sends each of the 64', async () => {
  const wrong = await keyedRounds('memory', sends, 4, 1, (call) => (id, ask) => call(id, { ...ask, headers: {} }))
  expect(wrong).toContain('256 messages in 4 rounds')
})

/** The number of simultaneous requests. Of more, some would get none of the ten connections to a busy database. */
const atOnceOn = (store: string) => (store.includes('postgres:') ? 16 : 64)

/** Sends the requests of a crowd at once, in each round for another contact. Returns what went wrong. */
async function crowdedRounds(
  store: string,
  { has, isKnown, doors }: Crowd,
  rounds: number,
  sandboxes: number,
): Promise<string[]> {
  await using opened = await open(store, sandboxes)
  const { sandbox, call } = opened
  const wrong: string[] = []
  for (let round = 0; round < rounds; round++) {
    const addresses = personOf(round, has)
    const person = isKnown ? await created(call, addresses) : addresses
    wrong.push(...wrongIn(await allAtOnce(atOnceOn(store), call, doors, person)))
  }
  const { contacts = [], conversations = [] } = (await sandbox.world()).teams[0] ?? {}
  if (contacts.length !== rounds) wrong.push(`${contacts.length} contacts in ${rounds} rounds`)
  for (const { _id } of contacts) {
    const { length } = conversations.filter(({ contactId }) => contactId === _id)
    if (length !== 1) wrong.push(`${length} conversations of one contact`)
  }
  return wrong
}

/** Sends the same request with the same key many times at once, in each round another one. Returns what went wrong. */
async function keyedRounds(
  store: string,
  sends: readonly Door[],
  rounds: number,
  sandboxes: number,
  through: (call: Call) => Call = (call) => call,
): Promise<string[]> {
  await using opened = await open(store, sandboxes)
  const { sandbox } = opened
  const call = through(opened.call)
  const wrong: string[] = []
  for (let round = 0; round < rounds; round++) {
    const responses = await allAtOnce(
      atOnceOn(store),
      call,
      sends.slice(round % sends.length).slice(0, 1),
      personOf(round, ['email', 'phone']),
      { 'idempotency-key': `${round}` },
    )
    wrong.push(...unequal(responses))
  }
  const { messages = [] } = (await sandbox.world()).teams[0] ?? {}
  if (messages.length !== rounds) wrong.push(`${messages.length} messages in ${rounds} rounds`)
  return wrong
}

/** Opens one sandbox, or several that are asked in turn. */
async function open(store: string, count: number) {
  const start = () => createSandbox({ world: twoTeams, store }, undefined, undefined, openStore)
  const sandbox = await start()
  const sandboxes = [sandbox]
  while (sandboxes.length < count) sandboxes.push(await start())
  const calls = sandboxes.map(callerOf)
  let asked = 0
  const call: Call = (id, ask) => (calls[asked++ % count] ?? callerOf(sandbox))(id, ask)
  const close = async () => {
    await Promise.all(sandboxes.map((one) => one.close()))
  }
  return { sandbox, call, [Symbol.asyncDispose]: close }
}

function personOf(round: number, has: Crowd['has']): Person {
  const all = { email: `person${round}@example.com`, phone: `+1415556${String(round).padStart(4, '0')}` }
  return Object.fromEntries(has.map((address) => [address, all[address]]))
}

async function created(call: Call, addresses: Person): Promise<Person> {
  const { body } = await call('createContact', { body: { firstName: 'Ada', lastName: 'Lovelace', ...addresses } })
  return { ...addresses, contactId: body.data._id }
}

function allAtOnce(
  count: number,
  call: Call,
  doors: readonly Door[],
  person: Person,
  headers = {},
): Promise<ApiResponse[]> {
  const crowd = Array.from({ length: count }, (_, at) => doors.slice(at % doors.length).slice(0, 1)).flat()
  return Promise.all(crowd.map(({ id, body }) => call(id, { body: body(person), headers })))
}

function wrongIn(responses: readonly ApiResponse[]): string[] {
  const refused = responses.filter(({ status }) => status >= 400).map(({ status, body }) => `${status} ${body.message}`)
  const { length: created } = responses.filter(({ status }) => status === 201)
  const conversations = new Set(responses.flatMap(({ body }) => conversationIn(body.data) ?? []))
  return [
    ...refused,
    ...(created > 1 ? [`${created} times 201`] : []),
    ...(conversations.size === 1 ? [] : [`${conversations.size} conversations in the answers of one round`]),
  ]
}

/** The conversation that a message or a conversation shows; a contact shows none. */
function conversationIn(data?: {
  readonly _id?: string
  readonly contactId?: unknown
  readonly conversationId?: string
}): string | undefined {
  return data?.conversationId ?? (data?.contactId === undefined ? undefined : data._id)
}

function unequal(responses: readonly ApiResponse[]): string[] {
  const answers = new Set(responses.map(({ status, body }) => JSON.stringify({ status, body })))
  return answers.size === 1 && responses[0]?.status === 200 ? [] : [`${answers.size} different answers to one key`]
}

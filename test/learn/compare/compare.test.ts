import { describe, expect, it } from 'vitest'
import { createTarget } from '../../../client/target/target.ts'
import { generateWalk } from '../../../learn/compare/generate-walk.ts'
import { untoldIn } from '../../../learn/compare/untold.ts'
import { startTwin } from '../../../own-target.ts'
import { describedOperations, document } from '../../../spec/document.ts'
import { fieldsOf } from '../../../spec/fields.ts'
import { operations } from '../../../spec/operations.ts'
import { readVoice } from '../../../spec/voice/read-voice.ts'
import { compareSandboxes } from './comparing.ts'
import { deviants } from './deviants.ts'
import { drawChoices } from './drawn-choices.ts'
import { type Change, goBetween } from './go-between.ts'

const started = await startTwin({ choices: {} }, [])
const target = createTarget(started.wanted, started.credentials)
await started.stop()

/** Such as `createDeal.amount`. */
const bodyFields = describedOperations(document).flatMap(({ operationId, requestBody }) => {
  const schemas = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema)
  const fields = new Set(schemas.flatMap((schema) => fieldsOf(document, schema)))
  return [...fields].map((field) => `${operationId}.${field}`)
})

describe('a walk', () => {
  const options = { target, choices: {}, seed: 7, steps: 400, listsTemplates: true }

  it('is the same for the same seed, and another for another one', () => {
    expect(generateWalk(options)).toEqual(generateWalk(options))
    expect(generateWalk({ ...options, seed: 8 })).not.toEqual(generateWalk(options))
  })

  it('asks every operation that it may, and no other', () => {
    const asked = (walk: ReturnType<typeof generateWalk>) => new Set(walk.map(({ operation }) => operation))
    expect(asked(generateWalk(options)).size).toBe(Object.keys(operations).length)
    const reading = asked(generateWalk({ ...options, target: { ...target, upTo: 'read' } }))
    expect([...reading].every((id) => operations[id].method === 'get')).toBe(true)
  })

  it('sends each field that a body may have, in 1,000 steps', () => {
    // A form with a file would be another request each time; nothing cancels what is scheduled.
    const left = ['sendBulkMessages.scheduleTime', 'createTemplate.file', 'updateTemplate.file']
    const decks = new Map<string, number[]>()
    const sent = new Set(
      [7000, 7001, 7002, 7003]
        .flatMap((seed) => generateWalk({ ...options, decks, seed, steps: 250 }))
        .flatMap(({ operation, input: { body, fields } }) =>
          Object.keys({ ...(body as object), ...fields }).map((field) => `${operation}.${field}`),
        ),
    )
    expect(bodyFields.filter((field) => !sent.has(field))).toEqual(left)
  })
})

describe('a server that does what the profile says', () => {
  it('is the same for as long as it walks', async () => {
    const { differences, noise, successes } = await compareSandboxes({ steps: 250 })
    expect(differences).toEqual([])
    expect(noise).toBe(0)
    expect(successes.size).toBeGreaterThan(25)
  })

  it('is the same whatever it chose', async () => {
    const { differences } = await compareSandboxes({ assume: drawChoices(5), steps: 150 })
    expect(differences).toEqual([])
  })
})

describe('a server that is wrong in one thing', () => {
  const names = [
    'a field appears after an update',
    'the second page repeats the first',
    'an update of a product ignores the cost',
    'an existing conversation answers 201',
    'a history of three is in no order',
    'a deleted deal is still updated',
  ]
  it.each(names)('%s: it is found, in few requests, and no entry explains it', async (name) => {
    const deviant = deviants[name]
    if (!deviant) throw new Error(`there is no deviant ${name}`)
    const { differences } = await compareSandboxes({ between: goBetween(deviant()) })
    expect(differences).toHaveLength(1)
    expect(differences[0]?.walk.length).toBeLessThanOrEqual(6)
    expect(differences[0]?.explanations).toEqual([])
  })
})

it('names the entry of which the server made another choice, and goes on with that', async () => {
  const assume = { upsertUnsentFields: 'cleared', populatedName: 'firstOnly' } as const
  const { differences } = await compareSandboxes({ assume, choices: {}, most: 9 })
  expect(differences.flatMap(({ explanations }) => explanations[0]).sort(byName)).toEqual([
    { name: 'populatedName', written: 'firstOnly' },
    { name: 'upsertUnsentFields', written: 'cleared' },
  ])
})

it('does not count as a difference what the profile could not tell, and says what the server does', async () => {
  const assume = { upsertUnsentFields: 'cleared', populatedName: 'firstOnly' } as const
  const untold = new Set(['populatedName'] as const)
  const { differences, learned } = await compareSandboxes({ assume, choices: {}, untold, most: 9, steps: 250 })
  expect(learned).toEqual([{ name: 'populatedName', written: 'firstOnly' }])
  expect(differences.map(({ explanations }) => explanations[0]?.name)).toEqual(['upsertUnsentFields'])
})

it('reads from a profile what it could not tell, and no choice that was commented out', () => {
  const profile = `# What http://127.0.0.1:4010 did on 2026-11-22, asked by crm-sandbox 0.1.0.
keyScope: team # in a team
# bulkDelivery: nothing was sent within 2 seconds
# rateLimit: needs more requests than a run makes
# populatedName: firstOnly # the first name alone; seen 2026-11-22
# whatsappApproval: afterDelay:60000
# pigeons: are no entry
`
  expect([...untoldIn(profile)]).toEqual(['bulkDelivery', 'rateLimit'])
})

it('takes no choice for an explanation with which the sandbox would differ before', async () => {
  const change: Change = ({ operation, answer }) => {
    if (operation.endsWith('Product')) delete answer.body.data?.description
  }
  const { differences } = await compareSandboxes({ between: goBetween(change), steps: 250 })
  expect(differences[0]?.difference.places).toMatchObject([{ path: 'data.description' }])
  expect(differences[0]?.explanations).toEqual([])
})

const byName = (one?: { name: string }, other?: { name: string }) => (one?.name ?? '').localeCompare(other?.name ?? '')

describe('a server that does not do the same twice', () => {
  it('differs from itself, which is no difference from the sandbox', async () => {
    let requests = 0
    const { differences, noise } = await compareSandboxes({
      steps: 155,
      between: goBetween(({ answer }) => {
        // 7 is no divisor of the length of a walk, so that the second walk fails elsewhere.
        if (++requests % 7 === 0) Object.assign(answer, { status: 500, body: { success: false, message: 'busy' } })
      }),
    })
    expect(differences).toEqual([])
    expect(noise).toBeGreaterThan(10)
  })
})

it('tells another wording only when it is asked to', async () => {
  const politely = goBetween(({ answer }) => {
    answer.body.message = `Please note: ${String(answer.body.message)}`
  })
  expect((await compareSandboxes({ between: politely, steps: 60 })).differences).toEqual([])
  const { differences } = await compareSandboxes({ between: politely, steps: 60, wording: true })
  expect(differences[0]?.difference.places).toMatchObject([{ path: 'message' }])
})

it('finds no difference in how a server speaks that the profile knows, and each when it does not', async () => {
  const speaks = readVoice({
    messages: { createContact: { 201: 'Contact {firstName} saved' } },
    ids: { contacts: '{uuid}' },
    times: { precision: 'seconds', offset: '+02:00' },
    fields: { contacts: { seenAt: 'time', ownerId: 'id' } },
    meta: { requestId: 'id' },
  })
  const known = await compareSandboxes({ speaks, voice: speaks, steps: 150, wording: true })
  expect(known.differences).toEqual([])
  const { differences } = await compareSandboxes({ speaks, steps: 150, most: 9 })
  expect(differences.flatMap(({ difference }) => difference.places.map(({ path }) => path))).toEqual(
    expect.arrayContaining(['meta', 'data.seenAt', 'data.ownerId']),
  )
})

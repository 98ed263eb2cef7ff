import { describe, expect, it } from 'vitest'
import { type Difference, isSameAt } from '../../../contracts/compare/difference.ts'
import { undeterminedIn } from '../../../contracts/learn/profile.ts'
import { operations } from '../../../spec/operations.ts'
import { inTier, sampleOf } from '../../tier.ts'
import { changeAnswers, changeEnvelope, operationAsked, without } from '../deviants/deviant.ts'
import type { Fields } from '../other-server/team.ts'
import { compareDeviant, compareSandboxes, drawChoices, operationsOf } from './helpers.ts'
import { deviants } from './deviants.ts'

const told = (seed: number) => operationsOf({}, seed)

describe('the stories', () => {
  it('are the same for the same seed', async () => {
    expect(await told(7)).toEqual(await told(7))
    expect(await told(8)).not.toEqual(await told(7))
  })

  it('only read where a run may only read', async () => {
    const sent = await operationsOf({ upTo: 'read' })
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.filter((id) => operations[id].method !== 'get')).toEqual([])
  })
})

describe('a server that does what the profile says', () => {
  it('shows no difference', async () => {
    const { differences, noise, successes } = await compareSandboxes({ steps: 2500 })
    expect(differences).toEqual([])
    expect(noise).toBe(0)
    expect(successes.size).toBe(Object.keys(operations).length)
  })

  it('shows no difference, whatever it chose', async () => {
    const { differences } = await compareSandboxes({ assume: drawChoices(5), steps: 150 })
    expect(differences).toEqual([])
  })
})

describe('a server that is wrong in one thing', () => {
  const names: [name: string, broken: string[]][] = [
    ['a field appears after an update', []],
    ['the second page repeats the first', []],
    ['an update of a product ignores the cost', ['product.updateShowsTheChange']],
    ['an existing conversation answers 201', ['conversation.createAgainAnswers200']],
    ['a history of three is in no order', []],
    ['a deleted deal is still updated', ['deal.deletedIsGone']],
  ]
  it.each(sampleOf(names, inTier({ test: 2, nightly: names.length })))(
    '%s: it is found, in few requests, with the promises that it breaks (%j), and no entry explains it',
    async (name, broken) => {
      const deviant = deviants[name]
      if (!deviant) throw new Error(`there is no deviant ${name}`)
      const { differences } = await compareDeviant(deviant)
      expect(differences).toHaveLength(1)
      expect(differences[0]?.story.length).toBeLessThanOrEqual(6)
      expect(differences[0]?.explanations).toEqual([])
      const { server, difference } = differences[0] ?? {}
      expect(server?.get(difference?.n ?? 0)?.broken).toEqual(broken)
    },
  )
})

describe('a choice that the server contradicts', () => {
  const assume = { populatedName: 'firstOnly' } as const

  it('is reported once if the profile states another', async () => {
    const { differences } = await compareSandboxes({ assume, choices: { populatedName: 'firstSpaceLast' }, most: 9 })
    expect(differences.map(({ explanations }) => explanations)).toEqual([
      [{ name: 'populatedName', written: 'firstOnly' }],
    ])
  })

  it('is not contradicted again and again if the server does now one and now the other', async () => {
    // Some contacts have the name of their first name alone.
    const { change } = changeAnswers((answer) => ({
      ...answer,
      text: answer.text.replace(/("name":"A[^"]*?) Lovelace contract-[a-z]+"/g, '$1"'),
    }))
    const { differences } = await compareSandboxes({ choices: {}, change, most: 9, seed: 1 })
    expect(differences.map(({ explanations: [first] }) => first)).toEqual([
      { name: 'populatedName', written: 'firstOnly' },
      { name: 'populatedName', written: 'firstSpaceLast' },
    ])
  })
})

it('a step that depends on an earlier difference is not the same', () => {
  const step = (n: number, id?: string) =>
    ({ n, operation: 'getConversation', pause: 0, input: id ? { path: { conversationId: id } } : {} }) as const
  const steps = [step(1), step(2, '«from 1 data._id»')]
  const trace = (name: string) =>
    new Map(
      steps.map(({ n }) => [
        n,
        { outcome: 'answered', status: 200, raw: {}, reliedOn: [], body: n === 1 ? { data: { name } } : {} } as const,
      ]),
    )
  const server = trace('Ada')
  const options = { known: new Set(['getConversation data.name']), wording: false, ignored: [] }
  const isSame = (name: string) => isSameAt(2, steps, { server, again: server, sandbox: trace(name) }, options)
  expect([isSame('Ada'), isSame('Grace')]).toEqual([true, false])
})

it('names the entry of which the server made another choice, and goes on with that', async () => {
  const assume = { upsertUnsentFields: 'cleared', populatedName: 'firstOnly' } as const
  const { differences } = await compareSandboxes({ assume, choices: {}, most: 9 })
  expect(differences.flatMap(({ explanations }) => explanations[0]).sort(byName)).toEqual([
    { name: 'populatedName', written: 'firstOnly' },
    { name: 'upsertUnsentFields', written: 'cleared' },
  ])
})

describe('a server that shows further fields everywhere', () => {
  const show = (record: unknown) => (typeof record === 'object' ? { ...record, __v: 0, archivedAt: null } : record)
  const { change } = changeEnvelope(always, ({ data, ...envelope }) => {
    const shown = Array.isArray(data) ? data.map(show) : show(data)
    return { ...envelope, ...(data === undefined ? {} : { data: shown }), meta: { version: 1 } }
  })
  const options = { assume: { populatedName: 'firstOnly' }, choices: {}, change, most: 1, steps: 500 } as const

  it('differs in them once for all operations, which does not end the search, nor does a choice', async () => {
    const { differences } = await compareSandboxes(options)
    expect(differences.map(({ explanations: [first], difference }) => first?.name ?? namesOf(difference))).toEqual([
      ['__v', 'archivedAt', 'meta'],
      'populatedName',
    ])
    const [fields, name] = differences
    expect(fields?.seen.size).toBeGreaterThan(25)
    expect([...(fields?.seen.values() ?? [])].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(230)
    expect(name?.seen.size).toBeGreaterThan(1)
  })

  it('does not differ in those that are ignored', async () => {
    const { differences } = await compareSandboxes({ ...options, ignored: ['__v', 'null', 'meta'] })
    expect(differences.map(({ explanations: [first] }) => first?.name)).toEqual(['populatedName'])
  })

  it('hides no choice that explains the rest of a difference', async () => {
    const { differences } = await compareSandboxes({ ...options, assume: { templateFields: 'allSent' }, seed: 3 })
    expect(differences.flatMap(({ explanations: [first] }) => first?.name ?? [])).toEqual(['templateFields'])
  })
})

it('does not differ below a field that is ignored, nor in its values', async () => {
  const { change } = changeEnvelope(always, ({ pagination, ...envelope }) => {
    const { total } = (pagination ?? {}) as { total?: number }
    return total === undefined
      ? { ...envelope, pagination }
      : { ...envelope, pagination: { ...(pagination as object), total: total + 1 } }
  })
  const options = { assume: {}, choices: {}, change, most: 1, steps: 60 } as const
  const { differences } = await compareSandboxes(options)
  expect(differences.map(({ difference }) => difference.places.map(({ path }) => path))).toEqual([['pagination.total']])
  for (const ignored of ['pagination', 'total'])
    expect((await compareSandboxes({ ...options, ignored: [ignored] })).differences).toEqual([])
})

const always = () => true

const namesOf = ({ places }: Difference) => [...new Set(places.map(({ path }) => path.split('.').at(-1)))]

it('learns the choice of the server where the profile leaves it undetermined, instead of a difference', async () => {
  const assume = { upsertUnsentFields: 'cleared', populatedName: 'firstOnly' } as const
  const undetermined = new Set(['populatedName'] as const)
  const { differences, learned } = await compareSandboxes({ assume, choices: {}, undetermined, most: 9, steps: 250 })
  expect(learned).toEqual([{ name: 'populatedName', written: 'firstOnly' }])
  expect(differences.map(({ explanations }) => explanations[0]?.name)).toEqual(['upsertUnsentFields'])
})

it('reads the undetermined entries from a profile, without choices that a user commented out', () => {
  const profile = `# What http://127.0.0.1:4010 did on 2026-11-22, asked by crm-sandbox 0.1.0.
keyScope: team # in a team
# bulkDelivery: nothing was sent within 2 seconds
# rateLimit: needs more requests than a run makes
# populatedName: firstOnly # the first name alone; seen 2026-11-22
# whatsappApproval: afterDelay:60000
# pigeons: are no entry
`
  expect([...undeterminedIn(profile)]).toEqual(['bulkDelivery', 'rateLimit'])
})

it('does not explain a difference by a choice that would cause an earlier one', async () => {
  const { change } = changeAnswers((answer, request) => {
    const { data, ...envelope } = JSON.parse(answer.text) as { data?: Fields }
    const isMeant = data !== undefined && operationAsked(request)?.endsWith('Product')
    return isMeant ? { ...answer, text: JSON.stringify({ ...envelope, data: without('description')(data) }) } : answer
  })
  const { differences } = await compareSandboxes({ change, steps: 1000 })
  expect(differences[0]?.difference.places).toMatchObject([{ path: 'data.description' }])
  expect(differences[0]?.explanations).toEqual([])
})

const byName = (one?: { name: string }, other?: { name: string }) => (one?.name ?? '').localeCompare(other?.name ?? '')

describe('a server that does not do the same twice', () => {
  it('differs from itself, which is no difference from the sandbox', async () => {
    let requests = 0
    // From this start, never at the same step twice.
    const isBusy = () => (++requests * 0.618034 + 0.5) % 1 < 0.09
    const { change } = changeAnswers((answer) =>
      isBusy() ? { ...answer, status: 500, text: '{"success":false,"message":"busy"}' } : answer,
    )
    const { differences, noise } = await compareSandboxes({ steps: 160, change })
    expect(differences.map(({ difference }) => difference)).toEqual([])
    expect(noise).toBeGreaterThan(10)
  })
})

it('reports another wording only with the option', async () => {
  const { change } = changeEnvelope(always, ({ message, ...envelope }) => ({
    ...envelope,
    message: `Please note: ${String(message)}`,
  }))
  expect((await compareSandboxes({ change, steps: 60 })).differences).toEqual([])
  const { differences } = await compareSandboxes({ change, steps: 60, wording: true })
  expect(differences[0]?.difference.places).toMatchObject([{ path: 'message' }])
})

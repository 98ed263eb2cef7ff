import '../contracts/learn/without-waiting.ts'
import { afterAll, beforeAll, expect, it, describe } from 'vitest'
import type { StartedTarget } from '../../contracts/client/run.ts'
import { control } from '../../mock/testing/control-client.ts'
import { startOwnTarget } from '../../cli/own-target.ts'
import { assumption, assumptionNames } from '../../spec/assumptions.ts'
import { askServer, isBeyondClients, undetermined } from '../contracts/learn/helpers.ts'
import { inTier, sampleOf } from '../tier.ts'
import { examples, operationIds, concernedBy, openFurnished, unknownId } from './requests.ts'

// The probes of `learn` observe each choice as a client does, so they also test that the sandbox follows it.

/** Longer than a few requests take, in milliseconds. */
const delay = 300

/** The choices that a client can determine and a running sandbox can change, with a number that makes the effect visible. */
const visible = assumptionNames
  .filter((name) => undetermined[name] === undefined && name !== 'bodyLimit')
  .flatMap((name) =>
    Object.entries(assumption(name).choices)
      .filter(([choice]) => !isBeyondClients(name, choice))
      .map(([choice, meaning]) => {
        if (typeof meaning === 'string') return [name, choice] as const
        return [name, `${choice}:${meaning.amount.unit === 'milliseconds' ? delay : meaning.amount.usual}`] as const
      }),
  )

let target: StartedTarget
beforeAll(async () => {
  target = await startOwnTarget()
})
afterAll(() => target.stop())

it.each(sampleOf(visible, inTier({ test: 50, ci: Infinity })))('%s=%s has its effect', async (name, written) => {
  const { assumptions } = control({ url: target.wanted.baseUrl ?? '' })
  await assumptions.reset()
  await assumptions.set({
    [name]: written,
    ...(name === 'whatsappAfterUpdate' && { whatsappApproval: `afterDelay:${delay}` }),
  })
  const findings = await askServer(target, [name], { patience: 10 * delay })
  const [choice = ''] = written.split(':')
  expect(findings.get(name)).toEqual({
    outcome: 'seen',
    written: expect.stringMatching(`^${choice}(:\\d+)?$`) as string,
  })
})

const notFound = { success: false, message: 'Resource not found' }
describe('the envelope', () => {
  const reads = concernedBy('statedEnvelope')

  it.each(operationIds)('metaInEnvelope decides whether %s has meta', async (id) => {
    const omitted = await (await openFurnished({ metaInEnvelope: 'omitted' })).call(id, examples[id])
    const present = await (await openFurnished({ metaInEnvelope: 'present' })).call(id, examples[id])
    expect(omitted.body).not.toHaveProperty('meta')
    expect(present.body.meta).toEqual(concernedBy('metaInEnvelope').includes(id) ? {} : undefined)
  })

  it.each(operationIds)('statedEnvelope decides whether %s has success and message', async (id) => {
    const none = await (await openFurnished({ statedEnvelope: 'none' })).call(id, examples[id])
    const some = await (await openFurnished({ statedEnvelope: 'some' })).call(id, examples[id])
    const shown = expect.any(String) as string
    expect(none.body).toMatchObject({ success: true, message: shown })
    if (!reads.includes(id)) expect(some.body).toMatchObject({ success: true, message: shown })
    else
      expect(Object.keys(some.body as object).sort()).toEqual(
        id.startsWith('listM') || id.startsWith('listT') ? ['data', 'pagination'] : ['data'],
      )
  })

  it('has no meta in a refusal, with any choice', async () => {
    const { call } = await openFurnished({ metaInEnvelope: 'present', statedEnvelope: 'some' })
    expect((await call('getTemplate', { path: { templateId: unknownId } })).body).toEqual(notFound)
    expect((await call('getTemplate', { ...examples.getTemplate, key: null })).body).toEqual({
      success: false,
      message: 'Unauthorized',
    })
  })
})

describe('badPage', () => {
  it('=clamped uses the default page of historyPage', async () => {
    const { call } = await openFurnished({ badPage: 'clamped', historyPage: 'page1limit20' })
    for (let count = 0; count < 25; count++) await call('sendLiveMessage', examples.sendLiveMessage)
    const { body, assumed } = await call('listMessages', { ...examples.listMessages, query: { limit: 0 } })
    expect(body.pagination.totalPages).toBe(2)
    expect(assumed).toEqual(expect.arrayContaining(['badPage', 'historyPage']))
  })

  it('is not relied on for a page far beyond the end', async () => {
    const { call } = await openFurnished()
    const query = { ...examples.listTemplates.query, page: 10_000_000_000 }
    const { status, assumed } = await call('listTemplates', { query })
    expect(status).toBe(200)
    expect(assumed).not.toContain('badPage')
  })
})

import { expect, it } from 'vitest'
import type { Sandbox } from '../../../index.ts'
import { examples, operationIds, targetOf } from '../requests.ts'
import { operations } from '../../../spec/operations.ts'
import { startSandbox } from '../../for-one-test.ts'

const json = { 'content-type': 'application/json' }

/** The responses and the final state of a run, as texts. */
async function run(steer: (sandbox: Sandbox) => Promise<unknown>): Promise<string[]> {
  const sandbox = await startSandbox({ seed: 7, world: 'demo' })
  await sandbox.clock.freeze('2030-01-01T00:00:00Z')
  const said: string[] = []
  const say = (value: unknown) => said.push(typeof value === 'string' ? value : JSON.stringify(value))
  const ask = async (key: string) => {
    for (const id of operationIds) {
      const { body } = examples[id]
      const init = { method: operations[id].method.toUpperCase(), headers: { ...json, 'x-api-key': key } }
      const answer = await sandbox.fetch(targetOf(id), { ...init, ...(body ? { body: JSON.stringify(body) } : {}) })
      say([...answer.headers].filter(([name]) => name !== 'date'))
      say(await answer.text())
    }
  }
  const empty = await sandbox.teams.create()
  const fork = await sandbox.teams.create({ from: 'team:demo' })
  for (const team of [empty, fork]) say(team)
  for (const key of ['demo-key', empty.apiKey, fork.apiKey]) await ask(key)
  say(await steer(sandbox))
  for (const seen of [sandbox.world(), sandbox.outbox.list(), sandbox.teams.list(), sandbox.assumptions.list()])
    say(await seen)
  say((await sandbox.requests.find()).map(({ ms, ...seen }) => seen))
  return said
}

it('a run repeats to the byte with a seed and a frozen clock', async () => {
  const steer = async ({ clock, incoming }: Sandbox) => [
    await incoming.add('demo', { channel: 'whatsapp', from: '+14155550177', content: 'Where is it?' }),
    await clock.advance('40d'),
  ]
  const first = await run(steer)
  expect(first.length).toBeGreaterThan(190)
  expect(await run(steer)).toEqual(first)
})

it('a run repeats after a reset', async () => {
  const runTwice = await run(async (sandbox) => {
    const made = async () => [await sandbox.teams.create(), await sandbox.teams.create({ from: 'world:demo' })]
    await sandbox.reset()
    const before = await made()
    await sandbox.reset()
    expect(await made()).toEqual(before)
  })
  expect(runTwice.length).toBeGreaterThan(190)
})

it('the sandbox gives each team a random key without a seed', async () => {
  const sandbox = await startSandbox()
  const keys = await Promise.all(Array.from({ length: 20 }, async () => (await sandbox.teams.create()).apiKey))
  expect(new Set(keys).size).toBe(20)
  for (const key of keys) expect(key).toMatch(/^sandbox_[0-9a-f]{36}$/)
})

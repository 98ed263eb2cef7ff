import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { control, type Controls } from '../../../mock/testing/control-client.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../mock/create-sandbox.ts'
import { newFolder } from '../../for-one-test.ts'
import { twoTeams } from '../helpers.ts'

/** The options of a sandbox on each store of one process. */
export const stores = [
  ['memory', async () => ({})],
  ['file', async () => ({ store: `file:${join(newFolder(), 'crm.json')}` })],
] as const

export const contact = (firstName: string, more: object = {}) => ({
  firstName,
  lastName: 'L',
  email: `${firstName}@example.com`,
  ...more,
})

/** Without a message any will do. The status is 400 by default. */
export type RefusedCall = readonly [
  title: string,
  ask: (controls: Controls) => Promise<unknown>,
  message?: string | RegExp,
  status?: number,
]

/** The refusal of an unknown id or name. */
export const unknown = [/^there is no [\w ]+ \S/, 404] as const

export const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${at}`, at]))

/** Asks in process and over HTTP; each refusal has the message, and changes nothing. */
export function itRefuses(
  calls: readonly RefusedCall[],
  options: Partial<SandboxOptions> = {},
  prepare: (controls: Controls) => Promise<unknown> = async () => undefined,
): void {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await createSandbox({ world: twoTeams, port: 0, ...options })
    await sandbox.clock.freeze('2030-01-31T09:00:00Z')
    await prepare(sandbox)
  })
  afterAll(() => sandbox.close())

  const state = async () =>
    JSON.stringify([
      ...(await Promise.all([sandbox.world(), sandbox.snapshots.list(), sandbox.assumptions.list()])),
      ...(await Promise.all([sandbox.assumptions.list({ teamId: 'acme' }), sandbox.faults.list()])),
      ...(await Promise.all([sandbox.gates.list(), sandbox.clock.read()])),
    ])

  it.each(calls.map(([title, ...call]) => ({ title, call })))(
    'is refused through both doors, and changes nothing: $title',
    async ({ call }) => {
      const [ask, message = /./, status = 400] = call
      const before = await state()
      const token = options.controlToken
      for (const controls of [sandbox, control({ url: sandbox.url, ...(token === undefined ? {} : { token }) })]) {
        const error: unknown = await ask(controls).catch((reason: unknown) => reason)
        expect(error).toMatchObject({ name: 'Refused', status })
        if (typeof message === 'string') expect((error as Error).message).toBe(message)
        else expect((error as Error).message).toMatch(message)
      }
      expect(await state()).toBe(before)
    },
  )
}

import { expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../index.ts'
import { assumption, assumptionNames } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { run } from '../contracts/command.ts'
import { folder } from '../contracts/harness.ts'

/** Each way to fill a gap of the specification otherwise than we assume; a number that goes with it is out of reach. */
const otherwise = assumptionNames.flatMap((name) =>
  Object.entries(assumption(name).choices)
    .filter(([choice]) => choice !== assumption(name).assumed)
    .map(([choice, meaning]) => [name, typeof meaning === 'string' ? choice : `${choice}:999999`] as const),
)

// A server may fill a gap as it likes: whoever calls that a broken promise has asserted what nobody promised.
it.each(otherwise)('no promise is broken by %s=%s', async (name, choice) => {
  const assume: WrittenChoices = { [name]: choice }
  const server = await createSandbox({ port: 0, world: 'two-teams', assume })
  onTestFinished(() => server.close())
  const providers = [
    '--email-provider',
    'email-provider',
    '--sms-provider',
    'sms-provider',
    '--whatsapp-provider',
    'whatsapp-provider',
  ]
  const args = ['verify', '--base-url', server.url, '--ledgers', folder(), ...providers]
  const { code, stdout } = await run(args, { CRM_API_KEY: 'acme-key', CRM_OTHER_API_KEY: 'globex-key' })
  expect(stdout).not.toMatch(/^(Broken|Went wrong|May be left behind)$/m)
  expect([0, 3]).toContain(code)
})

import { type Address, asking } from './ask.ts'
import { bulkSendsOver } from './bulk-sends.ts'
import type { Controls } from './controls.ts'
import { teamsOver } from './teams.ts'
import { templatesOver } from './templates.ts'
import { tokensOver } from './tokens.ts'

export type { Address } from './ask.ts'
export type { Controls } from './controls.ts'
export { Refused } from './refused.ts'
export type { ControlBody, ControlData, ControlId, ControlSchemas } from './types.ts'

/**
 * Steers a sandbox that runs elsewhere, with the names that a sandbox in process has.
 *
 *     const sandbox = control({ url: 'http://127.0.0.1:4010' })
 *     const { apiKey } = await sandbox.teams.create({ name: 'Globex' })
 */
export function control(address: Address): Controls {
  const ask = asking(address)
  return {
    // Without a token the answer has no data, and then the sandbox wants one.
    health: async () => (await ask('getHealth')) as NonNullable<Awaited<ReturnType<Controls['health']>>>,
    reset: () => ask('resetSandbox'),
    teams: teamsOver(ask),
    tokens: tokensOver(ask),
    templates: templatesOver(ask),
    bulkSends: bulkSendsOver(ask),
  }
}

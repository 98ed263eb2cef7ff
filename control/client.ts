import { type Address, createAsk } from './ask.ts'
import { assumptionsOver } from './assumptions.ts'
import { bulkSendsOver } from './bulk-sends.ts'
import { clockOver } from './clock.ts'
import type { Controls } from './controls.ts'
import { faultsOver } from './faults.ts'
import { gatesOver } from './gates.ts'
import { incomingOver } from './incoming.ts'
import { outboxOver } from './outbox.ts'
import { requestsOver } from './requests.ts'
import { snapshotsOver } from './snapshots.ts'
import { type TeamToCreate, teamsOver } from './teams.ts'
import { templatesOver } from './templates.ts'
import { fetchOnly, newTeam, type Team } from '../typed-client/team.ts'
import { tokensOver } from './tokens.ts'
import { worldOver } from './world.ts'

export type { Address } from './ask.ts'
export type { Controls } from './controls.ts'
export type { SeenAssumption } from './assumptions.ts'
export { Refused } from './refused.ts'
export type * from './requests.ts'
export type { TeamToCreate } from './teams.ts'
export type { AnyWorld, Wanted } from './world.ts'
export type { ControlBody, ControlData, ControlId, ControlSchemas } from './types.ts'

export interface ControlClient extends Controls {
  /** A new team with its key, a `fetch` that sends the key, and the operations as functions: one for each test. */
  team(team?: TeamToCreate): Promise<Team>
}

/**
 * Steers a sandbox that runs elsewhere, with the names that a sandbox in process has.
 *
 *     const sandbox = control({ url: 'http://127.0.0.1:4010' })
 *     const { apiKey } = await sandbox.teams.create({ name: 'Globex' })
 */
export function control(address: Address): ControlClient {
  const ask = createAsk(address)
  const teams = teamsOver(ask)
  return {
    ...worldOver(ask),
    // Without a token the answer has no data, and then the sandbox wants one.
    health: () => ask('getHealth'),
    reset: () => ask('resetSandbox'),
    clock: clockOver(ask),
    teams,
    snapshots: snapshotsOver(ask),
    team: (team) => newTeam({ url: address.url, fetch: fetchOnly(address.url), teams }, team),
    tokens: tokensOver(ask),
    templates: templatesOver(ask),
    bulkSends: bulkSendsOver(ask),
    outbox: outboxOver(ask),
    incoming: incomingOver(ask),
    faults: faultsOver(ask),
    gates: gatesOver(ask),
    assumptions: assumptionsOver(ask),
    requests: requestsOver(ask),
  }
}

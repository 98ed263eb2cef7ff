import type { Controls } from '../../control/controls.ts'
import type { RequestsControl } from '../../control/requests.ts'
import { assumptionsIn } from './assumptions.ts'
import { bulkSendsIn } from './bulk-sends.ts'
import { clockIn } from './clock.ts'
import type { ControlContext } from './context.ts'
import { faultsIn } from './faults.ts'
import { gatesIn } from './gates.ts'
import { healthOf } from './health.ts'
import { incomingIn } from './incoming.ts'
import { NoSuchTeam } from '../store/port.ts'
import { outboxIn } from './outbox.ts'
import { NotFound } from './refusals.ts'
import { requestsIn } from './requests.ts'
import { snapshotsIn } from './snapshots.ts'
import { teamsIn } from './teams.ts'
import { templatesIn } from './templates.ts'
import { type OwnWorldControl, worldIn } from './world.ts'
import { tokensIn } from './tokens.ts'

/** Everything that steers a sandbox. HTTP and callers in process use the same actions. */
export function controlsOf(context: ControlContext): Controls & OwnWorldControl {
  return {
    ...worldIn(context),
    health: async () => healthOf(context),
    reset: context.reset,
    clock: clockIn(context),
    teams: teamsIn(context),
    snapshots: snapshotsIn(context),
    tokens: tokensIn(context),
    templates: templatesIn(context),
    bulkSends: bulkSendsIn(context),
    outbox: outboxIn(context),
    incoming: incomingIn(context),
    faults: faultsIn(context),
    gates: gatesIn(context),
    assumptions: assumptionsIn(context),
    requests: requestsIn(context),
  }
}

/** The same functions, each of which rejects when the check throws. Following ends by itself with the sandbox. */
export function eachAfter<Some extends Controls>(check: () => void, controls: Some): Some {
  const checked = checkedMembers(check, controls)
  const follow: RequestsControl['follow'] = (filter) => controls.requests.follow(filter)
  return { ...checked, requests: { ...checked.requests, follow } }
}

function checkedMembers<Some extends object>(check: () => void, members: Some): Some {
  const checked = Object.entries(members as Members).map(([name, member]) => [
    name,
    typeof member === 'function' ? checkedFirst(check, member) : checkedMembers(check, member),
  ])
  return Object.fromEntries(checked) as Some
}

type Action = (...input: unknown[]) => unknown

interface Members {
  readonly [name: string]: Action | Members
}

const checkedFirst =
  (check: () => void, action: Action): Action =>
  async (...input) => {
    check()
    try {
      return await action(...input)
    } catch (error) {
      throw error instanceof NoSuchTeam ? new NotFound() : error // as over HTTP, when it was deleted meanwhile
    }
  }

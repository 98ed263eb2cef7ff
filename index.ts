import { checkIsThere, loadWorld } from './fixtures/load-world.ts'
import type { World } from './fixtures/world.ts'
import { CannotStart } from './lib/user-error.ts'
import { checkOptions } from './cli/check-options.ts'
import { choicesIn, loadFaults, loadProfile } from './cli/load-profile.ts'
import { endOfStory } from './mock/core/clock.ts'
import { createSandbox as createFrom, type Sandbox } from './mock/create-sandbox.ts'
import type { SandboxOptions } from './mock/options.ts'
import { misspeltVariables, options as flags, optionsFrom, readSettings, withoutUndefined } from './cli/options.ts'
import { assumeVariable, marksFor } from './cli/marks.ts'

export type { TeamInWorld, TeamOnFile, World } from './fixtures/world.ts'
export { CannotStart } from './lib/user-error.ts'
export type { Clock } from './mock/core/clock.ts'
export type { Sandbox } from './mock/create-sandbox.ts'
export type { Listening } from './mock/http/listening.ts'
export type { Log } from './mock/http/log.ts'
export type { SandboxOptions } from './mock/options.ts'
export { type AssumptionName, assumptions, type Choice } from './spec/assumptions.ts'
export { UnreadableChoice, type WrittenChoices } from './spec/choices.ts'
export type { paths } from './spec/generated/api.ts'
export type { OperationId, Schemas } from './spec/types.ts'
export { CrmError, type CrmClient } from './mock/testing/client.ts'
export type { Team } from './mock/testing/team.ts'

/**
 * Starts a mock server for the CRM Integrator REST API.
 *
 *     await using sandbox = await createSandbox({ port: 0 })
 *     const [team] = await sandbox.teams()
 *     await fetch(`${sandbox.url}/api/contacts`, { headers: { 'x-api-key': team.apiKeys[0] }, … })
 *
 * Without an option, the environment variable of `serve` applies, such as CRM_SANDBOX_WORLD. Those of lists, and
 * CRM_SANDBOX_ASSUME, add to the option. CRM_SANDBOX_PORT has no meaning here: nothing listens without the option `port`.
 */
export async function createSandbox(given: SandboxOptions = {}): Promise<Sandbox> {
  checkOptions(given)
  for (const sentence of misspeltVariables(process.env)) process.emitWarning(sentence)
  const settings = readSettings({}, process.env)
  const { port: _, ...usual } = optionsFrom(settings)
  const own = withoutUndefined(given)
  const {
    world = settings.world ?? 'demo',
    profile = settings.profile ?? {},
    faults = settings.faults ?? [],
    ...options
  } = own
  const worldIn = <Read>(read: (name: string) => Promise<Read>, name: string) =>
    naming(flags.world.variable, own.world === undefined, () => read(name))
  if (typeof world === 'string') await worldIn(checkIsThere, world)
  const initial =
    typeof world === 'string'
      ? () => worldIn((name) => loadWorld(name, endOfStory({ ...usual, ...options })), world)
      : await checkWorldObject(world)
  return createFrom(
    {
      ...usual,
      ...options,
      world: initial,
      allowHosts: [...usual.allowHosts, ...(options.allowHosts ?? [])],
      cors: [...usual.cors, ...(options.cors ?? [])],
      profile: await naming(flags.profile.variable, own.profile === undefined, () => loadProfile(profile)),
      faults: await naming(flags.faults.variable, own.faults === undefined, () => loadFaults(faults)),
      assume: { ...(await naming(assumeVariable, true, () => choicesIn(process.env))), ...options.assume },
    },
    marksFor(process.env),
    typeof world === 'string' ? world : undefined,
  )
}

/** Reads a value, and puts the name of its variable before an error about it. */
async function naming<Value>(variable: string, isOfVariable: boolean, read: () => Value | Promise<Value>) {
  try {
    return await read()
  } catch (error) {
    if (!isOfVariable || !(error instanceof Error)) throw error
    throw new CannotStart(`${variable}: ${error.message}`, { cause: error })
  }
}

async function checkWorldObject(world: World): Promise<World> {
  const check = await import('./fixtures/check-world.ts')
  return check.checkWorldObject(world)
}

import { coverageInText } from '../control/coverage-in-words.ts'
import { type Address, control, type ControlClient } from './control-client.ts'
import { createSandbox, type Sandbox, type SandboxOptions, type Team } from '../../index.ts'

/**
 * Fixtures for vitest's `test.extend`: `sandbox`, one for each worker, and `team`, a new one for each test.
 *
 *     const test = base.extend(sandboxFixtures({ world: 'two-teams' }))
 *     const test = base.extend(sandboxFixtures({ url: inject('sandboxUrl') })) // one sandbox for all workers
 *     const test = base.extend(sandboxFixtures({}, { printCoverage: true })) // at the end of each worker
 */
export function sandboxFixtures(options?: SandboxOptions, more?: FixtureOptions): SandboxFixtures<Sandbox>
export function sandboxFixtures(address: Address, more?: FixtureOptions): SandboxFixtures<ControlClient>
export function sandboxFixtures(
  optionsOrAddress: SandboxOptions | Address = {},
  { printCoverage = false }: FixtureOptions = {},
): object {
  // vitest finds out which fixtures a fixture needs from the source text of its first parameter.
  const sandbox = async ({}, use: Use<Sandbox | ControlClient>): Promise<void> => {
    await using started = 'url' in optionsOrAddress ? undefined : await createSandbox(optionsOrAddress)
    const client = started ?? control(optionsOrAddress as Address)
    await use(client)
    if (printCoverage) process.stdout.write(`${coverageInText(await client.coverage())}\n`)
  }
  const team: SandboxFixtures<ControlClient>['team'] = async ({ sandbox, task }, use) => {
    const created = await sandbox.team({ name: teamName(task.name) })
    await use(created)
    await deleteTeam(created.id, sandbox)
  }
  return { sandbox: [sandbox, { scope: 'worker' }], team }
}

export interface FixtureOptions {
  /** Whether each worker prints at its end what the requests to the sandbox have covered. */
  readonly printCoverage?: boolean
}

/**
 * A structural type, so that any version of vitest from 3.2 on takes it. It leaves out the scope of `sandbox`, since
 * TypeScript infers no fixture from a tuple.
 */
export interface SandboxFixtures<Client extends ControlClient> {
  sandbox: (context: object, use: Use<Client>) => Promise<void>
  team: (context: { sandbox: Client; task: { readonly name: string } }, use: Use<Team>) => Promise<void>
}

type Use<Value> = (value: Value) => Promise<void>

/** The title of the test, shortened and without control characters, which the control plane refuses. */
function teamName(title: string): string {
  const printable = Array.from(title.replaceAll(/\p{Cc}/gu, ' '))
  return printable.slice(0, 100).join('') || 'A test without a name'
}

/** The test may have deleted its team or reset the sandbox. */
async function deleteTeam(id: string, { teams }: ControlClient): Promise<void> {
  const exists = (await teams.list()).some(({ teamId }) => teamId === id)
  if (exists) await teams.delete(id)
}

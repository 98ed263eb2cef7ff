import { test as vitestTest } from 'vitest'
import { type Address, control, type ControlClient } from '../control/client.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../index.ts'

/**
 * vitest's `test` with two fixtures: `sandbox`, one for the worker, and `team`, a new one for each test.
 *
 *     const test = sandboxTest({ world: 'two-teams' })
 *     const test = sandboxTest({ url: inject('sandboxUrl') }) // one sandbox for all workers, which runs elsewhere
 */
export function sandboxTest(options?: SandboxOptions): SandboxTest<Sandbox>
export function sandboxTest(address: Address): SandboxTest<ControlClient>
export function sandboxTest(given: SandboxOptions | Address = {}): object {
  if ('url' in given) return extend(async () => control(given))
  return extend(
    () => createSandbox(given),
    (sandbox) => sandbox.close(),
  )
}

/** The same with the demo world, in process. */
export const test = sandboxTest()

export type SandboxTest<Steered extends ControlClient> = ReturnType<typeof extend<Steered>>

function extend<Steered extends ControlClient>(
  start: () => Promise<Steered>,
  close: (sandbox: Steered) => Promise<void> = async () => undefined,
) {
  return vitestTest
    .extend('sandbox', { scope: 'worker' }, async ({}, { onCleanup }): Promise<Steered> => {
      const sandbox = await start()
      onCleanup(() => close(sandbox))
      return sandbox
    })
    .extend('team', async ({ sandbox, task }, { onCleanup }) => {
      const team = await sandbox.team({ name: nameAfter(task.name) })
      onCleanup(() => removeTeam(team.id, sandbox))
      return team
    })
}

/** As the control plane takes it, so that the teams of a sandbox tell which test they belong to. */
function nameAfter(test: string): string {
  const printable = Array.from(test.replaceAll(/\p{Cc}/gu, ' '))
  return printable.slice(0, 100).join('') || 'A test without a name'
}

/** The test may have removed it, or reset the sandbox. */
async function removeTeam(id: string, { teams }: ControlClient): Promise<void> {
  const isThere = (await teams.list()).some(({ teamId }) => teamId === id)
  if (isThere) await teams.delete(id)
}

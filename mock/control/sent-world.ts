import type { TeamInWorld, World } from '../../fixtures/world.ts'
import { refuse } from './refusals.ts'

/** For routes that take a whole world. */
export const worldBodyLimit = 64 * 1024 * 1024

/** Checks a world; refuses it with all that is wrong with it. */
export async function readWorld(sent: unknown, controlToken: string | undefined): Promise<World> {
  const { checkWorld, UnreadableWorld } = await import('../../fixtures/check-world.ts')
  try {
    const world = checkWorld(sent, 'the world')
    const isTaken = ({ apiKeys }: TeamInWorld) => controlToken !== undefined && apiKeys.includes(controlToken)
    if (world.teams.some(isTaken)) refuse('an API key in the world is the control token; choose another')
    return world
  } catch (error) {
    if (error instanceof UnreadableWorld) refuse(error.message)
    throw error
  }
}

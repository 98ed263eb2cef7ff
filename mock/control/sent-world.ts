import type { World } from '../../fixtures/world.ts'
import { refuse } from './refusals.ts'

/** Checks a world that was sent; refuses it with all that is wrong with it. */
export async function readWorld(sent: unknown): Promise<World> {
  const { checkWorld, UnreadableWorld } = await import('../../fixtures/check-world.ts')
  try {
    return checkWorld(sent, 'the world')
  } catch (error) {
    if (error instanceof UnreadableWorld) refuse(error.message)
    throw error
  }
}

import { ConnectionLost } from './errors.ts'

/**
 * Does something that may be done twice, and once more when a connection was lost: that may come of the load, and says
 * nothing about the server.
 */
export async function orOnceMore<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ConnectionLost) return act()
    throw error
  }
}

import type { Ask } from './ask.ts'
import { isOptions, isWord } from './options.ts'
import { Refused } from './refused.ts'
import type { ControlBody, ControlSchemas } from './types.ts'

/** A world: all teams with their records, as in a file. */
export interface AnyWorld {
  readonly teams: readonly object[]
}

/** What the sandbox holds: as a world, and record by record. */
export interface WorldControl {
  /** All records of this moment, or those of one team, as a world. */
  readonly world: (of?: { readonly teamId?: string }) => Promise<AnyWorld>
  /** Replaces everything with a world, which is checked first. */
  readonly loadWorld: (world: AnyWorld) => Promise<readonly ControlSchemas['ListedTeam'][]>
  /** Adds the teams of a world, with their keys: all of them, or none. */
  readonly addWorld: (world: AnyWorld) => Promise<readonly ControlSchemas['ListedTeam'][]>
  /** The records of a team, oldest first: `records('demo', 'contacts', { where: { email: 'ada@example.com' } })`. */
  readonly records: (
    teamId: string,
    kind: ControlSchemas['Kind'],
    wanted?: Wanted,
  ) => Promise<ControlSchemas['Records']>
}

export interface Wanted {
  /** Fields that the records must have. A dot leads into an object; a list matches by any of its values. */
  readonly where?: Readonly<Record<string, string | number | boolean>>
  readonly page?: number
  readonly limit?: number
}

export const worldOver = (ask: Ask): WorldControl => ({
  world: async (of = {}) => (await ask.whole('getWorld', { query: of })) as AnyWorld,
  loadWorld: (world) => ask('loadWorld', { body: world as ControlBody<'loadWorld'> }),
  addWorld: (world) => ask('addWorld', { body: world as ControlBody<'addWorld'> }),
  records: async (teamId, kind, wanted = {}) => {
    const fault = faultIn(wanted)
    if (fault !== undefined) throw new Refused(400, fault)
    const { where, ...asked } = wanted
    return ask('findRecords', { path: { teamId, kind }, query: { ...where, ...asked } })
  },
})

/** What is wrong with what is wanted. HTTP cannot tell: it takes any other field for one that the records must have. */
export function faultIn(wanted: Wanted): string | undefined {
  if (!isOptions(wanted)) return 'the query must be a JSON object'
  const { where = {}, page, limit, ...others } = wanted
  const [stray] = Object.keys(others)
  if (stray !== undefined) return `${stray} is not a field of this request, which takes where, page, limit`
  if (!isOptions(where)) return 'where must be an object with fields and their values'
  const [odd] = Object.entries(where).find(([, value]) => !isWord(value)) ?? []
  return odd === undefined ? undefined : `${odd} must be given once, as a text`
}

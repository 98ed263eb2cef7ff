import type { AssumptionName } from '../spec/assumptions.ts'
import type { WrittenChoices } from '../spec/choices.ts'
import type { Ask } from './ask.ts'
import { bodyOf } from './options.ts'
import type { ControlSchemas } from './types.ts'

/** What the sandbox assumes where the specification leaves it open. */
export interface AssumptionsControl {
  /** The register with the choices in force, for all teams or for one. */
  list(of?: OfTeam): Promise<readonly SeenAssumption[]>
  get(name: AssumptionName, of?: OfTeam): Promise<SeenAssumption>
  /** Switches choices, for all teams or for one: `set({ contactMatching: 'phoneThenEmail' })`. Returns what was switched. */
  set(choices: WrittenChoices, of?: OfTeam): Promise<readonly SeenAssumption[]>
  /** Back to the choices of the start; with a team, back to those of all teams. */
  reset(of?: OfTeam): Promise<void>
}

/** An entry of the register, with the choice in force, where it comes from and how many answers relied on it. */
export type SeenAssumption = ControlSchemas['Assumption']

interface OfTeam {
  readonly teamId?: string
}

export const assumptionsOver = (ask: Ask): AssumptionsControl => ({
  list: (of = {}) => ask('listAssumptions', { query: of }),
  get: (name, of = {}) => ask('getAssumption', { path: { name }, query: of }),
  set: (choices, of = {}) => ask('setAssumptions', { body: bodyOf({ choices }, of) }),
  reset: (of = {}) => ask('resetAssumptions', { query: of }),
})

import { nothingSwitched, type Switched } from '../core/choices-in-force.ts'
import { baseTime, type ClockSetting } from '../core/clock.ts'
import type { StoredGate } from '../http/faults/gates.ts'
import { clearRules, noRules, type RuleList } from '../http/faults/rules.ts'
import type { StoredFault } from '../http/faults/schemas.ts'

/** The settings of the control plane, for all processes on a store. */
export interface Settings {
  clock: ClockSetting
  choices: Switched
  readonly faults: RuleList<StoredFault>
  readonly gates: RuleList<StoredGate>
  resets: number
}

export const initialSettings = (): Settings => ({
  clock: baseTime,
  choices: nothingSwitched,
  faults: noRules(),
  gates: noRules(),
  resets: 0,
})

/** Restores the settings of the start. */
export function restartSettings(settings: Settings): void {
  restartClock(settings)
  settings.choices = nothingSwitched
  clearRules(settings.faults)
  clearRules(settings.gates)
  settings.resets++
}

export function restartClock(settings: Settings): void {
  settings.clock = { ...baseTime, restarts: settings.clock.restarts + 1 }
}

/** Drops the choices, faults and gates of one team. */
export const clearTeam = (teamId: string) => (settings: Settings) => {
  keepChoices(settings, (one) => one !== teamId)
  clearRules(settings.faults, teamId)
  clearRules(settings.gates, teamId)
}

/** Drops the choices of the teams that `isKept` does not accept. */
export function keepChoices(settings: Settings, isPresent: (teamId: string) => boolean): void {
  const { all, teams } = settings.choices
  settings.choices = { all, teams: Object.fromEntries(Object.entries(teams).filter(([teamId]) => isPresent(teamId))) }
}

import type { WrittenChoices } from '../../spec/choices.ts'
import { baseTime, type ClockSetting } from '../core/clock.ts'
import type { StoredGate } from '../http/faults/gates.ts'
import { clearRules, noRules, type Rule, type RuleList } from '../http/faults/rules.ts'
import type { StoredFault } from '../http/faults/schemas.ts'

/** The settings of the control plane of one team, for all processes on a store. */
export interface TeamSettings {
  /** The choices that were switched at run time. */
  choices: WrittenChoices
  readonly faults: RuleList<StoredFault>
  readonly gates: RuleList<StoredGate>
}

/** The settings for all teams. */
export interface Settings extends TeamSettings {
  clock: ClockSetting
  resets: number
}

export const initialOfTeam = (): TeamSettings => ({ choices: {}, faults: noRules(), gates: noRules() })

export const initialSettings = (): Settings => ({ ...initialOfTeam(), clock: baseTime, resets: 0 })

export function restartClock(settings: Settings): void {
  settings.clock = { ...baseTime, restarts: settings.clock.restarts + 1 }
}

/** Whether there is something that `clear` drops. */
export const isSet = ({ choices, faults, gates }: TeamSettings) =>
  Object.keys(choices).length + faults.rules.length + gates.rules.length > 0

/** Drops the choices, faults and gates. Requests that wait for them lose their connection. Returns the dropped rules. */
export function clear(settings: TeamSettings): Rule[] {
  settings.choices = {}
  return [...clearRules(settings.faults), ...clearRules(settings.gates)]
}

import type { ControlSchemas } from '../../control/types.ts'
import { type AssumptionName, assumption, assumptionNames } from '../../spec/assumptions.ts'
import { type Chosen, writtenChoice } from '../../spec/choices.ts'
import { version } from '../version.ts'
import type { ControlContext } from './context.ts'

export const healthOf = ({ storeName, choices, startedAt }: ControlContext): ControlSchemas['Health'] => ({
  version,
  store: storeName,
  uptimeSeconds: Math.floor((performance.now() - startedAt) / 1000),
  choices: choices.count(),
  assumptions: listNotableChoices(choices.of().chosen),
})

/** These two shape every success alike, so no answer is marked with them. */
const unmarked: readonly AssumptionName[] = ['statedEnvelope', 'metaInEnvelope']

/** The choices that differ from the assumed ones, and those that no answer is marked with. */
function listNotableChoices(chosen: Chosen): Record<string, string> {
  const notable = assumptionNames.filter(
    (name) => unmarked.includes(name) || chosen[name].choice !== assumption(name).assumed,
  )
  return Object.fromEntries(notable.map((name) => [name, writtenChoice(chosen[name])]))
}

import { assumption, type AssumptionName, type Meaning } from '../../spec/assumptions.ts'

/** A choice that the command is run with. */
export interface OtherChoice {
  readonly name: AssumptionName
  /** As a profile writes it. */
  readonly choice: string
}

/** Each choice of these entries but the one that is assumed. */
export function otherChoices(names: readonly AssumptionName[]): readonly OtherChoice[] {
  return names.flatMap((name) => {
    const { choices, assumed } = assumption(name)
    const others = Object.entries(choices).filter(([choice]) => choice !== assumed)
    return others.map(([choice, meaning]) => ({ name, choice: write(choice, meaning) }))
  })
}

/** A delay is long enough to be noticed, and short enough for tests that wait until something is there. */
function write(choice: string, meaning: Meaning): string {
  if (typeof meaning === 'string') return choice
  const { unit, usual } = meaning.amount
  return `${choice}:${unit === 'milliseconds' ? 1_000 : usual}`
}

import { assumption, type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'

/** The entries that `learn` could not determine: comments of the profile that it wrote, with the reason. */
export function untoldIn(profile: string): ReadonlySet<AssumptionName> {
  const comments = [...profile.matchAll(/^# (\w+): (\S*)/gm)]
  const untold = comments.flatMap(([, name, word = '']) => {
    const known = assumptionNames.find((one) => one === name)
    // Somebody may have commented out what was learned.
    return known && !Object.hasOwn(assumption(known).choices, word.replace(/:.*/, '')) ? [known] : []
  })
  return new Set(untold)
}

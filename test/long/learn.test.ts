import { expect, it } from 'vitest'
import { assumption, assumptionNames, type AssumptionName, switchableNames } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { askSandbox } from '../learn/asking.ts'
import { inTier } from '../tier.ts'
import { hiddenBy, type InForce } from '../learn/hidden.ts'

// LEARNED_SANDBOXES=200 for more.
const sandboxes = Number(process.env.LEARNED_SANDBOXES ?? inTier({ test: 1, nightly: 8 }))
const minute = 60_000

/** A choice with a number that can be seen in a test. */
const written = (name: AssumptionName, choice: string) => {
  const meaning = assumption(name).choices[choice]
  if (meaning === undefined || typeof meaning === 'string') return choice
  return `${choice}:${meaning.amount.unit === 'milliseconds' ? 100 : meaning.amount.usual}`
}

const choiceIn = (text: string | undefined) => text?.split(':')[0]

it(
  `learns what can be told of ${sandboxes} sandboxes that chose everything at random, and nothing wrong`,
  { timeout: 5 * minute + sandboxes * minute },
  async () => {
    const wrong: string[] = []
    const missed: string[] = []
    let [learned, hidden] = [0, 0]
    for (let seed = 1; seed <= sandboxes; seed++) {
      const chosen = drawAll(seed)
      const findings = await askSandbox(chosen, switchableNames)
      for (const name of switchableNames) {
        const finding = findings.get(name)
        const by = hiddenBy(name, withoutNumbers(chosen))
        const told = `sandbox ${seed}: ${name}=${chosen[name] ?? ''}: ${JSON.stringify(finding)}`
        if (finding?.outcome === 'seen' && choiceIn(finding.written) === choiceIn(chosen[name])) {
          learned++
          if (by) wrong.push(`${told} is not hidden`)
        } else if (finding?.outcome !== 'cannotTell') wrong.push(told)
        else if (!by) missed.push(told)
        else {
          hidden++
          if (!by.every((one) => finding.words.includes(one))) wrong.push(`${told} does not say ${by.join(', ')}`)
        }
      }
    }
    const tellable = sandboxes * switchableNames.length - hidden
    console.log(`Of ${tellable} entries that a client can tell, ${learned} were learned; ${hidden} are hidden.`, missed)
    expect(wrong).toEqual([])
    expect(learned / tellable).toBeGreaterThan(0.97)
  },
)

const withoutNumbers = (chosen: WrittenChoices) =>
  Object.fromEntries(Object.entries(chosen).map(([name, choice]) => [name, choiceIn(choice)])) as InForce

/** A choice for every entry, the same for the same seed; a limited rate would end the run. */
function drawAll(seed: number): WrittenChoices {
  let state = seed
  const draw = (below: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
  const drawn = assumptionNames.map((name) => {
    const choices = Object.keys(assumption(name).choices)
    const choice = choices[draw(choices.length)] ?? ''
    return [name, name === 'rateLimit' ? 'none' : written(name, choice)]
  })
  return Object.fromEntries(drawn) as WrittenChoices
}

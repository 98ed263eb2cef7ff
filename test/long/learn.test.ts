import { expect, it } from 'vitest'
import { assumption, assumptionNames, type AssumptionName } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { askSandbox } from '../learn/asking.ts'
import { beyond, unseen } from '../learn/beyond.ts'

// LEARNED_SANDBOXES=200 for more.
const sandboxes = Number(process.env.LEARNED_SANDBOXES ?? 20)

/** A choice with a number that can be seen in a test. */
const written = (name: AssumptionName, choice: string) => {
  const meaning = assumption(name).choices[choice]
  if (meaning === undefined || typeof meaning === 'string') return choice
  return `${choice}:${meaning.amount.unit === 'milliseconds' ? 100 : meaning.amount.usual}`
}

const choiceIn = (text: string | undefined) => text?.split(':')[0]

it('learns each other choice of each entry, one at a time', async () => {
  const wrong: string[] = []
  for (const name of assumptionNames.filter((name) => !beyond[name])) {
    const { choices, assumed } = assumption(name)
    for (const choice of Object.keys(choices).filter((choice) => choice !== assumed)) {
      if (unseen.some((one) => one[name] === choice)) continue
      const base: WrittenChoices = name === 'whatsappAfterUpdate' ? { whatsappApproval: 'afterDelay:50' } : {}
      const findings = await askSandbox({ ...base, [name]: written(name, choice) }, [name])
      const finding = findings.get(name)
      if (finding?.outcome !== 'seen' || choiceIn(finding.written) !== choice)
        wrong.push(`${name}=${choice}: ${JSON.stringify(finding)}`)
    }
  }
  expect(wrong).toEqual([])
})

it(`learns nothing wrong from ${sandboxes} sandboxes that chose everything at random`, async () => {
  const wrong: string[] = []
  let learned = 0
  for (let seed = 1; seed <= sandboxes; seed++) {
    const chosen = drawAll(seed)
    const findings = await askSandbox(chosen, assumptionNames)
    for (const [name, finding] of findings) {
      if (finding.outcome === 'cannotTell') continue
      if (finding.outcome === 'seen' && choiceIn(finding.written) === choiceIn(chosen[name])) learned++
      else wrong.push(`sandbox ${seed}: ${name}=${chosen[name] ?? ''}: ${JSON.stringify(finding)}`)
    }
  }
  console.log(`Of ${sandboxes * assumptionNames.length} entries ${learned} were learned.`)
  expect(wrong).toEqual([])
  expect(learned / (sandboxes * assumptionNames.length)).toBeGreaterThan(0.75)
})

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

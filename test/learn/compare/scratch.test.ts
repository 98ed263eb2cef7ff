import { it } from 'vitest'
import { compareSandboxes } from './comparing.ts'
import { drawChoices } from './drawn-choices.ts'
it('runs', async () => {
  const [from, to] = (process.env.DRAWN ?? '1-3').split('-').map(Number)
  const sums = new Map<string, number>()
  for (let drawn = from; drawn <= to; drawn++) {
    const t = performance.now()
    const { differences, steps, noise, successes } = await compareSandboxes({
      assume: drawn === 0 ? {} : drawChoices(drawn),
      steps: Number(process.env.STEPS ?? 500),
      most: Number(process.env.MOST ?? 1),
      seed: drawn,
    })
    console.log(drawn, steps, noise, (performance.now() - t).toFixed(0), differences.length)
    for (const [id, n] of successes) sums.set(id, (sums.get(id) ?? 0) + n)
    for (const { walk, difference, explanations } of differences)
      console.log(JSON.stringify({ walk, difference, explanations }))
  }
  console.log(JSON.stringify([...sums].sort((a, b) => a[1] - b[1])), sums.size)
}, 600000)

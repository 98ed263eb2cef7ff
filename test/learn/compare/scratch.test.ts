import { it } from 'vitest'
import { compareSandboxes } from './comparing.ts'
it('runs', async () => {
  const t = performance.now()
  const { differences, steps, noise, successes } = await compareSandboxes({ steps: Number(process.env.STEPS ?? 500), most: Number(process.env.MOST ?? 3), seed: Number(process.env.SEED ?? 1) })
  console.log(steps, noise, (performance.now() - t).toFixed(0))
  console.log(JSON.stringify([...successes].sort((a, b) => a[1] - b[1])), successes.size)
  for (const { walk, difference, explanations } of differences) console.log(JSON.stringify({ walk, difference, explanations }, null, 1))
})

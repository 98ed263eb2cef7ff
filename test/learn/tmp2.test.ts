import { it } from 'vitest'
import { assumption, assumptionNames } from '../../spec/assumptions.ts'
import { askSandbox } from './asking.ts'
it('random', async () => {
  let right = 0,
    wrong = 0,
    cannot = 0
  const why = new Map<string, number>()
  for (
    let seed = Number(process.env.FROM ?? 1);
    seed < Number(process.env.FROM ?? 1) + Number(process.env.COUNT ?? 5);
    seed++
  ) {
    let state = (seed * 2654435761) >>> 0
    const rnd = () => {
      state = (state + 0x6d2b79f5) >>> 0
      let t = Math.imul(state ^ (state >>> 15), 1 | state)
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
    }
    const assume: Record<string, string> = {}
    for (const name of assumptionNames) {
      if (name === 'rateLimit') {
        rnd()
        assume[name] = 'none'
        continue
      }
      const all = Object.entries(assumption(name).choices)
      const [choice, meaning] = all[Math.floor(rnd() * all.length)]!
      assume[name] =
        typeof meaning === 'string'
          ? choice
          : `${choice}:${meaning.amount.unit === 'milliseconds' ? 100 : meaning.amount.usual}`
    }
    try {
      const found = await askSandbox(assume, assumptionNames)
      for (const [name, f] of found) {
        const is = assume[name]!.split(':')[0]
        if (f.outcome === 'seen' && f.written.split(':')[0] === is) right++
        else if (f.outcome === 'cannotTell') {
          cannot++
          why.set(name + ': ' + f.words.slice(0, 90), (why.get(name + ': ' + f.words.slice(0, 90)) ?? 0) + 1)
        } else {
          wrong++
          console.log('WRONG', seed, name, assume[name], JSON.stringify(f))
        }
      }
    } catch (e) {
      console.log('THROWN', seed, (e as Error).stack)
    }
  }
  console.log('RESULT', right, wrong, cannot)
  for (const [w, n] of [...why].sort((a, b) => b[1] - a[1]).slice(0, 70)) console.log('WHY', n, w)
})

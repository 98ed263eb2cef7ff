import { it } from 'vitest'
import { assumption, assumptionNames, type AssumptionName } from '../../spec/assumptions.ts'
import { askSandbox } from './asking.ts'

it('defaults', async () => {
  const t = Date.now()
  const found = await askSandbox({}, assumptionNames)
  console.log(Date.now() - t, 'ms')
  for (const [name, f] of found) {
    const want = assumption(name).assumed
    if (f.outcome !== 'seen' || f.written.split(':')[0] !== want) console.log('DEFAULT', name, want, JSON.stringify(f))
  }
})
const only = process.env.ONLY?.split(',')
it('others', async () => {
  let seen = 0,
    all = 0
  for (const name of assumptionNames as AssumptionName[]) {
    if (only && !only.includes(name)) continue
    const { choices, assumed } = assumption(name)
    for (const [choice, meaning] of Object.entries(choices)) {
      if (choice === assumed) continue
      const written =
        typeof meaning === 'string'
          ? choice
          : `${choice}:${name === 'bulkDelivery' || name === 'whatsappApproval' ? 100 : meaning.amount.usual}`
      all++
      try {
        const f = (await askSandbox({ [name]: written }, [name])).get(name)
        if (f?.outcome === 'seen' && f.written.split(':')[0] === choice) seen++
        if (f?.outcome !== 'seen' || f.written !== written) console.log('OTHER', name, written, JSON.stringify(f))
      } catch (e) {
        console.log('THROWN', name, written, String(e))
      }
    }
  }
  console.log(seen, 'of', all)
})

import { it } from 'vitest'
import { killCycles } from '/work/main/test/store/kill-cycles.ts'
it('x', async () => { const r = await killCycles(10); console.log(r) }, 60000)

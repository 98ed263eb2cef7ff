import { appendFileSync } from 'node:fs'
import { it } from 'vitest'
import { judgeOtherServer } from './accusations.ts'
import { freedoms } from './freedoms.ts'

const only = process.env.KNOB
const rows = [['usual', {}], ...Object.entries(freedoms)] as const
it.each(rows.filter(([name]) => !only || new RegExp(only).test(name)))(
  '%s',
  async (name, choices) => {
    const start = Date.now()
    const { results, accusations } = await judgeOtherServer(choices)
    const count: Record<string, number> = {}
    for (const { outcome } of results) count[outcome] = (count[outcome] ?? 0) + 1
    const out = [
      `## ${name} ${Date.now() - start} ms ${JSON.stringify(count)}`,
      ...new Map(accusations.map((a) => [a.slice(0, 70), a.slice(0, 250).replace(/[^ -~]/g, '')])).values(),
    ]
    if (process.env.MORE)
      for (const { promise, outcome, reason, finding } of results)
        if (!['kept'].includes(outcome))
          out.push(
            `   ${promise} ${outcome} ${reason ?? ''} ${finding ? finding.expected + ' / ' + finding.actual + ' | ' + finding.asked?.join(', ') : ''}`.slice(
              0,
              400,
            ),
          )
    appendFileSync('/tmp/dev.txt', out.join('\n') + '\n')
  },
  300_000,
)

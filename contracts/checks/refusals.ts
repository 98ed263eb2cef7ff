import { operations } from '../../spec/operations.ts'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Answer } from '../../client/answer.ts'
import { eachVain, spoilt } from './each-operation.ts'
import { Inconclusive } from '../judge/outcome.ts'
import type { Asked } from '../../client/request.ts'
import type { Tools } from '../../client/tools.ts'

/** Two refusals of each operation: to whom it does not know, and of a request that is bad or in vain. */
export async function eachRefusal(tools: Tools, judge: (answer: Answer) => void): Promise<void> {
  await refusalsAmong(tools, judge, (refusal) =>
    eachVain(tools, async (operation, asked) => {
      await refusal(operation, { ...asked, who: 'nobody' })
      await refusal(operation, operations[operation].path.includes('{') ? asked : spoilt(asked))
    }),
  )
}

export type Refusal = (operation: OperationId, asked: Asked) => Promise<void>

/** Judges the refusals with a documented status, or with this one; what else there is breaks a promise of its own. */
export async function refusalsAmong(
  { call }: Tools,
  judge: (answer: Answer) => void,
  ask: (refusal: Refusal) => Promise<void>,
  statuses: readonly number[] = promise('error.statusIsDocumented').values,
): Promise<void> {
  let count = 0
  await ask(async (operation, asked) => {
    const answer = await call(operation, asked)
    if (!statuses.includes(answer.status) || answer.body === undefined) return
    count++
    judge(answer)
  })
  if (count === 0) throw new Inconclusive(`nothing was answered with ${statuses.join(', ')}`)
}

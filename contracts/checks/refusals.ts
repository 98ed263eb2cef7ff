import type { Answer } from '../../client/answer.ts'
import type { Input } from '../../client/request.ts'
import type { Tools } from '../../client/tools.ts'
import { operations } from '../../spec/operations.ts'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { earlierAnswers, pass } from './earlier-answers.ts'
import { spoil, withEachUnknown } from './each-operation.ts'

/**
 * Looks at two refusals of each operation, which may be those of an earlier check: without a credential, and of an
 * unknown record or an invalid body.
 */
export async function withEachRefusal(tools: Tools, look: (answer: Answer) => void): Promise<void> {
  const { refusals } = earlierAnswers(tools)
  if (pass(refusals, look)) return
  const looked: Answer[] = []
  const lookAt = (answer: Answer) => {
    look(answer)
    looked.push(answer)
  }
  await withRefusals(tools, lookAt, (refuse) =>
    withEachUnknown(tools, async (operation, input) => {
      await refuse(operation, { ...input, caller: 'nobody' })
      await refuse(operation, operations[operation].path.includes('{') ? input : spoil(input))
    }),
  )
  refusals.splice(0, refusals.length, ...looked)
}

export type Refuse = (operation: OperationId, input: Input) => Promise<void>

/** Looks at the refusals with one of these statuses; any other status is the concern of another promise. */
export async function withRefusals(
  { call }: Tools,
  look: (answer: Answer) => void,
  ask: (refuse: Refuse) => Promise<void>,
  statuses: readonly number[] = promise('error.statusIsDocumented').values,
): Promise<void> {
  let count = 0
  await ask(async (operation, input) => {
    const answer = await call(operation, input)
    if (!statuses.includes(answer.status) || answer.body === undefined) return
    count++
    look(answer)
  })
  if (count === 0) throw new Inconclusive(`nothing was answered with ${statuses.join(', ')}`)
}

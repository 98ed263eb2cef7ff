import { afterAll, expect, it } from 'vitest'
import type { Send } from '../../contracts/client/transport.ts'
import { startOwnTarget } from '../../cli/own-target.ts'
import type { PromiseId } from '../../spec/promises.ts'
import { resultsOf, send } from './deviants/suite.ts'

const own = await startOwnTarget()
afterAll(() => own.stop())

/** The outcome of each promise, and the number of its requests. */
async function judgeWith(promises: readonly PromiseId[], change = (text: string) => text) {
  let asked = 0
  const changing: Send = async (request, timeout) => {
    asked++
    const answer = await send(request, timeout)
    return request.url.endsWith('/companies/create') ? { ...answer, text: change(answer.text) } : answer
  }
  const judged = []
  for await (const { outcome, finding } of resultsOf(promises, own, changing)) {
    judged.push({ outcome, finding, asked })
    asked = 0
  }
  return judged
}

it.each<[PromiseId, PromiseId]>([
  ['envelope.successIsTrue', 'envelope.messageIsText'],
  ['access.keyOpensEveryOperation', 'envelope.pathsAreFixed'],
  ['error.successIsFalse', 'error.messageIsText'],
  ['error.successIsFalse', 'error.unauthorizedText'],
])('%s asks, and %s looks at the same answers', async (first, second) => {
  expect(await judgeWith([first, second])).toMatchObject([
    { outcome: 'kept', asked: expect.toSatisfy((count: number) => count > 30) as number },
    { outcome: 'kept', asked: 0 },
  ])
})

it('asks again where an earlier answer fails, so that the failure shows its request', async () => {
  const [, judgement] = await judgeWith(['envelope.successIsTrue', 'envelope.messageIsText'], (text) =>
    text.replace(/\}$/, ',"message":42}'),
  )
  expect(judgement).toMatchObject({
    outcome: 'broken',
    asked: 1,
    finding: { operation: 'createCompany', story: [{ line: expect.stringContaining('/api/companies') as string }] },
  })
})

import { expect } from 'vitest'
import { withEach, withoutCostlySends } from './each-operation.ts'
import { keeps } from './keeps.ts'

keeps('envelope.retriesAreSafe', async (given) => {
  const { ask, call, mint, observe, requirement } = given
  const retry = async (...[operation, input]: Parameters<typeof ask>) => {
    const keyed = { ...input, key: mint.key() }
    const first = (await ask(operation, keyed)).data as { readonly _id: string }
    const again = await call(operation, keyed)
    // That the retry is refused is safe too.
    const { _id } = again.succeeded ? again.data : first
    observe('repeatedKey', !again.succeeded ? 'refuse' : _id === first._id ? 'replay' : 'reexecute')
    expect(_id).toBe(first._id)
  }
  await withEach(given, retry, withoutCostlySends(given, requirement.operations))
  // Both at once: the second may come before the first is written down.
  const input = { body: given.some.product(), key: mint.key() }
  const both = await Promise.all([call('createProduct', input), call('createProduct', input)])
  const ids = both.flatMap((one) => (one.succeeded ? [one.data._id] : []))
  expect(new Set(ids).size).toBe(1)
})

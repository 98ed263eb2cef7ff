import { expect } from 'vitest'
import { withEach, withoutCostlySends } from './each-operation.ts'
import { keeps } from './keeps.ts'

keeps('envelope.retriesAreSafe', async (given) => {
  const { ask, call, mint, observe, requirement } = given
  const retry = async (...[operation, input]: Parameters<typeof ask>) => {
    const keyed = { ...input, key: mint.key() }
    const first = (await ask(operation, keyed)).data as { readonly _id: string }
    const { data, succeeded } = await call(operation, keyed)
    if (succeeded) expect(data).toMatchObject({ _id: first._id })
    // That the retry is refused is safe too.
    observe('repeatedKey', succeeded ? 'replay' : 'refuse')
  }
  await withEach(given, retry, withoutCostlySends(given, requirement.operations))
})

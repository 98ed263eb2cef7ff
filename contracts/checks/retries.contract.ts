import { expect } from 'vitest'
import type { Choice } from '../../spec/assumptions.ts'
import { keyRefusals } from '../../spec/choices.ts'
import { idOf } from '../client/answer.ts'
import { sleep } from '../client/sleep.ts'
import type { Tools } from '../client/tools.ts'
import { affordable } from '../client/operations.ts'
import { each } from './each-operation.ts'
import { countDeleted, createScene, repeatedBulkSend, takeKeyed } from './effects.ts'
import { keeps } from './keeps.ts'
import { unlessRefused } from './other-records.ts'

// The last check of a run, since a message that is queued twice may arrive late.

keeps('envelope.retriesAreSafe', async ({ ask, call, mint, observe, requirement, some }, context) => {
  const scene = createScene(context)
  const single = requirement.operations.filter((operation) => operation !== 'sendBulkMessages')
  await each(affordable(context, single), async (operation) => {
    const { input, another, record, email, count, id: first } = await takeKeyed(operation, context, scene)
    // A retry may arrive after another update.
    if (record) await ask(operation, await another())
    const before = await record?.()
    const again = await call(operation, input)
    // A refusal of the retry is safe too.
    const id = again.succeeded ? idOf(again.fields.data) : first
    const refused: Readonly<Partial<Record<number, Choice<'repeatedKey'>>>> = keyRefusals
    const choice = again.succeeded ? (id === first ? 'replay' : 'reexecute') : refused[again.status]
    if (operation === 'createProduct' && choice) observe('repeatedKey', choice)
    expect(id).toBe(first)
    expect(await record?.()).toEqual(before)
    const counts = email === undefined ? [(await count?.()) ?? 0] : await countDeleted(context, email)
    if (counts.length > 0) expect(Math.min(...counts)).toBeLessThanOrEqual(1)
  })
  await unlessRefused(() => expectOneDelivery(context))
  // At the same time: the second request may arrive before the server has stored the key of the first.
  const input = { body: some.product(), key: mint.key() }
  const both = await Promise.all([call('createProduct', input), call('createProduct', input)])
  const ids = both.flatMap((one) => (one.succeeded ? [one.data._id] : []))
  expect(new Set(ids).size).toBe(1)
})

/** The time after which a queued message counts as delivered once, in milliseconds. */
const longestDelivery = 2000

async function expectOneDelivery(tools: Tools): Promise<void> {
  if (!tools.target.loopback) return
  const { at, count } = await repeatedBulkSend(tools)
  if ((await count()) === 1) await sleep(at + longestDelivery - Date.now())
  expect(await count()).toBeLessThanOrEqual(1)
}

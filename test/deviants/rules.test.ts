import { expect, it } from 'vitest'
import { startOwnTarget } from '../../own-target.ts'
import { promises, type PromiseId } from '../../spec/promises.ts'
import { inTier, sampleOf } from '../tier.ts'
import type { Break } from './breaks.ts'
import { access } from './rules/access.ts'
import { bulkMessagesAndHistory } from './rules/bulk-messages-and-history.ts'
import { companies } from './rules/companies.ts'
import { contacts } from './rules/contacts.ts'
import { conversations } from './rules/conversations.ts'
import { deals } from './rules/deals.ts'
import { envelope } from './rules/envelope.ts'
import { errors } from './rules/errors.ts'
import { messages } from './rules/messages.ts'
import { products } from './rules/products.ts'
import { quotes } from './rules/quotes.ts'
import { templates } from './rules/templates.ts'
import { brokenIn, checked, resultsOf, send } from './suite.ts'

/** For each promise one rule of the mock, broken so that the promise does not hold. */
const brokenRules = {
  ...contacts,
  ...conversations,
  ...messages,
  ...bulkMessagesAndHistory,
  ...templates,
  ...companies,
  ...products,
  ...deals,
  ...quotes,
  ...access,
  ...envelope,
  ...errors,
} satisfies Record<PromiseId, Break>

// Each test starts a mock in which one rule is broken. The check of the promise has to notice.

const all = Object.entries(brokenRules) as [PromiseId, Break][]
const rows = sampleOf(all, inTier({ test: 10, ci: 80, nightly: all.length }))

it('there is one for each promise', () => {
  expect(Object.keys(brokenRules).toSorted()).toEqual(promises.map(({ id }) => id).toSorted())
})

it.each(rows)('the suite finds %s broken', async (promise, breakRule) => {
  const mend = breakRule()
  try {
    const seen = await promisesSeenBroken([promise])
    expect(seen).toContain(promise)
  } finally {
    mend()
  }
})

it('the suite finds no broken promise once every rule is restored', async () => {
  expect(await promisesSeenBroken(checked)).toEqual([])
})

/** The promises that these checks find broken in a mock started now. */
async function promisesSeenBroken(ids: readonly PromiseId[]): Promise<PromiseId[]> {
  const own = await startOwnTarget()
  try {
    const seen: PromiseId[] = []
    for await (const result of resultsOf(ids, own, send)) seen.push(...brokenIn(result))
    return seen
  } finally {
    await own.stop()
  }
}

import { expect, it } from 'vitest'
import { promises, type PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'
import { inTier, sampleOf } from '../../tier.ts'
import { type Break, changeStatus, refuseWhen } from './breaks.ts'
import { access } from './rules/access.ts'

import { contacts, conversations } from './rules/contacts.ts'

import { envelope, errors } from './rules/envelope.ts'

import { bulkMessagesAndHistory, messages } from './rules/messages.ts'
import { records } from './rules/records.ts'
import { templates } from './rules/templates.ts'
import { brokenIn, checked, resultsOf, send, withOwnTarget } from './suite.ts'

/** The same break for each promise of this pattern, which is about one operation. */
const forEach = (pattern: RegExp, breakRule: (operation: OperationId, status: number) => Break) =>
  Object.fromEntries(
    promises.flatMap(({ id, operations: [operation], status = 0 }) =>
      pattern.test(id) ? [[id, breakRule(operation as OperationId, status)]] : [],
    ),
  )

/** For each promise a rule of the mock that is broken, or several in turn, so that the promise does not hold. */
const brokenRules: Readonly<Partial<Record<PromiseId, Break | readonly Break[]>>> = {
  ...forEach(/Answers20\d$/, (operation, status) => changeStatus(operation, status === 200 ? 202 : 200)),
  ...forEach(/updateMayBeEmpty$/, (operation) =>
    refuseWhen(
      operation,
      (body?: object) => Object.keys(body ?? {}).filter((field) => field !== 'templateType').length === 0,
    ),
  ),
  ...contacts,
  ...conversations,
  ...messages,
  ...bulkMessagesAndHistory,
  ...templates,
  ...records,
  ...access,
  ...envelope,
  ...errors,
}

const all = Object.entries(brokenRules).flatMap(([id, breaks]) =>
  [breaks].flat().map((breakRule, index): [PromiseId, number, Break] => [id as PromiseId, index + 1, breakRule]),
)

it('each promise has a broken rule', () =>
  expect(Object.keys(brokenRules).toSorted()).toEqual(promises.map(({ id }) => id).toSorted()))

it.each(sampleOf(all, inTier({ test: 10, ci: all.length })))(
  'the suite finds %s broken, rule %i',
  async (promise, _, breakRule) => {
    const mend = breakRule()
    try {
      expect(await promisesFoundBroken([promise])).toContain(promise)
    } finally {
      mend()
    }
  },
)

it('the suite finds no broken promise once every rule is restored', async () => {
  expect(await promisesFoundBroken(checked)).toEqual([])
})

/** The promises that these checks find broken in a mock that starts now. */
const promisesFoundBroken = (ids: readonly PromiseId[]) =>
  withOwnTarget(async (own) => {
    const found: PromiseId[] = []
    for await (const result of resultsOf(ids, own, send)) found.push(...brokenIn(result))
    return found
  })

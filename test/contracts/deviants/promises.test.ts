import { expect, it } from 'vitest'
import { judgeOtherServer } from '../other-server/accusations.ts'
import { promises, type PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'
import { changeStatus, type Deviant, refuseWhen } from './deviant.ts'
import { contacts, conversations } from './contacts.ts'
import { access, envelope, errors } from './envelope.ts'
import { bulkMessagesAndHistory, messages } from './messages.ts'
import { records } from './records.ts'
import { templates } from './templates.ts'
import { brokenIn } from './suite.ts'

/** The same deviant for each promise of this pattern, which is about one operation. */
const forEach = (pattern: RegExp, deviate: (operation: OperationId, status: number) => Deviant) =>
  Object.fromEntries(
    promises.flatMap(({ id, operations: [operation], status = 0 }) =>
      pattern.test(id) ? [[id, deviate(operation as OperationId, status)]] : [],
    ),
  )

/** For each promise a server that breaks it, or several. */
const deviants: Readonly<Partial<Record<PromiseId, Deviant | readonly Deviant[]>>> = {
  ...forEach(/Answers20\d$/, (operation, status) => changeStatus(operation, status === 200 ? 202 : 200)),
  ...forEach(/updateMayBeEmpty$/, (operation) =>
    refuseWhen(operation, (body) => Object.keys(body).filter((field) => field !== 'templateType').length === 0),
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

const all = Object.entries(deviants).flatMap(([id, each]) =>
  [each].flat().map((deviant, index): [PromiseId, number, Deviant] => [id as PromiseId, index + 1, deviant]),
)

it('each promise has a deviant', () =>
  expect(Object.keys(deviants).toSorted()).toEqual(promises.map(({ id }) => id).toSorted()))

it.each(all)('the suite finds %s broken, deviant %i', async (promise, _, deviant) => {
  expect(await promisesFoundBroken([promise], deviant)).toContain(promise)
})

it('the suite finds no broken promise on the same server without a deviation', async () => {
  expect(await promisesFoundBroken(undefined, {})).toEqual([])
})

/** The promises that these checks find broken, by default all checks. */
async function promisesFoundBroken(ids: readonly PromiseId[] | undefined, deviant: Deviant): Promise<PromiseId[]> {
  const { results } = await judgeOtherServer(
    { repeatedKey: 'replayed', bulkAfter: 0 },
    {},
    { ...deviant, ...(ids ? { ids } : {}) },
  )
  return results.flatMap(brokenIn)
}

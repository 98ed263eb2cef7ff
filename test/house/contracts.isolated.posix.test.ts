import { expect, it, vi } from 'vitest'
import { Answer } from '../../contracts/client/answer.ts'
import { promisedFor } from '../../contracts/judge/laws/document.ts'
import { operations } from '../../spec/operations.ts'
import { laws } from '../../contracts/judge/judge.ts'
import { promises, type PromiseId } from '../../spec/promises.ts'

const checked: PromiseId[] = []

// No promise belongs to the stories.
vi.doMock('../../contracts/checks/situations.contract.ts', () => ({}))
vi.doMock('../../contracts/checks/keeps.ts', () => ({ keeps: (id: PromiseId) => checked.push(id) }))
await import('../../contracts/checks/all.ts')

/** By a law, as part of the document about an answer, or as a rule for requests. */
const judged = new Set<PromiseId>([
  ...laws.flatMap((law) => law.promises),
  ...Object.values(operations).flatMap(({ id, statuses }) =>
    statuses.flatMap((status) => promisedFor(new Answer(id, status, '{}'))),
  ),
  ...promises.filter(({ kind }) => kind && ['missing', 'unlisted', 'value'].includes(kind)).map(({ id }) => id),
])

it('each promise has a check or a law, and no promise has two checks', () => {
  expect(promises.map(({ id }) => id).filter((id) => !checked.includes(id) && !judged.has(id))).toEqual([])
  expect(new Set(checked).size).toBe(checked.length)
})

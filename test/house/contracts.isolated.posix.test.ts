import { expect, it, vi } from 'vitest'
import { laws } from '../../contracts/judge/judge.ts'
import { promises, type PromiseId } from '../../spec/promises.ts'

const checked: PromiseId[] = []

// The stories are about no promise of their own.
vi.doMock('../../contracts/checks/situations/situations.contract.ts', () => ({}))
vi.doMock('../../contracts/checks/keeps.ts', () => ({ keeps: (id: PromiseId) => checked.push(id) }))
await import('../../contracts/checks/all.ts')

const judged = new Set<PromiseId>(laws.flatMap((law) => law.promises))

it('each promise has a check or a law, and no promise has two checks', () => {
  expect(promises.filter(({ id }) => !checked.includes(id) && !judged.has(id))).toEqual([])
  expect(new Set(checked).size).toBe(checked.length)
})

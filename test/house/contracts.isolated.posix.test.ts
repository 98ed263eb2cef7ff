import { expect, it, vi } from 'vitest'
import { promises, type PromiseId } from '../../spec/promises.ts'

const checked: PromiseId[] = []

vi.doMock('../../contracts/checks/keeps.ts', () => ({ keeps: (id: PromiseId) => checked.push(id) }))
await import('../../contracts/checks/all.ts')

it('each promise has one check', () => expect(checked.toSorted()).toEqual(promises.map(({ id }) => id).toSorted()))

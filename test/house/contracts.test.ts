import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it, vi } from 'vitest'
import { order } from '../../contracts/run.ts'
import { promises, type PromiseId } from '../../spec/promises.ts'

const folder = resolve(import.meta.dirname, '../../contracts/checks')
const files = readdirSync(folder).filter((file) => file.endsWith('.contract.ts'))
const checked: PromiseId[] = []

vi.doMock('../../contracts/checks/keeps.ts', () => ({ keeps: (id: PromiseId) => checked.push(id) }))
for (const file of files) await import(join(folder, file))

it('each promise has one check', () => expect(checked.toSorted()).toEqual(promises.map(({ id }) => id).toSorted()))

it('the order of a run names each file of checks', () =>
  expect(files.map((file) => file.replace('.contract.ts', '')).toSorted()).toEqual(order.toSorted()))

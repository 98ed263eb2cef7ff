import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Changes } from '../../mock/control/changes.ts'

it('notifies the subscribers of a team and of all teams, once per tick', async () => {
  const changes = new Changes()
  const notified: (string | undefined)[] = []
  for (const team of ['acme', 'globex', undefined]) changes.subscribe(team, () => notified.push(team))
  for (let change = 0; change < 100; change++) changes.notify('acme')
  await setImmediate()
  await setImmediate()
  expect(notified).toEqual(['acme', undefined])
  changes.notifyAll()
  await setImmediate()
  await setImmediate()
  expect(notified.slice(2).toSorted()).toEqual(['acme', 'globex', undefined])
})

it('reads again after a change during a read', async () => {
  const changes = new Changes()
  const values = [0, 1]
  const read = async () => {
    const value = values.shift()
    changes.notify('acme')
    await setImmediate()
    return value
  }
  expect(await changes.until('acme', 10_000, read, (value) => value === 1)).toBe(1)
})

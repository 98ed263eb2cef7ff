import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Changes } from '../../mock/control/changes.ts'

it('notifies the subscribers of a team and of all teams', () => {
  const changes = new Changes()
  const notified: (string | undefined)[] = []
  for (const team of ['acme', 'globex', undefined]) changes.subscribe(team, () => notified.push(team))
  changes.notify('acme')
  expect(notified).toEqual(['acme', undefined])
  changes.notifyAll()
  expect(notified.slice(2)).toEqual(['acme', 'globex', undefined])
})

it('reads once after several changes', async () => {
  const changes = new Changes()
  let reads = 0
  const found = changes.until(
    'acme',
    10_000,
    () => ++reads,
    (count) => count === 2,
  )
  await setImmediate()
  for (let change = 0; change < 100; change++) changes.notify('acme')
  expect(await found).toBe(2)
  expect(reads).toBe(2)
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

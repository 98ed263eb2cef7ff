import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { mapSlices, newPause, stepsInARow } from '../../lib/pause.ts'

it('lets others run after so many steps, and makes no promise before', async () => {
  const pause = newPause()
  for (let round = 0; round < 3; round++) {
    for (let step = 1; step < stepsInARow; step++) expect(pause()).toBeUndefined()
    await expect(pause()).resolves.toBeUndefined()
  }
})

it('counts a long step as several', () => {
  const pause = newPause()
  expect(pause(stepsInARow - 1)).toBeUndefined()
  expect(pause(0.5)).toBeUndefined()
  expect(pause(0.5)).toBeInstanceOf(Promise)
  expect(pause(10 * stepsInARow)).toBeInstanceOf(Promise)
  expect(pause()).toBeUndefined()
})

it('continues one of several long works in each turn', async () => {
  let [turns, isDone] = [0, false]
  const works = Array.from({ length: 10 }, async () => {
    const pause = newPause()
    for (let part = 0; part < 5; part++) await pause(stepsInARow)
  })
  const count = async () => {
    for (; !isDone; turns++) await setImmediate()
  }
  const counted = count()
  await Promise.all(works).finally(() => (isDone = true))
  await counted
  expect(turns).toBeGreaterThanOrEqual(50)
})

it('maps a list in order, and no more than the steps of a turn at once', async () => {
  const items = Array.from({ length: 2 * stepsInARow + 1 }, (_, at) => at)
  const slices: number[] = []
  const doubled = await mapSlices(items, (slice) => {
    slices.push(slice.length)
    return slice.map((item) => 2 * item)
  })
  expect(doubled).toEqual(items.map((item) => 2 * item))
  expect(slices).toEqual([stepsInARow, stepsInARow, 1])
})

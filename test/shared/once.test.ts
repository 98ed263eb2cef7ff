import { expect, it } from 'vitest'
import { once } from '../../shared/once.ts'

it('makes a value once, and what failed again', async () => {
  let attempts = 0
  const read = once(async () => {
    await Promise.resolve()
    if (++attempts < 3) throw new Error(`attempt ${attempts} failed`)
    return `attempt ${attempts}`
  })
  await expect(read()).rejects.toThrow('attempt 1 failed')
  await expect(read()).rejects.toThrow('attempt 2 failed')
  expect([await read(), await read()]).toEqual(['attempt 3', 'attempt 3'])
})

it('tries again what throws at once', () => {
  let attempts = 0
  const read = once(() => {
    if (++attempts === 1) throw new Error('not yet')
    return attempts
  })
  expect(read).toThrow('not yet')
  expect([read(), read()]).toEqual([2, 2])
})

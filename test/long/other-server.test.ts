import { describe, expect, it } from 'vitest'
import { accuse } from '../other-server/accusations.ts'
import { combine } from '../other-server/combinations.ts'
import { freedoms } from '../other-server/freedoms.ts'

// A server that was written from the specification alone fills its gaps in many ways. None of them is a broken promise.

describe('Nothing is called broken', () => {
  it('there are at least 60 freedoms', () => {
    expect(Object.keys(freedoms).length).toBeGreaterThanOrEqual(60)
  })

  it.each(Object.entries(freedoms))('when %s', async (_, choices) => {
    expect(await accuse(choices)).toEqual([])
  })

  it.each(Array.from({ length: 100 }, (_, index) => index + 1))('in combination %i', async (seed) => {
    const { names, choices } = combine(seed)
    expect({ names, accusations: await accuse(choices) }).toEqual({ names, accusations: [] })
  })
})

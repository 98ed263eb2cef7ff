import { describe, expect, it } from 'vitest'
import { accuse, judgeOverHttp } from '../other-server/accusations.ts'
import { combine } from '../other-server/combinations.ts'
import { freedoms } from '../other-server/freedoms.ts'
import { freedomsOfTheWire } from '../other-server/wire-knobs.ts'

// A server that was written from the specification alone fills its gaps in many ways. None of them is a broken promise.

/** More of them by `COMBINATIONS=100`, others by `FIRST_COMBINATION=101`. */
const first = Number(process.env.FIRST_COMBINATION ?? 1)
const combinations = Array.from({ length: Number(process.env.COMBINATIONS ?? 20) }, (_, index) => first + index)

describe('Nothing is called broken', () => {
  it('there are at least 200 freedoms', () => {
    expect(Object.keys(freedoms).length).toBeGreaterThanOrEqual(200)
  })

  it.each(Object.entries(freedoms))('when %s', async (_, choices) => {
    expect(await accuse(choices)).toEqual([])
  })

  it.each(Object.entries(freedomsOfTheWire))('over HTTP when %s', async (_, choices) => {
    expect(await accuse(choices, judgeOverHttp)).toEqual([])
  })

  it.each(combinations)('in combination %i', async (seed) => {
    const { names, choices } = combine(seed)
    expect({ names, accusations: await accuse(choices) }).toEqual({ names, accusations: [] })
  })
})

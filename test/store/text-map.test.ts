import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TextMap } from '../../mock/store/text-map.ts'

const text = fc.constantFrom(...Array.from({ length: 50 }, (_, at) => `text ${at}`), '', '__proto__')
const deed = fc.record({ text, value: fc.option(fc.nat()) })

it.each([0, 16_380, 40_000])('holds what a map would, with %i texts in it before', (before) => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 100 }), (deeds) => {
      const spread = new TextMap<number>()
      const plain = new Map<string, number>()
      const set = (key: string, value: number) => {
        spread.set(key, value)
        plain.set(key, value)
      }
      for (let at = 0; at < before; at++) set(`before ${at}`, at)
      for (const { text, value } of deeds) {
        if (value === null) {
          spread.delete(text)
          plain.delete(text)
        } else set(text, value)
        expect([spread.get(text), spread.has(text), spread.size]).toEqual([
          plain.get(text),
          plain.has(text),
          plain.size,
        ])
      }
      expect(spread.values().toSorted()).toEqual([...plain.values()].toSorted())
    }),
    { numRuns: 30 },
  )
})

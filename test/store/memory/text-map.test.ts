import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TextMap } from '../../../mock/store/memory/text-map.ts'

const text = fc.constantFrom(
  ...Array.from({ length: 50 }, (_, at) => `text ${at}`),
  '',
  '__proto__',
  'ä',
  'text 1'.repeat(99),
)
const step = fc.record({ what: fc.constantFrom('set', 'add', 'delete'), text, value: fc.nat() })

it.each([0, 40_000])('holds what a Map would, with %i texts in it before', (before) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const texts = new TextMap<number>()
      const plain = new Map<string, number>()
      for (let at = 0; at < before; at++) {
        texts.set(`before ${at}`, at)
        plain.set(`before ${at}`, at)
      }
      for (const { what, text, value } of steps) {
        const known = plain.get(text)
        if (what === 'delete') {
          texts.delete(text)
          plain.delete(text)
        } else if (what === 'set') {
          texts.set(text, value)
          plain.set(text, value)
        } else {
          expect(texts.add(text, value)).toBe(known)
          plain.set(text, known ?? value)
        }
        expect([texts.get(text), texts.has(text), texts.size]).toEqual([plain.get(text), plain.has(text), plain.size])
      }
      expect(texts.values().toSorted()).toEqual([...plain.values()].toSorted())
      expect([...plain].filter(([text, value]) => texts.get(text) !== value)).toEqual([])
    }),
    { numRuns: 30 },
  )
})

it('finds each of so many texts that some have the same hash, also when those around it are deleted', () => {
  const all = Array.from({ length: 300_000 }, (_, at) => `${Math.random()} ${at}`)
  const isKept = (_text: string, at: number) => at % 7 === 0
  const texts = new TextMap<string>()
  for (const text of all) texts.set(text, text)
  expect(all.filter((text) => texts.get(text) !== text)).toEqual([])
  all.forEach((text, at) => {
    if (!isKept(text, at)) texts.delete(text)
  })
  expect(all.filter((text) => texts.has(text))).toEqual(all.filter(isKept))
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Filed, RecordList } from '../../../mock/store/memory/record-list.ts'

const filedAt = (place: number): Filed<string> => ({ place, record: `record ${place}` })

const step = fc.record({ removes: fc.boolean(), at: fc.nat(5) })

it('holds what a sorted array would, whatever is added and removed', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.array(step, { maxLength: 200 }), (length, steps) => {
      const plain = Array.from({ length }, (_, at) => filedAt(at + 1))
      const list = new RecordList(...plain)
      const removed: Filed<string>[] = []
      let lastPlace = length
      for (const { removes, at } of steps) {
        const filed = removes ? plain[at] : (removed.pop() ?? filedAt(++lastPlace))
        if (!filed) continue
        if (removes) {
          list.remove(filed)
          plain.splice(at, 1)
          removed.push(filed)
        } else {
          list.add(filed)
          plain.push(filed)
          plain.sort((one, other) => one.place - other.place)
        }
        expect([list.length, list.at(0), list.at(list.length - 1)]).toEqual([plain.length, plain[0], plain.at(-1)])
      }
      expect(list.slice()).toEqual(plain)
      expect(list.slice(2, 5)).toEqual(plain.slice(2, 5))
      for (let place = 0; place <= lastPlace + 1; place++) {
        expect(list.positionOf(place)).toBe(plain.filter((filed) => filed.place < place).length)
      }
    }),
    { numRuns: 300 },
  )
})

it('loses the oldest of very many in no time', { timeout: 10_000 }, () => {
  const list = new RecordList<string>()
  const count = 400_000
  for (let place = 1; place <= count; place++) list.add(filedAt(place))
  for (let place = 1; place < count; place++) list.remove(filedAt(place))
  expect(list.slice()).toEqual([filedAt(count)])
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pageOf } from '../../../mock/store/memory/page-of-lists.ts'
import { RecordList } from '../../../mock/store/memory/record-list.ts'

const part = fc.record({ skip: fc.nat(400), take: fc.nat(50), order: fc.constantFrom('newestFirst', 'oldestFirst') })

it('reads several lists as if they were one, wherever the page begins', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(6), { maxLength: 400 }), part, (lists, part) => {
      const filed = lists.map((list, at) => ({ list, place: 3 * at + 1, record: at }))
      const split = Array.from(
        { length: 7 },
        (_, which) => new RecordList(...filed.filter(({ list }) => list === which)),
      )
      const all = filed.map(({ record }) => record)
      const ordered = part.order === 'oldestFirst' ? all : all.toReversed()
      expect(pageOf(split, part)).toEqual({
        total: all.length,
        records: ordered.slice(part.skip, part.skip + part.take),
      })
    }),
    { numRuns: 500 },
  )
})

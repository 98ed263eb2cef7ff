import type { Page, Part } from '../port.ts'
import type { Filed, RecordList } from './record-list.ts'

type Lists<Record> = readonly RecordList<Record>[]

/** A part of several lists as if they were one, in the order of creation. */
export function pageOf<Record>(lists: Lists<Record>, { skip, take, order }: Part): Page<Record> {
  const total = lengthOf(lists)
  const [from, to] =
    order === 'oldestFirst'
      ? [Math.min(skip, total), Math.min(skip + take, total)]
      : [Math.max(0, total - skip - take), Math.max(0, total - skip)]
  const records = between(lists, from, to, total).map((filed) => filed.record)
  return { total, records: order === 'oldestFirst' ? records : records.reverse() }
}

export const lengthOf = (lists: Lists<unknown>) => lists.reduce((sum, list) => sum + list.length, 0)

/** The records `from` to `to` of all lists together, read from the end that is nearer. */
function between<Record>(lists: Lists<Record>, from: number, to: number, total: number): Filed<Record>[] {
  const [only, ...others] = lists
  if (only && others.length === 0) return only.slice(from, to)
  return from < total - to
    ? readOn(lists, positionsAfter(from, lists, total), to - from, 1)
    : readOn(lists, positionsAfter(to, lists, total), to - from, -1).reverse()
}

/** The next records on either side of these positions. */
function readOn<Record>(lists: Lists<Record>, positions: number[], count: number, step: 1 | -1): Filed<Record>[] {
  const found: Filed<Record>[] = []
  const beside = step === 1 ? 0 : -1
  while (found.length < count) {
    let next: Filed<Record> | undefined
    let from = 0
    lists.forEach((list, which) => {
      const candidate = list.at((positions[which] ?? 0) + beside)
      if (candidate && (!next || (candidate.place - next.place) * step < 0)) {
        next = candidate
        from = which
      }
    })
    if (!next) break
    found.push(next)
    positions[from] = (positions[from] ?? 0) + step
  }
  return found
}

/** Where each list stands once so many records of all lists together have been read. It reads few of them. */
function positionsAfter(count: number, lists: Lists<unknown>, total: number): number[] {
  let after = lists.map((list) => list.length)
  let before = lists.map(() => 0)
  if (count === 0) return before
  if (count === total) return after
  let low = 0
  let high = Math.max(...lists.map((list) => (list.at(list.length - 1)?.place ?? 0) + 1))
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const positions = lists.map((list, which) => list.positionOf(middle, before[which], after[which]))
    const passed = positions.reduce((sum, position) => sum + position, 0)
    if (passed === count) return positions
    if (passed < count) {
      low = middle + 1
      before = positions
    } else {
      high = middle
      after = positions
    }
  }
  return after
}

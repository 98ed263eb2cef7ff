import type { Walker } from './walker.ts'

interface Page {
  readonly page: number
  readonly limit: number
}

/** A page of a list, most often the first one. */
export function pageOf(walker: Walker): Page {
  const limit = walker.oneOf([10, 10, 100, 100, 3, 2, 5])
  return { page: walker.chance(65) ? 1 : 2, limit }
}

/** All pages of a list with so many items, and the one behind the last. */
export function allPages(items: number, limit: number): readonly Page[] {
  const last = Math.min(Math.ceil(items / limit), 4)
  return Array.from({ length: last + 1 }, (_, index) => ({ page: index + 1, limit }))
}

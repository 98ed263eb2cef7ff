import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { NotFound, refuse } from '../replies.ts'
import type { Part } from '../store/port.ts'

/** Which part of a list is asked for, counted in pages. */
export interface PageAsked {
  readonly page: number
  readonly limit: number
}

const largest = 100

/** The page as it is given: how long one may be is not documented. */
export function allowedPage({ page, limit }: PageAsked, assumed: Assumed): PageAsked {
  return { page, limit: limit > largest ? largestLimit[assumed.largestLimit](limit, assumed) : limit }
}

const largestLimit: ByChoice<'largestLimit', (limit: number, assumed: Assumed) => number> = {
  hundred: (_limit, assumed) => limitAboveLargest[assumed.limitAboveLargest](),
  unlimited: (limit) => limit,
}

const limitAboveLargest: ByChoice<'limitAboveLargest', () => number> = {
  refused: () => refuse(`limit must be a whole number from 1 to ${largest}`),
  clamped: () => largest,
}

export const placeOf = ({ page, limit }: PageAsked): Pick<Part, 'skip' | 'take'> => ({
  skip: (page - 1) * limit,
  take: limit,
})

export interface Counts {
  readonly currentPage: number
  readonly totalPages: number
  readonly hasMore: boolean
}

/**
 * promise message.historyTotalPages, template.listTotalPages: as many pages as it takes to read it all.
 * promise message.historyHasMore, template.listHasMore: more follows on every page before the last.
 */
export function countsOf({ page, limit }: PageAsked, total: number, assumed: Assumed): Counts {
  const pages = Math.ceil(total / limit)
  if (page > Math.max(pages, 1)) historyPageBeyond[assumed.historyPageBeyond]()
  const totalPages = pages === 0 ? emptyTotalPages[assumed.emptyTotalPages] : pages
  return { currentPage: page, totalPages, hasMore: page < pages }
}

const historyPageBeyond: ByChoice<'historyPageBeyond', () => void> = {
  empty: () => undefined,
  notFound: () => {
    throw new NotFound()
  },
}

const emptyTotalPages: ByChoice<'emptyTotalPages', number> = { zero: 0, one: 1 }

import type { ByChoice } from '../../spec/assumptions.ts'
import { NotFound, refuse } from '../core/refusals.ts'
import type { Transaction } from '../core/transaction.ts'
import type { Part } from '../store/port.ts'

export interface PageRequest {
  readonly page: number
  readonly limit: number
}

interface PageCounts {
  readonly currentPage: number
  readonly totalPages: number
  readonly hasMore: boolean
}

/**
 * promise message.historyTotalPages, template.listTotalPages: totalPages is the number of pages that it takes to read
 * everything.
 * promise message.historyHasMore, template.listHasMore: hasMore is true on every page before the last, and false on the
 * last.
 */
export function countPages({ page, limit }: PageRequest, total: number, { assumed }: Transaction): PageCounts {
  const pages = Math.ceil(total / limit)
  if (page > Math.max(pages, 1)) historyPageBeyond[assumed.historyPageBeyond]()
  const totalPages = pages === 0 ? emptyTotalPages[assumed.emptyTotalPages] : pages
  return { currentPage: page, totalPages, hasMore: page < pages }
}

const historyPageBeyond: ByChoice<'historyPageBeyond', () => void> = {
  empty: () => undefined,
  notFound: () => {
    throw new NotFound({ assumption: 'historyPageBeyond', field: 'page' })
  },
}

const emptyTotalPages: ByChoice<'emptyTotalPages', number> = { zero: 0, one: 1 }

const maxLimit = 100

/** The specification does not say how long a page may be. */
export function limitPage({ page, limit }: PageRequest, tx: Transaction): PageRequest {
  return { page, limit: limit > maxLimit ? largestLimit[tx.assumed.largestLimit](limit, tx) : limit }
}

const largestLimit: ByChoice<'largestLimit', (limit: number, tx: Transaction) => number> = {
  hundred: (_limit, { assumed }) => limitAboveLargest[assumed.limitAboveLargest](),
  unlimited: (limit) => limit,
}

const limitAboveLargest: ByChoice<'limitAboveLargest', () => number> = {
  refused: () =>
    refuse(`limit must be a whole number from 1 to ${maxLimit}`, { assumption: 'limitAboveLargest', field: 'limit' }),
  clamped: () => maxLimit,
}

export const toSkipAndTake = ({ page, limit }: PageRequest): Pick<Part, 'skip' | 'take'> => ({
  skip: (page - 1) * limit,
  take: limit,
})

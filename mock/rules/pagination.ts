import { NotFound } from '../core/refusals.ts'
import type { Transaction } from '../core/transaction.ts'
import type { Part } from '../store/port.ts'
import { refuseIf } from './refuse.ts'

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
  if (page > Math.max(pages, 1) && assumed.historyPageBeyond === 'notFound')
    throw new NotFound({ assumption: 'historyPageBeyond', field: 'page' })
  const totalPages = pages === 0 && assumed.emptyTotalPages === 'one' ? 1 : pages
  return { currentPage: page, totalPages, hasMore: page < pages }
}

const maxLimit = 100

/** The specification does not say how long a page may be. */
export function limitPage({ page, limit }: PageRequest, { assumed }: Transaction): PageRequest {
  if (limit <= maxLimit || assumed.largestLimit === 'unlimited') return { page, limit }
  const sentence = `limit must be a whole number from 1 to ${maxLimit}`
  refuseIf(assumed, 'largestLimit', 'refusedAboveHundred', sentence, 'limit')
  return { page, limit: maxLimit }
}

export const toSkipAndTake = ({ page, limit }: PageRequest): Pick<Part, 'skip' | 'take'> => ({
  skip: (page - 1) * limit,
  take: limit,
})

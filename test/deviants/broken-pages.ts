import * as pages from '../../mock/rules/pagination.ts'
import { type Break, replaceIn } from './broken-places.ts'

// The history of a conversation and the list of templates count their pages by the same rule.

type PageCounts = ReturnType<typeof pages.countPages>

/** Lists describe their pages in another way. */
export function changeCounts(
  change: (counts: PageCounts, asked: pages.PageRequest, total: number) => Partial<PageCounts>,
): Break {
  return replaceIn(pages, 'countPages', (original) => (asked, total, turn) => {
    const counts = original(asked, total, turn)
    return { ...counts, ...change(counts, asked, total) }
  })
}

export const pagesFromZero = changeCounts(({ currentPage }) => ({ currentPage: currentPage - 1 }))

export const oneMorePage = changeCounts(({ currentPage, totalPages }) => ({ hasMore: currentPage <= totalPages }))

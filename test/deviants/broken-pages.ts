import * as pages from '../../mock/rules/page-of-a-list.ts'
import { type Break, replaceIn } from './broken-places.ts'

// The history of a conversation and the list of templates count their pages by the same rule.

/** What a list says of its pages. */
export function changeCounts(
  change: (counts: pages.Counts, asked: pages.PageAsked, total: number) => Partial<pages.Counts>,
): Break {
  return replaceIn(pages, 'countsOf', (original) => (asked, total, turn) => {
    const counts = original(asked, total, turn)
    return { ...counts, ...change(counts, asked, total) }
  })
}

export const pagesFromZero = changeCounts(({ currentPage }) => ({ currentPage: currentPage - 1 }))

export const oneMorePage = changeCounts(({ currentPage, totalPages }) => ({ hasMore: currentPage <= totalPages }))

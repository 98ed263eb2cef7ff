import { readdirSync, readFileSync } from 'node:fs'

/** An example in a page: a fenced block, and what the comment before it says of it. */
export interface Example {
  readonly line: number
  readonly language: string
  readonly code: string
  /** Why it cannot be run here: `<!-- not run: … -->`. */
  readonly notRun?: string
  /** What is wrong with it, since it shows what is refused: `<!-- refused: … -->`. */
  readonly refused?: string
}

export function pagesWithExamples(): string[] {
  const pages = ['README.md', ...readdirSync('docs').map((file) => `docs/${file}`)]
  return pages.filter((page) => examplesIn(page).length > 0)
}

const fenced = /(?:^<!-- (not run|refused): (.+) -->\n\n)?^```(\w*)\n([^]*?)^```$/gm

export function examplesIn(page: string): Example[] {
  const text = readFileSync(page, 'utf8')
  return [...text.matchAll(fenced)].map(
    ({ 0: whole, 1: mark, 2: why = '', 3: language = '', 4: code = '', index }) => ({
      line: text.slice(0, index + whole.indexOf('```')).split('\n').length,
      language,
      code,
      ...(mark === 'not run' ? { notRun: why } : {}),
      ...(mark === 'refused' ? { refused: why } : {}),
    }),
  )
}

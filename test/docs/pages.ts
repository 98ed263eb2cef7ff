import { readdirSync, readFileSync } from 'node:fs'

export function pages(): string[] {
  return ['README.md', ...readdirSync('docs').map((file) => `docs/${file}`)]
}

/** A fenced code block of a page. */
export interface Example {
  readonly line: number
  readonly language: string
  readonly code: string
  /** The reason why it is not run, from the comment before it: `<!-- not run: … -->`. */
  readonly notRun?: string
  /** The mistake in an example that must be refused: `<!-- refused: … -->`. */
  readonly refused?: string
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

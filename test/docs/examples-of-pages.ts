import { readdirSync, readFileSync } from 'node:fs'

export function pages(): string[] {
  return [
    'README.md',
    'docs/skills/crm-sandbox/SKILL.md',
    ...readdirSync('docs')
      .filter((file) => /\.(?:md|txt)$/.test(file))
      .map((file) => `docs/${file}`),
  ]
}

/** A fenced code block of a page. */
export interface Example {
  readonly line: number
  readonly language: string
  readonly code: string
  /** The reason why the tests do not run it, from the comment before it: `<!-- not run: … -->`. */
  readonly notRun: string | undefined
}

const fenced = /(?:^<!-- not run: (.+) -->\n\n)?^```(\w*)\n([^]*?)^```$/gm

export function examplesIn(page: string): Example[] {
  const text = readFileSync(page, 'utf8')
  return [...text.matchAll(fenced)].map(({ 0: block, 1: notRun, 2: language = '', 3: code = '', index }) => ({
    line: text.slice(0, index + block.indexOf('```')).split('\n').length,
    language,
    code,
    notRun,
  }))
}

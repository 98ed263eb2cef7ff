/** One line that contains no Markdown and no HTML. */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>|#~]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A block of code, with a fence longer than any in the text. */
export function toCodeBlock(text: string): string[] {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1))
  return [`${fence}text`, text, fence]
}

/** How many backticks the text has in a row at most. */
export const longestTicks = (text: string) => Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))

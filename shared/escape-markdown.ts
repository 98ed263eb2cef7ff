/** One line that contains no Markdown and no HTML. */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>|#~]/g, (character) => `&#${character.charCodeAt(0)};`)
}

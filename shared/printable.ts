/** A text in quotes, cut when it is long; characters that cannot be seen, or that reorder others, are escaped. */
export function quote(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return JSON.stringify(short).replace(invisible, escapeCharacter)
}

/** A name that a caller chose: as it is when it is a plain word, else in quotes. */
export function quoteUnlessPlain(name: string): string {
  return /^[\w$-]{1,60}$/.test(name) ? name : quote(name)
}

/** A text for a terminal: whatever a terminal would act on becomes `?`, but for line ends. */
export function withoutControls(text: string): string {
  return text.replace(/(?!\n)\p{C}/gu, '?')
}

const invisible = /[\p{C}\p{Zl}\p{Zp}]/gu

const escapeCharacter = (character: string) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`

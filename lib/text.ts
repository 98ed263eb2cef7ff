/** Quotes and shortens a text, and escapes invisible and bidirectional characters. */
export function quote(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return JSON.stringify(short).replace(invisible, escapeCharacter)
}

/** Quotes a name unless it is a plain word. */
export function quoteUnlessPlain(name: string): string {
  return /^[\w$-]{1,60}$/.test(name) ? name : quote(name)
}

/** Within a text in quotes: escapes the characters that a terminal would act on. */
export function escapeInvisible(text: string): string {
  return text.replace(invisible, (character) =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

/** Replaces control characters other than line feeds by `?`. */
export function withoutControls(text: string): string {
  return text.replace(/(?!\n)\p{C}/gu, '?')
}

export const invisible = /[\p{C}\p{Zl}\p{Zp}]/gu

const escapeCharacter = (character: string) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`

/** Escapes line breaks, since a CI system may run a line as a workflow command. */
export const oneLine = (text: string) => text.replace(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, '\\n')

/** Removes terminal control characters and CI workflow commands such as `::error::` or `##[error]`. */
export const plainLines = (text: string) => withoutCommands(withoutControls(text))

export const withoutCommands = (text: string) => text.replace(/^(\s*)(?=::)/gm, '$1. ').replace(/##(?=\w*\[)/g, '# #')

/** A sentence as a part of another one. */
export const withoutPeriod = (text: string) => text.replace(/\.$/, '')

/** Ends a sentence with a period, unless it is a question. */
export const withPeriod = (text: string) => (text.endsWith('?') ? text : `${text}.`)

export const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Such as `1 guess` or `2 guesses`. */
export const pluralize = (count: number, one: string, several = `${one}s`) => `${count} ${count === 1 ? one : several}`

/** The words of a name in code: `bulk sends` for `bulkSends`. */
export const wordsOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** The word for one record of a kind: `company` for `companies`. */
export const singularOf = (kind: string) => wordsOf(kind).replace(/ies$/, 'y').replace(/s$/, '')

/** Quotes a text for a POSIX shell. */
export const quoteForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A text without regard to case and accents. */
function fold(text: string): string {
  const lowerCase = text.toLowerCase()
  return /[^\0-\x7f]/.test(lowerCase) ? lowerCase.normalize('NFD').replace(/\p{M}/gu, '') : lowerCase
}

/** The words of a search. */
export const wordsIn = (search: string) => [...new Set(fold(search).split(/\s+/))].filter((word) => word !== '')

/** Whether a text contains all words of a search, without regard to case and accents. */
export function containsWords(text: string, words: readonly string[]): boolean {
  const folded = fold(text)
  return words.every((word) => folded.includes(word))
}

/** The digits of a telephone number, however it is written; `undefined` when the text is none. */
export const phoneDigits = (text: string) =>
  /^\s*[+(\d][\d ()./-]{6,30}$/.test(text) ? text.replace(/\D/g, '') : undefined

/** Whether texts contain all words of a search, or its telephone number. */
export function findsIn(texts: readonly string[], words: readonly string[], phone: string | undefined): boolean {
  if (containsWords(texts.join('\n'), words)) return true
  return phone !== undefined && texts.some((text) => phoneDigits(text)?.includes(phone))
}

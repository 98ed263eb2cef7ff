/** What may be added to one text by all that is filled in, in characters: a short text can name a long value often. */
const mostAdded = 1024 * 1024

/**
 * Fills in what stands between `{{` and `}}`; what has no value stays as it is, and so does the rest when it gets too
 * long. A value is never looked through again. Each character is looked at a fixed number of times: an expression such
 * as `{{(.*?)}}` takes seconds on a long row of braces.
 */
export function filledIn(text: string, valueAt: (path: string) => string | undefined): string {
  const pieces = text.split('}}')
  const rest = pieces.pop() ?? ''
  let added = 0
  const filled = pieces.map((piece) => {
    const opening = piece.lastIndexOf('{{')
    const value = opening < 0 ? undefined : valueAt(piece.slice(opening + 2))
    if (value === undefined || (added += value.length) > mostAdded) return `${piece}}}`
    return piece.slice(0, opening) + value
  })
  return filled.join('') + rest
}

export function holdsFields(text: string): boolean {
  const opening = text.indexOf('{{')
  return opening >= 0 && text.includes('}}', opening + 2)
}

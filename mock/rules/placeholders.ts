/** How many characters the values may add to one text in all: a short text can name a long value many times. */
const maxAdded = 1024 * 1024

/**
 * Replaces `{{path}}` by its value. A path without a value stays as it is, and so does the rest of the text once the
 * values get too long. Values are not scanned again. One linear pass: an expression such as `{{(.*?)}}` takes seconds on
 * a long row of braces.
 */
export function fillPlaceholders(text: string, valueAt: (path: string) => string | undefined): string {
  const pieces = text.split('}}')
  const rest = pieces.pop() ?? ''
  const values = new Map<string, string | undefined>()
  const knownValueAt = (path: string) => {
    if (!values.has(path)) values.set(path, valueAt(path))
    return values.get(path)
  }
  let added = 0
  const filled = pieces.map((piece) => {
    const opening = piece.lastIndexOf('{{')
    const value = opening < 0 ? undefined : knownValueAt(piece.slice(opening + 2))
    if (value === undefined || (added += value.length) > maxAdded) return `${piece}}}`
    return piece.slice(0, opening) + value
  })
  return filled.join('') + rest
}

/** The paths of all placeholders, as they are written. */
export function pathsIn(text: string): Set<string> {
  const paths = new Set<string>()
  fillPlaceholders(text, (path) => {
    paths.add(path)
    return undefined
  })
  return paths
}

export function hasPlaceholder(text: string): boolean {
  const opening = text.indexOf('{{')
  return opening >= 0 && text.includes('}}', opening + 2)
}

/** A text, and for each of its characters where it stands in an original: from here to before there. */
export interface PlacedText {
  readonly text: string
  readonly from: readonly number[]
  readonly to: readonly number[]
}

/** A text may be escaped within what is escaped. */
const deepest = 3

/** The text, what it says once its escapes are read, and each of these without elements of HTML. */
export function readEscapes(text: string): PlacedText[] {
  const places = Array.from({ length: text.length }, (_, place) => place)
  const layers: PlacedText[] = [{ text, from: places, to: places.map((place) => place + 1) }]
  for (let last = layers[0]; last && layers.length <= deepest; last = layers.at(-1)) {
    const next = replaceAll(last, escapes, meaningOf)
    if (next === undefined) break
    layers.push(next)
  }
  return [...layers, ...layers.flatMap((layer) => replaceAll(layer, elements, () => '') ?? [])]
}

type Groups = Readonly<Record<string, string | undefined>>

/** Nothing when the pattern never matches. */
function replaceAll(
  { text, from, to }: PlacedText,
  pattern: RegExp,
  replace: (match: string, groups: Groups) => string,
): PlacedText | undefined {
  const read: [text: string, from: number, to: number][] = []
  let end = 0
  const keepUntil = (place: number) => {
    for (; end < place; end++) read.push([text.charAt(end), from[end] ?? 0, to[end] ?? 0])
  }
  for (const { 0: match, index, groups = {} } of text.matchAll(pattern)) {
    keepUntil(index)
    end = index + match.length
    const character = replace(match, groups)
    if (character !== '') read.push([character, from[index] ?? 0, to[end - 1] ?? 0])
  }
  if (end === 0) return undefined
  keepUntil(text.length)
  return {
    text: read.map(([character]) => character).join(''),
    from: read.map(([, start]) => start),
    to: read.map(([, , stop]) => stop),
  }
}

// Every repetition has an end: one that could read on and then fail would take quadratic time.

/** Escapes of URLs, JSON, JavaScript, HTML and mail, and letters that only look different. */
const escapes = new RegExp(
  [
    '[%\\\\]u(?<four>[0-9a-f]{4})',
    '(?:%|=|\\\\x)(?<two>[0-9a-f]{2})',
    '(?:\\\\u\\{|&#x)(?<hex>[0-9a-f]{1,8})[;}]?',
    '&#(?<decimal>\\d{1,8});?',
    '\\\\(?<octal>[0-7]{3})',
    '&\\w{2,30};',
    '[^\\0-\\x7f]',
  ].join('|'),
  'giu',
)

const elements = /<[^<>]{1,60}>/g

function meaningOf(escape: string, { four, two, hex, decimal, octal }: Groups): string {
  const digits = four ?? two ?? hex
  const code = digits ? parseInt(digits, 16) : decimal ? Number(decimal) : octal ? parseInt(octal, 8) : undefined
  const character = code === undefined ? escape : code > 0x10ffff ? '' : String.fromCodePoint(code)
  const plain = character === '&amp;' ? '&' : character.normalize('NFKC')
  return /^\p{ASCII}$/u.test(plain) ? plain : ''
}

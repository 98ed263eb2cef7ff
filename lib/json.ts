/** Parses JSON; `undefined` when the text is not JSON, or exceeds the limits. */
export function parseJson(text: string, limits?: JsonLimits): unknown {
  try {
    return parseOrThrow(text, limits)
  } catch {
    return undefined
  }
}

/** As `parseJson`, for a text within limits. */
export function parseMeasured(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Measures an untrusted text before it is parsed. Throws a `SyntaxError`. */
export function parseOrThrow(text: string, limits = mostOfText): unknown {
  const exceeded = exceededLimit(text, limits)
  if (exceeded === 'levels') throw new SyntaxError('it is nested too deeply')
  if (exceeded) throw new SyntaxError(`it has more than ${limits[exceeded]} ${exceeded}`)
  return JSON.parse(text) as unknown
}

/** Whether the value is an object, and no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As `{ ...first, ...second, ...third }`, which is up to fifty times slower on Node 20, and every response needs it. */
export const merge = <First extends object, Second extends object, Third extends object = object>(
  first: First,
  second: Second,
  third = {} as Third,
): First & Second & Third => Object.assign<object, First, Second, Third>({}, first, second, third)

export function without<Fields extends object>(record: Fields, fields: readonly string[]): Partial<Fields> {
  const dropped = new Set(fields)
  return Object.fromEntries(Object.entries(record).filter(([field]) => !dropped.has(field))) as Partial<Fields>
}

/** The most that a JSON text may hold. */
export interface JsonLimits {
  /** The fields of all objects. */
  readonly fields: number
  /** The fields of all objects and the items of all lists. */
  readonly values: number
  /** How deep objects and lists may be nested. */
  readonly levels: number
}

const mostOfText: JsonLimits = { fields: Infinity, values: 5_000_000, levels: 1_000 }

/**
 * The limit that a JSON text exceeds, if any. Called before the text is parsed: a short text can hold so many objects that
 * parsing it takes seconds.
 */
export function exceededLimit(text: string, limits: JsonLimits): keyof JsonLimits | undefined {
  let [fields, values, levels] = [0, 0, 0]
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at + 1)
        break
      case colon:
        if (++fields > limits.fields) return 'fields'
        break
      case openingBrace:
      case openingBracket:
        if (++levels > limits.levels) return 'levels'
        if (++values > limits.values) return 'values' // the first value in it; an empty one counts as well
        break
      case comma:
        if (++values > limits.values) return 'values'
        break
      case closingBrace:
      case closingBracket:
        levels--
    }
  }
  return undefined
}

export const quote = 0x22
export const comma = 0x2c
export const colon = 0x3a
export const openingBracket = 0x5b
const backslash = 0x5c
export const closingBracket = 0x5d
export const openingBrace = 0x7b
export const closingBrace = 0x7d

/** The end of the string with its first character at `from`. */
export function endOfString(text: string, from: number): number {
  const end = text.indexOf('"', from)
  if (end < 0) return text.length
  if (text.charCodeAt(end - 1) !== backslash) return end
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) return at
    if (unit === backslash) at++
  }
  return text.length
}

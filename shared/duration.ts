/** How a duration may be written, for sentences about one that is not. */
export const durationForm = 'a duration such as 500ms, 90s, 15m, 12h, 2d or P1DT12H, or a number of milliseconds'

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** A duration in milliseconds; undefined when it is not written as one. It is never negative. */
export function readDuration(written: unknown): number | undefined {
  const milliseconds = typeof written === 'number' ? written : typeof written === 'string' ? readText(written) : NaN
  return milliseconds >= 0 && milliseconds <= Number.MAX_SAFE_INTEGER ? milliseconds : undefined
}

function readText(text: string): number {
  if (text.length > 40) return NaN
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d|w)$/.exec(text) ?? []
  return unit === undefined ? readIso(text) : Number(amount) * units[unit as keyof typeof units]
}

/** ISO 8601, without years and months, whose length depends on the calendar. */
const isoForm = /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/

function readIso(text: string): number {
  const found: (string | undefined)[] | null = isoForm.exec(text)
  if (!found) return NaN
  const [w = 0, d = 0, h = 0, m = 0, s = 0] = found.slice(1).map((part = '0') => Number(part))
  return w * units.w + d * units.d + h * units.h + m * units.m + s * units.s
}

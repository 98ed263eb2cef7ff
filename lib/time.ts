/** Describes the accepted forms of a duration, for error messages. */
export const durationForm = 'a duration such as 500ms, 90s, 15m, 12h, 2d or P1DT12H, or a number of milliseconds'

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** Returns a duration in milliseconds, or undefined when the form is wrong. */
export function readDuration(written: unknown): number | undefined {
  const milliseconds =
    typeof written === 'number' ? written : typeof written === 'string' ? readDurationText(written) : NaN
  return milliseconds >= 0 && milliseconds <= Number.MAX_SAFE_INTEGER ? milliseconds : undefined
}

function readDurationText(text: string): number {
  if (text.length > 40) return NaN
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d|w)$/.exec(text) ?? []
  return unit === undefined ? readIso(text) : Number(amount) * units[unit as keyof typeof units]
}

/** ISO 8601, without years and months, since their length depends on the calendar. */
const isoForm = /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/

function readIso(text: string): number {
  const found: (string | undefined)[] | null = isoForm.exec(text)
  if (!found) return NaN
  const [w = 0, d = 0, h = 0, m = 0, s = 0] = found.slice(1).map((part = '0') => Number(part))
  return w * units.w + d * units.d + h * units.h + m * units.m + s * units.s
}

/** Describes the accepted forms of a time, for error messages. */
export const instantForm =
  'a time from 1970 to 9999, such as 2030-01-31T09:00:00Z, or a number of milliseconds since 1970'

/** A day before years have five digits, so that a clock can advance from the latest time. */
const latest = Date.UTC(9999, 11, 31)

export const isInstant = (time: number) => time >= 0 && time <= latest

/** Returns a time in milliseconds since 1970, or undefined when the form is wrong. */
export function readInstant(written: unknown): number | undefined {
  const time = typeof written === 'string' ? readInstantText(written) : typeof written === 'number' ? written : NaN
  return isInstant(time) ? Math.floor(time) : undefined
}

const form = /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/

function readInstantText(text: string): number {
  const [, year, month, day] = form.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return NaN
  // Date.parse accepts the 30th of February.
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day ? Date.parse(text) : NaN
}

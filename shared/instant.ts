/** How a time may be written, for sentences about one that is not. */
export const instantForm =
  'a time from 1970 to 9999, such as 2030-01-31T09:00:00Z, or a number of milliseconds since 1970'

/** The latest time. A clock that goes on from it still has a day until years have five digits. */
const latest = Date.UTC(9999, 11, 31)

export const isInstant = (time: number) => time >= 0 && time <= latest

/** A time in milliseconds since 1970; undefined when it is not written as one. */
export function readInstant(written: unknown): number | undefined {
  const time = typeof written === 'string' ? readText(written) : typeof written === 'number' ? written : NaN
  return isInstant(time) ? Math.floor(time) : undefined
}

const form = /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/

function readText(text: string): number {
  const [, year, month, day] = form.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return NaN
  // Date.parse would take the 30th of February for the 2nd of March.
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day ? Date.parse(text) : NaN
}

/** With or without a time of day. `Date` reads 30 February as 2 March, hence the comparison. */
export function isIsoDate(text: string): boolean {
  const [, day = ''] = isoDate.exec(text) ?? []
  const midnight = new Date(`${day}T00:00Z`)
  return !Number.isNaN(midnight.valueOf()) && midnight.toISOString().startsWith(day) && !Number.isNaN(Date.parse(text))
}

const isoDate = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/

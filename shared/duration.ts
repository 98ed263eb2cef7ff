/** `'2d'`, `'90s'`, `'500ms'`, or milliseconds as a number. */
export type Duration = number | string

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** In milliseconds; undefined when it is not a duration. */
export function readDuration(duration: Duration): number | undefined {
  if (typeof duration === 'number' || /^\d+$/.test(duration)) return Number(duration)
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(duration) ?? []
  return amount === undefined ? undefined : Number(amount) * (units[unit] ?? NaN)
}

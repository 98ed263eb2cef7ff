/** The moment at which a clock in the zone shows this time. The time is given as if it were UTC. */
export function toUtc(localTime: number, timeZone: string): number {
  const estimate = localTime - offsetAt(localTime, timeZone)
  // Near a change of the clocks, the offset at the estimate is the right one.
  return localTime - offsetAt(estimate, timeZone)
}

/** How far clocks in the zone are ahead of UTC. */
function offsetAt(moment: number, timeZone: string): number {
  // The Swedish locale writes times as YYYY-MM-DD hh:mm:ss.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return Date.parse(`${format.format(moment).replace(' ', 'T')}Z`) - Math.floor(moment / 1000) * 1000
}

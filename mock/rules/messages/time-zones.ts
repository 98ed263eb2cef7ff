/** The moment at which clocks in the zone show this time, which is given as if it were UTC. */
export function utcOf(onTheWall: number, timeZone: string): number {
  const near = onTheWall - offsetAt(onTheWall, timeZone)
  // Where clocks were changed in between, the offset of that moment counts.
  return onTheWall - offsetAt(near, timeZone)
}

/** How far clocks in the zone are ahead of UTC at a moment. */
function offsetAt(moment: number, timeZone: string): number {
  // Swedish times are written as ISO times are.
  const wall = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return Date.parse(`${wall.format(moment).replace(' ', 'T')}Z`) - Math.floor(moment / 1000) * 1000
}

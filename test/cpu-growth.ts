const pieces = 16
const attempts = 6

/** The most that `growthOf` may measure for work in linear time. In quadratic time it measures 16. */
export const linear = 4

/**
 * How much more CPU time the work takes on one long text than on 16 short ones that are as long together. The least of
 * several attempts: whatever else the machine does can only add to one of them.
 */
export function growthOf(work: (text: string) => unknown, unit: string, length: number): number {
  const short = unit.repeat(Math.ceil(length / pieces / unit.length))
  const long = short.repeat(pieces)
  let least = Infinity
  for (let attempt = 0; attempt < attempts && least >= linear; attempt++) {
    const apart = cpuTimeOf(() => {
      for (let piece = 0; piece < pieces; piece++) work(short)
    })
    least = Math.min(least, cpuTimeOf(() => work(long)) / apart)
  }
  return least
}

/** In microseconds, and at least one. */
function cpuTimeOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return Math.max(1, user + system)
}

const pieces = 16
const attempts = 6

/** The most that `growthOf` may measure for work in linear time. In quadratic time it measures 16. */
export const linear = 4

/** Makes a text of at least this length. */
export const repeating = (unit: string) => (length: number) => unit.repeat(Math.ceil(length / unit.length))

/**
 * How much more CPU time the work takes on one input of this size than on 16 that are as large together. The least of
 * several attempts: other processes can only add to the time of one.
 */
export async function growthOf<Input>(
  work: (input: Input) => unknown,
  inputOf: (size: number) => Input,
  size: number,
): Promise<number> {
  const short = inputOf(Math.ceil(size / pieces))
  const long = inputOf(size)
  let least = Infinity
  for (let attempt = 0; attempt < attempts && least >= linear; attempt++) {
    const apart = await cpuTimeOf(async () => {
      for (let piece = 0; piece < pieces; piece++) await work(short)
    })
    least = Math.min(least, (await cpuTimeOf(() => work(long))) / apart)
  }
  return least
}

/** In microseconds, and at least one. */
async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return Math.max(1, user + system)
}

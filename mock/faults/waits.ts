/** Waits that end early when nothing should wait any longer: after a reset, or when the sandbox closes. */
export class Waits {
  readonly #ends = new Set<() => void>()

  /** Resolves after this time; rejects with `reason()` when it is ended before. */
  for(milliseconds: number, reason: () => Error): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (settle: () => void) => () => {
        clearTimeout(timer)
        this.#ends.delete(end)
        settle()
      }
      const timer = setTimeout(done(resolve), milliseconds)
      const end = done(() => {
        reject(reason())
      })
      this.#ends.add(end)
    })
  }

  endAll(): void {
    for (const end of [...this.#ends]) end()
  }
}

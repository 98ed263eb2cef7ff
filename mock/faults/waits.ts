/** Waits that end early when nothing should wait any longer: after a reset, or when the sandbox closes. */
export class Waits {
  /** With the team that waits, if it is known. */
  readonly #ends = new Map<() => void, string | undefined>()

  /** Resolves after this time; rejects with `reason()` when it is ended before. */
  for(milliseconds: number, team: string | undefined, reason: () => Error): Promise<void> {
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
      this.#ends.set(end, team)
    })
  }

  /** Ends all waits, or those of one team. */
  end(team?: string): void {
    for (const [end, waiting] of [...this.#ends]) if (team === undefined || waiting === team) end()
  }
}

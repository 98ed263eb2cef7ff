/** Prints how much was noticed. */
export class Shares {
  readonly #layer: string
  readonly #rows: { of: string; tried: number; survivors: readonly string[] }[] = []

  constructor(layer: string) {
    this.#layer = layer
  }

  add(of: string, tried: number, survivors: readonly string[]): void {
    this.#rows.push({ of, tried, survivors })
  }

  tell(): void {
    const lines = this.#rows.map(({ of, tried, survivors }) => {
      const share = ((100 * (tried - survivors.length)) / tried).toFixed(1)
      return [
        `  ${of}: ${tried - survivors.length} of ${tried} (${share} %)`,
        ...survivors.map((one) => `    survived: ${one}`),
      ]
    })
    console.log([`Deviants noticed, by their ${this.#layer}:`, ...lines.flat()].join('\n'))
  }
}

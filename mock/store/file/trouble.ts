/** Says once that something has begun to go wrong, and once that it works again. */
export class Trouble {
  readonly #say: Say
  #isThere = false

  constructor(say: Say) {
    this.#say = say
  }

  begin(sentence: string): void {
    if (!this.#isThere) this.#say(sentence)
    this.#isThere = true
  }

  end(sentence: string): void {
    if (this.#isThere) this.#say(sentence)
    this.#isThere = false
  }
}

/** Tells the operator something that no request can be answered with. */
export type Say = (sentence: string) => void

export const sayOnStderr: Say = (sentence) => {
  process.stderr.write(`${sentence}\n`)
}

import { assumptionNames, type AssumptionName, type Choices, type NameWithAmount } from './assumptions.ts'
import type { Chosen } from './choices.ts'

/**
 * What one answer is told about the gaps of the specification. Reading a choice is what records that the answer relied
 * on it, so that no answer can forget to say so.
 */
export type Assumed = Choices & {
  /** The number that goes with the choice; thrown when none does, so it is a question for the rule of such a choice. */
  amountOf(name: NameWithAmount): number
  /** The assumptions that were read so far, each once. */
  relied(): readonly AssumptionName[]
}

/** A maker of such readers, one for each answer. */
export function assumedBy(chosen: Chosen): () => Assumed {
  class Reader {
    #relied = nothing

    relied() {
      return this.#relied
    }

    amountOf(name: NameWithAmount) {
      this.#mark(name)
      const { choice, amount } = chosen[name]
      if (amount === undefined) throw new Error(`${name}=${choice} carries no number`)
      return amount
    }

    #mark(name: AssumptionName) {
      if (this.#relied === nothing) this.#relied = [name]
      else if (!this.#relied.includes(name)) this.#relied.push(name)
    }

    static {
      for (const name of assumptionNames) {
        const { choice } = chosen[name]
        Object.defineProperty(this.prototype, name, {
          get(this: Reader) {
            this.#mark(name)
            return choice
          },
        })
      }
    }
  }
  // The getters are defined one by one, where the compiler cannot follow.
  return () => new Reader() as unknown as Assumed
}

/** What is relied on before anything is read: one list for all, so that an answer that reads nothing costs nothing. */
const nothing: AssumptionName[] = []

import { assumptionNames, type AssumptionName, type Choice, type Choices, type NameWithAmount } from './assumptions.ts'
import type { Chosen } from './choices.ts'

/** The meaning of the header, in the words of the README and the documentation. */
export const meaningOfMarks =
  'names the assumptions that the request relied on. An earlier request may have stored a value by another assumption: the ' +
  'journal shows the assumptions of each request'

/** They shape the envelope of each success with data, and of each read, so no response is marked with them. */
export const unmarked: readonly AssumptionName[] = ['metaInEnvelope', 'statedEnvelope']

/**
 * The choices in force, for the handling of one request. Reading a choice records that the response relied on it, so
 * the headers `x-sandbox-assumed` and `x-sandbox-learned` cannot miss one.
 */
export type Assumed = Choices & {
  /** The number of a choice such as `perMinute:60`; throws for a choice without a number. */
  amountOf(name: NameWithAmount): number
  /** The choice. The response is marked only if it makes a difference to the response, or to what follows the response. */
  relyOn<Name extends AssumptionName>(name: Name, makesDifference?: boolean): Choice<Name>
  /** Whether the response is marked with the assumption, as a guess or as learned. */
  reliesOn(name: AssumptionName): boolean
  /** The assumptions read so far that are guesses, each once. */
  relied(): readonly AssumptionName[]
  /** The choices read so far that were learned from a server, each once. */
  learned(): readonly AssumptionName[]
}

const none: readonly AssumptionName[] = []

const withName = (name: AssumptionName, names: readonly AssumptionName[]) =>
  names.includes(name) ? names : [...names, name]

/** Called with each assumption that a response relies on. */
export type OnRelied = (name: AssumptionName) => void

/** Returns a function that creates an `Assumed` for each request; some choices were learned, the others are guesses. */
export function assumedBy(
  chosen: Chosen,
  learned: ReadonlySet<AssumptionName> = new Set(),
): (onRelied?: OnRelied) => Assumed {
  class Reader {
    #relied = none
    #learned = none
    readonly #onRelied: OnRelied | undefined

    constructor(onRelied: OnRelied | undefined) {
      this.#onRelied = onRelied
    }

    relied() {
      return this.#relied
    }

    learned() {
      return this.#learned
    }

    relyOn(name: AssumptionName, makesDifference = true) {
      if (makesDifference) this.mark(name)
      return chosen[name].choice
    }

    reliesOn(name: AssumptionName) {
      return this.#relied.includes(name) || this.#learned.includes(name)
    }

    amountOf(name: NameWithAmount) {
      this.mark(name)
      const { choice, amount } = chosen[name]
      if (amount === undefined) throw new Error(`${name}=${choice} carries no number`)
      return amount
    }

    mark(name: AssumptionName) {
      if (learned.has(name)) this.#learned = withName(name, this.#learned)
      else this.#relied = withName(name, this.#relied)
      this.#onRelied?.(name)
    }
  }
  for (const name of assumptionNames) {
    Object.defineProperty(Reader.prototype, name, {
      get(this: Reader) {
        return this.relyOn(name)
      },
    })
  }
  // The compiler does not see properties added with defineProperty.
  return (onRelied) => new Reader(onRelied) as unknown as Assumed
}

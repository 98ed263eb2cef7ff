import type { Draw } from './walk.ts'

/** Records that a walk knows. It comes back to the latest ones, and now and then to one that it has deleted. */
export class Pool<Item extends object> {
  readonly #draw: Draw
  readonly #live: Item[] = []
  readonly #dead: Item[] = []

  constructor(draw: Draw) {
    this.#draw = draw
  }

  /** How many of them are not deleted. */
  get size(): number {
    return this.#live.length
  }

  add(item: Item): void {
    this.#live.push(item)
  }

  /** The latest of them most often. */
  pick(): Item | undefined {
    const latest = this.#draw(10) < 7 ? Math.min(3, this.#live.length) : this.#live.length
    return this.#live[this.#live.length - 1 - this.#draw(Math.max(latest, 1))]
  }

  /** Perhaps one that is deleted. */
  pickAny(): Item | undefined {
    return this.#dead.length > 0 && this.#draw(100) < 8 ? this.#dead[this.#dead.length - 1] : this.pick()
  }

  lastDead(): Item | undefined {
    return this.#dead.at(-1)
  }

  remove(isGone: (item: Item) => boolean): void {
    const gone = this.#live.filter(isGone)
    this.#dead.push(...gone)
    for (const item of gone) this.#live.splice(this.#live.indexOf(item), 1)
  }
}

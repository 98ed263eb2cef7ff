import type { AssumptionName } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Difference, firstDifference, type Known, toKnown } from './difference.ts'
import { type Explanation, explain } from './explain.ts'
import { generateWalk } from './generate-walk.ts'
import { type Found, shrink } from './shrink.ts'
import type { OldTemplate, Side, Trace } from './side.ts'
import type { Twins } from './twin.ts'
import type { Walk } from './walk.ts'
import type { Decks } from './walker.ts'

export interface RoundsOptions {
  readonly server: Side
  readonly twins: Twins
  /** What the profile says. */
  readonly choices: WrittenChoices
  readonly steps: number
  readonly seed: number
  /** What the profile leaves undetermined: what the server does there is no difference. */
  readonly untold?: ReadonlySet<AssumptionName> | undefined
  /** Whether the texts of messages count. */
  readonly wording: boolean
  /** After so many differences the search ends. */
  readonly most: number
  readonly onSteps?: (taken: number) => void
}

/** A difference, with the shortest walk to it, and what each side did. */
export interface ToldDifference extends Found {
  readonly server: Trace
  readonly sandbox: Trace
  /** The choices with which the sandbox does what the server did; none when no entry of the register knows it. */
  readonly explanations: readonly Explanation[]
}

export interface Outcome {
  readonly differences: readonly ToldDifference[]
  /** What the server does where the profile is undetermined. */
  readonly learned: readonly Explanation[]
  readonly steps: number
  /** Where the server did not do the same twice. */
  readonly noise: number
  /** How often each operation succeeded. */
  readonly successes: ReadonlyMap<OperationId, number>
}

/** A new walk begins after so many steps, so that a difference is not far from its cause. */
const longestWalk = 250

/** Takes walks through both sides, until there were enough steps or differences. */
export async function takeRounds(options: RoundsOptions): Promise<Outcome> {
  const rounds = new Rounds(options)
  await rounds.take()
  return rounds.outcome
}

/** What the server did in a walk that it took twice. */
interface Taken {
  readonly before: readonly OldTemplate[]
  readonly server: Trace
  readonly again: Trace
}

class Rounds {
  readonly #options: RoundsOptions
  readonly #differences: ToldDifference[] = []
  readonly #learned: Explanation[] = []
  readonly #known: Known[] = []
  readonly #successes = new Map<OperationId, number>()
  #choices: WrittenChoices
  #steps = 0
  #noise = 0

  constructor(options: RoundsOptions) {
    this.#options = options
    this.#choices = options.choices
  }

  get outcome(): Outcome {
    const [differences, learned, successes] = [this.#differences, this.#learned, this.#successes]
    return { differences, learned, steps: this.#steps, noise: this.#noise, successes }
  }

  get #isOver(): boolean {
    return this.#options.server.client.stopped !== undefined || this.#differences.length >= this.#options.most
  }

  async take(): Promise<void> {
    const { server, steps, seed } = this.#options
    const listsTemplates = (await server.listTemplates()) !== undefined
    const decks: Decks = new Map()
    for (let round = 0; this.#steps < steps && !this.#isOver; round++) {
      const length = Math.min(longestWalk, steps - this.#steps)
      const walk = generateWalk({
        target: server.target,
        choices: this.#choices,
        seed: seed * 1000 + round,
        steps: length,
        decks,
        listsTemplates,
      })
      if (walk.length === 0) return
      await this.#takeRound(walk)
      this.#steps += walk.length
      this.#options.onSteps?.(this.#steps)
    }
  }

  async #takeRound(walk: Walk): Promise<void> {
    const taken = await this.#takeTwice(walk)
    this.#count(walk, taken)
    while (!this.#isOver) {
      const sandbox = await this.#options.twins.take(walk, { choices: this.#choices, ...taken })
      const difference = this.#compare(walk, { ...taken, sandbox })
      if (!difference) return
      await this.#tell({ walk, difference }, taken)
    }
  }

  /** Shortens the walk, and makes sure that the difference is there each time. */
  async #tell(found: Found, whole: Taken): Promise<void> {
    const { twins } = this.#options
    const shortest = await shrink(found, (walk) => this.#tryOnce(walk))
    if (this.#isOver) return
    const taken = await this.#takeTwice(shortest.walk)
    const sandbox = await twins.take(shortest.walk, { choices: this.#choices, ...taken })
    const difference = this.#compare(shortest.walk, { ...taken, sandbox })
    if (!difference) {
      this.#noise++
      this.#known.push(toKnown(found.difference))
      return
    }
    const { server } = taken
    const explanations = await explain({
      walk: shortest.walk,
      sandbox,
      choices: this.#choices,
      isAlike: async (choices) => {
        const other = await twins.take(shortest.walk, { choices, ...taken })
        if (this.#compare(shortest.walk, { ...taken, sandbox: other })) return false
        // Nor is there a new difference before: a choice that hides a field explains nothing that lacks it.
        const wholeOther = await twins.take(found.walk, { choices, ...whole })
        return !isBefore(this.#compare(found.walk, { ...whole, sandbox: wholeOther }), found)
      },
    })
    const news = explanations.find((one) => this.#isNews(one))
    if (news) this.#learned.push(news)
    else this.#differences.push({ walk: shortest.walk, difference, server, sandbox, explanations })
    const first = news ?? explanations[0]
    // The sandbox does it from now on too, so that the next difference can be seen.
    if (first) this.#choices = { ...this.#choices, [first.name]: first.written }
    else this.#known.push(toKnown(difference), toKnown(found.difference))
  }

  /** A choice that the profile leaves undetermined; one that did not last is a difference. */
  #isNews({ name, written }: Explanation): boolean {
    const isKnown = this.#learned.some((one) => one.name === name && one.written === written)
    return this.#options.untold?.has(name) === true && !isKnown
  }

  async #tryOnce(walk: Walk): Promise<Difference | undefined> {
    if (this.#isOver) return undefined
    const once = await this.#takeOnServer(walk)
    const sandbox = await this.#options.twins.take(walk, { choices: this.#choices, ...once })
    if (!this.#compare(walk, { ...once, sandbox })) return undefined
    // A server that changes its mind would be taken for one that differs.
    const { server: again } = await this.#takeOnServer(walk)
    return this.#compare(walk, { ...once, again, sandbox })
  }

  #compare(walk: Walk, traces: { server: Trace; again?: Trace; sandbox: Trace }): Difference | undefined {
    return firstDifference(walk, traces, { known: this.#known, wording: this.#options.wording })
  }

  async #takeTwice(walk: Walk): Promise<Taken> {
    const once = await this.#takeOnServer(walk)
    const { server: again } = await this.#takeOnServer(walk)
    return { ...once, again }
  }

  async #takeOnServer(walk: Walk): Promise<{ before: readonly OldTemplate[]; server: Trace }> {
    const { server: side } = this.#options
    const lists = walk.some(({ operation }) => operation === 'listTemplates')
    const before = lists ? await side.listOldTemplates() : []
    const server = await side.take(walk, before)
    await side.deleteTemplates(walk, server)
    return { before, server }
  }

  #count(walk: Walk, { server, again }: Taken): void {
    for (const { n, operation } of walk) {
      const [first, second] = [server.get(n), again.get(n)]
      if (first && first.status >= 200 && first.status < 300)
        this.#successes.set(operation, (this.#successes.get(operation) ?? 0) + 1)
      if (first && second && first.status !== second.status) this.#noise++
    }
  }
}

const isBefore = (difference: Difference | undefined, { walk, difference: found }: Found) =>
  difference !== undefined && placeIn(walk, difference) < placeIn(walk, found)

const placeIn = (walk: Walk, difference: Difference) => walk.findIndex(({ n }) => n === difference.n)

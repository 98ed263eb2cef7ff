import { fieldsOf } from '../../client/answer.ts'
import { assumption, type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import { compareSteps, type Difference, isSimilar, type Known, ownNames, toKnown } from './difference.ts'
import { isRecognizable, type Step } from './plan.ts'
import { type OldTemplate, type Result, type Results, type Side, type StartSandbox, withSandbox } from './side.ts'
import { planSteps, stories } from './stories/stories.ts'

export interface SearchOptions {
  readonly server: Side
  readonly startSandbox: StartSandbox
  /** The choices of the profile. */
  readonly choices: WrittenChoices
  readonly steps: number
  readonly seed: number
  /** Entries that the profile leaves undetermined: the behaviour of the server there is no difference. */
  readonly undetermined?: ReadonlySet<AssumptionName> | undefined
  /** Whether the texts of messages count. */
  readonly wording: boolean
  /** The search ends after so many differences. */
  readonly most: number
  readonly onSteps?: (taken: number) => void
}

/** A choice with which the sandbox does the same as the server. */
export interface Explanation {
  readonly name: AssumptionName
  /** As a profile writes it. */
  readonly written: string
}

/** The results of a server that received the same steps twice. */
interface Taken {
  readonly steps: readonly Step[]
  /** The templates of the server before the steps, if they list any. */
  readonly before: readonly OldTemplate[] | undefined
  readonly server: Results
  readonly again: Results
}

/** The steps that lead to a difference, and their results. */
interface Found extends Taken {
  readonly difference: Difference
  readonly sandbox: Results
}

export interface ExplainedDifference extends Found {
  /** Empty if no entry of the register explains the difference. */
  readonly explanations: readonly Explanation[]
}

export interface Outcome {
  readonly differences: readonly ExplainedDifference[]
  /** The behaviour of the server where the profile is undetermined. */
  readonly learned: readonly Explanation[]
  readonly steps: number
  /** The number of responses that were not the same twice. */
  readonly noise: number
  /** How often each operation succeeded. */
  readonly successes: ReadonlyMap<OperationId, number>
}

/** After so many steps a new run begins, so that a difference is near its cause. */
const longestRun = 250

/** After so many attempts to shorten a difference, the shortest one so far is reported. */
const mostAttempts = 100

/** Sends random requests to a server and a sandbox, until there were enough steps or differences. */
export async function search(options: SearchOptions): Promise<Outcome> {
  const searching = new Search(options)
  await searching.run()
  return searching.outcome
}

class Search {
  readonly #options: SearchOptions
  readonly #differences: ExplainedDifference[] = []
  readonly #learned: Explanation[] = []
  readonly #known: Known[] = []
  readonly #successes = new Map<OperationId, number>()
  #choices: WrittenChoices
  #steps = 0
  #noise = 0

  constructor(options: SearchOptions) {
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

  async run(): Promise<void> {
    const { server, steps: wanted, seed, onSteps } = this.#options
    const listsTemplates = (await server.listTemplates()) !== undefined
    const remaining = stories(seed)
    const turns = new Map<readonly unknown[], number>()
    for (let run = 0; this.#steps < wanted && !this.#isOver; run++) {
      const limit = Math.min(longestRun, wanted - this.#steps)
      const plan = {
        target: server.target,
        choices: this.#choices,
        limit,
        listsTemplates,
        seed: seed * 1000 + run,
        turns,
      }
      const steps = planSteps(plan, remaining)
      if (steps.length === 0) return
      const taken = await this.#takeTwice(steps)
      this.#count(taken)
      this.#steps += steps.length
      onSteps?.(this.#steps)
      for (let found = await this.#compare(taken); found && !this.#isOver; found = await this.#compare(taken))
        await this.#settle(await this.#shrink(found), found)
    }
  }

  async #take(steps: readonly Step[]): Promise<Taken> {
    const { server: side } = this.#options
    const isListing = steps.some(({ operation }) => operation === 'listTemplates')
    const before = isListing ? await side.listTemplates() : undefined
    const send = side.begin(before)
    const server = new Map<number, Result>()
    for (const step of steps) if (!side.client.stopped) server.set(step.n, await send(step))
    await side.deleteTemplates(steps, server)
    return { steps, before, server, again: server }
  }

  /** A server that does not do the same twice would look like one that differs. */
  async #takeTwice(steps: readonly Step[]): Promise<Taken> {
    const first = await this.#take(steps)
    return { ...first, again: (await this.#take(steps)).server }
  }

  /** Sends the steps to a sandbox, up to the first one at which it does not do what the server does both times. */
  #compare(taken: Taken, choices = this.#choices): Promise<Found | undefined> {
    const {
      server: { target },
      startSandbox,
      wording,
    } = this.#options
    const { steps, before, server, again } = taken
    return withSandbox(startSandbox, target, { choices, before }, async (side) => {
      const send = side.begin(before)
      const differs = compareSteps(this.#known, wording)
      const sandbox = new Map<number, Result>()
      for (const [at, step] of steps.entries()) {
        if (server.get(step.n)?.outcome !== 'answered') continue
        const result = await send(step)
        sandbox.set(step.n, result)
        const difference = differs(step, { server: server.get(step.n), again: again.get(step.n), sandbox: result })
        if (difference) return { ...taken, steps: steps.slice(0, at + 1), difference, sandbox }
      }
      return undefined
    })
  }

  /**
   * Leaves out requests, and then fields, as long as the difference remains. fast-check could do it too, but each attempt
   * costs requests, and this way begins with the requests about the same records.
   */
  async #shrink(found: Found): Promise<Found> {
    let best = found
    let attempts = 0
    const attempt = async (steps: readonly Step[]) => {
      if (this.#isOver || steps.length === 0 || ++attempts > mostAttempts) return
      const one = await this.#compare(await this.#take(steps))
      if (!one || !isSimilar(one.difference, found.difference)) return
      const confirmed = await this.#compare(await this.#takeTwice(one.steps))
      if (confirmed && isSimilar(confirmed.difference, found.difference)) best = confirmed
    }
    const again = await this.#compare(await this.#takeTwice(found.steps))
    // A difference by noise cannot be shortened.
    if (!again || !isSimilar(again.difference, found.difference)) return found
    const related = relatedToLast(best.steps)
    if (related.length < best.steps.length) await attempt(related)
    for (let size = best.steps.length >> 1; size >= 1; size >>= 1)
      for (let end = best.steps.length - 1; end > 0; end = Math.min(end - size, best.steps.length - 1))
        await attempt(best.steps.toSpliced(Math.max(0, end - size), Math.min(size, end)))
    for (let at = best.steps.length - 1; at >= 0; at--)
      for (const name of Object.keys(fieldsOf(best.steps[at]?.input.body))) {
        const steps = best.steps.map((step, index) => (index === at ? withoutField(step, name) : step))
        if (steps.every(({ operation, input }) => isRecognizable(operation, input))) await attempt(steps)
      }
    return best
  }

  async #settle(found: Found, longest: Found): Promise<void> {
    const confirmed = await this.#compare(await this.#takeTwice(found.steps))
    if (confirmed) return this.#explain(confirmed, longest)
    // A difference that does not occur again is noise.
    this.#noise++
    this.#known.push(toKnown(found.difference), toKnown(longest.difference))
  }

  async #explain(found: Found, longest: Found): Promise<void> {
    const explanations: Explanation[] = []
    for (const one of candidates(found, this.#choices)) {
      const choices = { ...this.#choices, [one.name]: one.written }
      if (await this.#compare(found, choices)) continue
      // A choice that causes an earlier difference explains nothing, such as one that hides a missing field.
      const other = await this.#compare(longest, choices)
      if (!other || other.difference.n >= longest.difference.n) explanations.push(one)
    }
    const news = explanations.find((one) => this.#isNews(one))
    if (news) this.#learned.push(news)
    else this.#differences.push({ ...found, explanations })
    const first = news ?? explanations[0]
    // The sandbox makes the same choice from now on, so that the next difference can be seen.
    if (first) this.#choices = { ...this.#choices, [first.name]: first.written }
    else this.#known.push(toKnown(found.difference), toKnown(longest.difference))
  }

  /** Whether the profile leaves the entry undetermined. A choice that the search learned before is a difference. */
  #isNews({ name, written }: Explanation): boolean {
    const isKnown = this.#learned.some((one) => one.name === name && one.written === written)
    return this.#options.undetermined?.has(name) === true && !isKnown
  }

  #count({ steps, server, again }: Taken): void {
    for (const { n, operation } of steps) {
      const [first, second] = [server.get(n), again.get(n)]
      if (first && first.status >= 200 && first.status < 300)
        this.#successes.set(operation, (this.#successes.get(operation) ?? 0) + 1)
      if (first && second && first.status !== second.status) this.#noise++
    }
  }
}

/** The steps that share records or addresses with the last one, directly or by other steps. */
function relatedToLast(steps: readonly Step[]): readonly Step[] {
  const names = new Set<string>()
  return steps
    .toReversed()
    .filter((step, at) => {
      const own = ownNames(step)
      if (at > 0 && !own.some((name) => names.has(name))) return false
      for (const name of own) names.add(name)
      return true
    })
    .reverse()
}

function withoutField(step: Step, name: string): Step {
  const { [name]: _, ...body } = fieldsOf(step.input.body)
  return { ...step, input: { ...step.input, body } }
}

/** Each other choice of the entries that the sandbox relied on, beginning with the entries of the last step. */
function candidates({ steps, sandbox }: Found, choices: WrittenChoices): Explanation[] {
  const relied = new Set(steps.toReversed().flatMap(({ n }) => sandbox.get(n)?.reliedOn ?? []))
  const names = [...relied].flatMap((name) => assumptionNames.find((known) => known === name) ?? [])
  return names
    .filter((name) => name !== 'rateLimit')
    .flatMap((name) => {
      const { choices: all, assumed } = assumption(name)
      const current = (choices[name] ?? assumed).split(':')[0]
      const others = Object.entries(all).filter(([choice]) => choice !== current)
      // Choices with a number come last: a longer delay is the least likely explanation.
      others.sort(([, one], [, other]) => Number(typeof other === 'string') - Number(typeof one === 'string'))
      return others.map(([choice, meaning]) => ({
        name,
        written: typeof meaning === 'string' ? choice : `${choice}:${meaning.amount.usual}`,
      }))
    })
}

import fc from 'fast-check'
import { assumption, type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import { randomCommands } from './commands/index.ts'
import { Comparing, type Difference, firstDifference, type Known, toKnown } from './difference.ts'
import { Model, type Real } from './model.ts'
import { type Done, type OldTemplate, Sandboxes, type Side, type StartSandbox, type Trace } from './side.ts'
import type { Step, Steps } from './steps.ts'

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

/** The steps that lead to a difference, and their results. */
export interface Found extends Taken {
  readonly steps: Steps
  readonly difference: Difference
  readonly sandbox: Trace
}

/** The results of a server that received the same steps twice. */
interface Taken {
  /** The templates of the server before the steps, if they list any. */
  readonly before: readonly OldTemplate[] | undefined
  readonly server: Trace
  readonly again: Trace
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
  /** The number of answers that were not the same twice. */
  readonly noise: number
  /** How often each operation succeeded. */
  readonly successes: ReadonlyMap<OperationId, number>
}

/** After so many steps a new run begins, so that a difference is near its cause. */
const longestRun = 250
/** The search ends after so many runs in which nothing could be sent. */
const mostIdleRuns = 20

/** Runs random commands on a server and a sandbox, until there were enough steps or differences. */
export async function search(options: SearchOptions): Promise<Outcome> {
  const searching = new Search(options)
  try {
    await searching.run()
  } finally {
    await searching.close()
  }
  return searching.outcome
}

class Search {
  readonly #options: SearchOptions
  readonly #sandboxes: Sandboxes
  readonly #differences: ExplainedDifference[] = []
  readonly #learned: Explanation[] = []
  readonly #known: Known[] = []
  readonly #successes = new Map<OperationId, number>()
  #choices: WrittenChoices
  #steps = 0
  #noise = 0

  constructor(options: SearchOptions) {
    this.#options = options
    this.#sandboxes = new Sandboxes(options.startSandbox, options.server.target)
    this.#choices = options.choices
  }

  get outcome(): Outcome {
    const [differences, learned, successes] = [this.#differences, this.#learned, this.#successes]
    return { differences, learned, steps: this.#steps, noise: this.#noise, successes }
  }

  get #isOver(): boolean {
    return this.#options.server.client.stopped !== undefined || this.#differences.length >= this.#options.most
  }

  close(): Promise<void> {
    return this.#sandboxes.close()
  }

  async run(): Promise<void> {
    const { server, steps, seed, onSteps } = this.#options
    const listsTemplates = (await server.listTemplates()) !== undefined
    for (let run = 0, idle = 0; this.#steps < steps && idle < mostIdleRuns && !this.#isOver; run++) {
      const limit = Math.min(longestRun, steps - this.#steps)
      const newModel = (isBalanced: boolean) =>
        new Model({ target: server.target, choices: this.#choices, limit, listsTemplates, isBalanced })
      const taken = await this.#findAll(seed * 1000 + run, newModel)
      idle = taken === 0 ? idle + 1 : 0
      this.#steps += taken
      if (taken > 0) onSteps?.(this.#steps)
    }
  }

  /** Repeats a run until it shows no further difference, and returns the number of its steps. */
  async #findAll(seed: number, newModel: (isBalanced: boolean) => Model): Promise<number> {
    const wholes: (Taken & { readonly steps: Steps })[] = []
    for (let isDone = false; !isDone;) {
      /** From the whole run to the shortest that still shows a difference. */
      const found: Found[] = []
      let isFirst = true
      const property = fc.asyncProperty(randomCommands, async (commands) => {
        if (this.#isOver) return
        const isBalanced = isFirst
        isFirst = false
        const steps = await planSteps(commands, newModel(isBalanced))
        const whole = wholes[0] ?? (await this.#takeWhole(steps))
        wholes[0] = whole
        const isWhole = JSON.stringify(steps) === JSON.stringify(whole.steps)
        const taken = isWhole ? whole : await this.#takeOnce(steps)
        const one = await this.#compare(commands, { model: newModel(isBalanced), steps, taken })
        if (!one || !(isWhole || (await this.#isConfirmed(one)))) return
        found.push(one)
        throw new Error('There is a difference.')
      })
      await fc.check(property, { seed, numRuns: 1 })
      const [longest, shortest] = [found[0], found.at(-1)]
      if (longest && shortest && !this.#isOver) await this.#settle(shortest, longest)
      isDone = !longest || this.#isOver
    }
    return wholes[0]?.steps.length ?? 0
  }

  /** Runs the commands on a sandbox, up to the first step at which it does not do the same as the server. */
  async #compare(
    commands: Commands,
    { model, steps, taken }: { model: Model; steps: Steps; taken: Taken },
  ): Promise<Found | undefined> {
    const comparing = new Comparing(this.#comparison)
    const sandbox = new Map<number, Done>()
    let found: Found | undefined
    const side = await this.#sandboxes.with(this.#choices, taken.before)
    const take = side.begin(taken.before)
    const real: Real = async (step) => {
      const [server, again] = [taken.server.get(step.n), taken.again.get(step.n)]
      if (server?.outcome !== 'answered') return
      const done = await take(step)
      sandbox.set(step.n, done)
      const difference = comparing.next(step, { server, again, sandbox: done })
      if (!difference) return
      found = { ...taken, steps: steps.slice(0, step.n), difference, sandbox }
      throw new Error('There is a difference.')
    }
    // The commands after the difference do not run, so that fast-check leaves them out.
    await fc
      .asyncModelRun(() => ({ model, real }), commands)
      .catch((error: unknown) => {
        if (!found) throw error
      })
    await side.deleteTemplates(steps, sandbox)
    return found
  }

  get #comparison() {
    return { known: this.#known, wording: this.#options.wording }
  }

  async #settle(found: Found, longest: Found): Promise<void> {
    const taken = await this.#confirm(await this.#takeOnce(found.steps), found.steps)
    if (await this.#differenceWith(this.#choices, { ...found, ...taken })) {
      await this.#explain({ ...found, ...taken }, longest)
      return
    }
    // A difference that does not occur again is noise.
    this.#noise++
    this.#known.push(toKnown(found.difference), toKnown(longest.difference))
  }

  async #explain(found: Found, longest: Found): Promise<void> {
    const explanations: Explanation[] = []
    for (const one of candidates(found, this.#choices)) {
      const choices = { ...this.#choices, [one.name]: one.written }
      if ((await this.#differenceWith(choices, found)) === undefined) {
        // A choice that causes an earlier difference explains nothing, such as one that hides a missing field.
        const other = await this.#differenceWith(choices, longest)
        if (other === undefined || other.n >= longest.difference.n) explanations.push(one)
      }
    }
    const news = explanations.find((one) => this.#isNews(one))
    if (news) this.#learned.push(news)
    else this.#differences.push({ ...found, explanations })
    const first = news ?? explanations[0]
    // The sandbox makes the same choice from now on, so that the next difference can be seen.
    if (first) this.#choices = { ...this.#choices, [first.name]: first.written }
    else this.#known.push(toKnown(found.difference), toKnown(longest.difference))
  }

  async #differenceWith(choices: WrittenChoices, { steps, ...taken }: Found): Promise<Difference | undefined> {
    const side = await this.#sandboxes.with(choices, taken.before)
    const sent = steps.filter(({ n }) => taken.server.get(n)?.outcome === 'answered')
    const sandbox = await side.take(sent, taken.before)
    await side.deleteTemplates(steps, sandbox)
    return firstDifference(steps, { ...taken, sandbox }, this.#comparison)
  }

  /** Whether the profile leaves the entry undetermined. A choice that the search learned before is a difference. */
  #isNews({ name, written }: Explanation): boolean {
    const isKnown = this.#learned.some((one) => one.name === name && one.written === written)
    return this.#options.undetermined?.has(name) === true && !isKnown
  }

  async #takeWhole(steps: Steps): Promise<Taken & { readonly steps: Steps }> {
    const whole = { steps, ...(await this.#confirm(await this.#takeOnce(steps), steps)) }
    this.#count(whole)
    return whole
  }

  async #takeOnce(steps: Steps): Promise<Taken> {
    const { server: side } = this.#options
    const before = steps.some(({ operation }) => operation === 'listTemplates')
      ? await side.listOldTemplates()
      : undefined
    const server = await side.take(steps, before)
    await side.deleteTemplates(steps, server)
    return { before, server, again: server }
  }

  /** Sends the steps again, since a server that does not do the same twice would look like one that differs. */
  async #confirm(taken: Taken, steps: Steps): Promise<Taken> {
    const { server: again } = await this.#takeOnce(steps)
    return { ...taken, again }
  }

  async #isConfirmed({ steps, ...found }: Found): Promise<boolean> {
    const taken = await this.#confirm(found, steps)
    return firstDifference(steps, { ...found, ...taken }, this.#comparison) !== undefined
  }

  #count({ steps, server, again }: Taken & { readonly steps: Steps }): void {
    for (const { n, operation } of steps) {
      const [first, second] = [server.get(n), again.get(n)]
      if (first && first.status >= 200 && first.status < 300)
        this.#successes.set(operation, (this.#successes.get(operation) ?? 0) + 1)
      if (first && second && first.status !== second.status) this.#noise++
    }
  }
}

type Commands = Iterable<fc.AsyncCommand<Model, Real>>

/** The steps of the commands, without sending them. */
async function planSteps(commands: Commands, model: Model): Promise<Steps> {
  const steps: Step[] = []
  const real: Real = (step) => {
    steps.push(step)
    return Promise.resolve()
  }
  // A clone, since the commands that have run are marked.
  await fc.asyncModelRun(() => ({ model, real }), fc.cloneIfNeeded(commands))
  return steps
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

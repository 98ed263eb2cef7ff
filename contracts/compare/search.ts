import fc from 'fast-check'
import { assumption, type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import { randomCommands } from './stories.ts'
import {
  type Difference,
  firstDifference,
  isFurtherField,
  isSameAt,
  kindsOf,
  kindsOfSteps,
  placesOf,
  type StepKinds,
  withoutFurtherFields,
} from './difference.ts'
import { Model, type Real } from './model.ts'
import { type OldTemplate, Sandboxes, type Side, type StartSandbox, type Trace } from './side.ts'
import type { Step, Steps } from '../client/steps.ts'

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
  /** The names of fields that do not count; `null` for each field that is null. */
  readonly ignored: readonly string[]
  /** The number of differences after which the search ends, without those that a choice explains and further fields. */
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
  readonly difference: Difference
  readonly sandbox: Trace
}

/** The results of a server that received the same steps twice. */
interface Taken {
  readonly steps: Steps
  /** The templates of the server before the steps, if they list any. */
  readonly before: readonly OldTemplate[] | undefined
  readonly server: Trace
  readonly again: Trace
}

export interface ExplainedDifference extends Found {
  /** Empty if no entry of the register explains the difference. */
  readonly explanations: readonly Explanation[]
  /** The number of responses that had it, by operation. */
  readonly seen: Map<OperationId, number>
}

export interface SearchResult {
  readonly differences: readonly ExplainedDifference[]
  /** The behaviour of the server where the profile is undetermined. */
  readonly learned: readonly Explanation[]
  readonly steps: number
  /** The number of answers that were not the same twice. */
  readonly noise: number
  /** How often each operation succeeded. */
  readonly successes: ReadonlyMap<OperationId, number>
}

/** In steps. In a short run, a difference is near its cause. */
const longestRun = 250
/** The number of successive runs without a request after which the search ends. */
const mostIdleRuns = 20

/** Runs random commands on a server and a sandbox, until there are enough steps or differences. */
export const search = (options: SearchOptions): Promise<SearchResult> => new Search(options).run()

class Search {
  readonly #options: SearchOptions
  readonly #sandboxes: Sandboxes
  readonly #differences: ExplainedDifference[] = []
  readonly #learned: Explanation[] = []
  readonly #known = new Set<string>()
  readonly #contradicted = new Set<AssumptionName>()
  readonly #successes = new Map<OperationId, number>()
  #choices: WrittenChoices
  /** The differences that count towards `--limit`. */
  #counted = 0
  #steps = 0
  #noise = 0

  constructor(options: SearchOptions) {
    this.#options = options
    this.#sandboxes = new Sandboxes(options.startSandbox, options.server.target)
    this.#choices = options.choices
  }

  get #isOver(): boolean {
    return this.#options.server.client.stopped !== undefined || this.#counted >= this.#options.most
  }

  async run(): Promise<SearchResult> {
    try {
      await this.#findDifferences()
    } finally {
      await this.#sandboxes.close()
    }
    const [differences, learned, successes] = [this.#differences, this.#learned, this.#successes]
    return { differences, learned, steps: this.#steps, noise: this.#noise, successes }
  }

  async #findDifferences(): Promise<void> {
    const { server, steps, seed, onSteps } = this.#options
    const listsTemplates = (await server.listTemplates()) !== undefined
    for (let run = 0, idle = 0; this.#steps < steps && idle < mostIdleRuns && !this.#isOver; run++) {
      const limit = Math.min(longestRun, steps - this.#steps)
      const newModel: NewModel = (isBalanced) =>
        new Model({ target: server.target, choices: this.#choices, limit, listsTemplates, isBalanced })
      const taken = await this.#findAll(seed * 1000 + run, newModel)
      idle = taken === 0 ? idle + 1 : 0
      this.#steps += taken
      if (taken > 0) onSteps?.(this.#steps)
    }
  }

  /** Repeats a run until it shows no further difference, and returns the number of its steps. */
  async #findAll(seed: number, newModel: NewModel): Promise<number> {
    const [commands = []] = fc.sample(randomCommands, { seed, numRuns: 1 })
    const whole = await this.#takeTwice(await planSteps(commands, newModel(true)))
    this.#count(whole)
    for (;;) {
      const found = await this.#findOne(seed, newModel, whole)
      const [longest, shortest] = [found[0], found.at(-1)]
      if (!longest || !shortest || this.#isOver) break
      await this.#settle(shortest, longest, whole)
    }
    for (const { step, kinds } of await this.#kindsIn(whole, this.#choices))
      for (const { difference, explanations, seen } of this.#differences)
        if (explanations.length === 0 && kindsOf(difference).some((kind) => kinds.includes(kind))) count(seen, step)
    return whole.steps.length
  }

  /** The same difference in shorter and shorter runs, if there is one. The whole run of the seed is not sent again. */
  async #findOne(seed: number, newModel: NewModel, whole: Taken): Promise<readonly Found[]> {
    const found: Found[] = []
    const property = fc.asyncProperty(randomCommands, async (commands) => {
      if (this.#isOver) return
      // The first run is the whole one.
      const isBalanced = found.length === 0
      const steps = await planSteps(commands, newModel(isBalanced))
      const isWhole = JSON.stringify(steps) === JSON.stringify(whole.steps)
      const one = await this.#compare(isWhole ? whole : await this.#takeOnce(steps), this.#choices)
      if (!one || !(isWhole || (await this.#isConfirmed(one)))) return
      found.push(one)
      await runUpTo(one.difference.n, commands, newModel(isBalanced))
      throw new Error('There is a difference.')
    })
    await fc.check(property, { seed, numRuns: 1 })
    return found
  }

  /** Sends the steps to a sandbox, and cuts them off where it does not do the same as the server. */
  async #compare(taken: Taken, choices: WrittenChoices): Promise<Found | undefined> {
    const sandbox = await this.#replay(taken, choices)
    const difference = firstDifference(taken.steps, { ...taken, sandbox }, this.#comparison)
    return difference && { ...taken, steps: taken.steps.slice(0, difference.n), difference, sandbox }
  }

  async #replay({ before, steps, server }: Taken, choices: WrittenChoices): Promise<Trace> {
    const side = await this.#sandboxes.with(choices, before)
    const sandbox = await side.take(
      steps.filter(({ n }) => server.get(n)?.outcome === 'answered'),
      before,
    )
    await side.deleteTemplates(steps, sandbox)
    return sandbox
  }

  async #kindsIn(taken: Taken, choices: WrittenChoices): Promise<readonly StepKinds[]> {
    const sandbox = await this.#replay(taken, choices)
    return [...kindsOfSteps(taken.steps, { ...taken, sandbox }, this.#comparison)]
  }

  get #comparison() {
    const { wording, ignored } = this.#options
    return { known: this.#known, wording, ignored }
  }

  async #settle(found: Found, longest: Found, whole: Taken): Promise<void> {
    const taken = await this.#takeTwice(found.steps)
    if (await this.#compare(taken, this.#choices)) {
      await this.#explain({ ...found, ...taken }, longest, whole)
      return
    }
    // A difference that does not occur again is noise.
    this.#noise++
    for (const place of [found, longest].flatMap(({ difference }) => placesOf(difference))) this.#known.add(place)
  }

  async #explain(found: Found, longest: Found, whole: Taken): Promise<void> {
    const explained = await this.#withExplanations(found, longest)
    const { explanations } = explained
    const open = explanations.filter(({ name }) => !(name in this.#choices))
    const news = open.find(({ name }) => this.#options.undetermined?.has(name))
    const first = news ?? open[0]
    // A server that contradicts the profile, or itself, is reported once.
    const contradicted = first ? undefined : explanations[0]?.name
    if (news) this.#learned.push(news)
    else if (contradicted === undefined || !this.#contradicted.has(contradicted)) {
      if (this.#isCounted(explained)) this.#counted++
      this.#differences.push(explained)
    }
    if (!first) {
      if (contradicted) this.#contradicted.add(contradicted)
      const places = [found, longest].flatMap(({ difference }) => placesOf(difference))
      for (const known of [...kindsOf(found.difference), ...places]) this.#known.add(known)
      return
    }
    // The sandbox makes the same choice from now on, so that the next difference can be seen.
    const choices = { ...this.#choices, [first.name]: first.written }
    const left = new Map((await this.#kindsIn(whole, choices)).map(({ step, kinds }) => [step.n, kinds.length]))
    for (const { step, kinds } of await this.#kindsIn(whole, this.#choices))
      if ((left.get(step.n) ?? 0) < kinds.length) count(explained.seen, step)
    this.#choices = choices
  }

  /** Finds the choices with which the sandbox does the same, or else the first without which only further fields are left. */
  async #withExplanations(found: Found, longest: Found): Promise<ExplainedDifference> {
    const [explanations, partial]: [Explanation[], ExplainedDifference[]] = [[], []]
    for (const one of candidates(found, this.#choices)) {
      const choices = { ...this.#choices, [one.name]: one.written }
      const sandbox = await this.#replay(found, choices)
      const compared = [found.steps, { ...found, sandbox }, this.#comparison] as const
      const rest = firstDifference(...compared)
      const difference = rest ? withoutFurtherFields(found.difference, rest) : found.difference
      if (!difference || !(rest ?? isSameAt(difference.n, ...compared))) continue
      // A choice that causes an earlier difference explains nothing, such as one that hides a missing field.
      const other = await this.#compare(longest, choices)
      if (other && other.difference.n < longest.difference.n) continue
      if (rest) partial.push({ ...found, difference, explanations: [one], seen: new Map() })
      else explanations.push(one)
    }
    const whole = { ...found, explanations, seen: new Map<OperationId, number>() }
    return explanations.length > 0 ? whole : (partial[0] ?? whole)
  }

  /** A choice is found once, and so is a field that only the server shows: they do not end the search. */
  #isCounted({ difference, explanations: [first] }: ExplainedDifference): boolean {
    if (!first) return !difference.places.every(isFurtherField)
    return this.#differences.some(({ explanations: [earlier] }) => earlier?.name === first.name)
  }

  /** Sends the steps twice, since a server that does not do the same twice would look like one that differs. */
  async #takeTwice(steps: Steps): Promise<Taken> {
    const taken = await this.#takeOnce(steps)
    return { ...taken, again: (await this.#takeOnce(steps)).server }
  }

  async #takeOnce(steps: Steps): Promise<Taken> {
    const { server: side } = this.#options
    const listsTemplates = steps.some(({ operation }) => operation === 'listTemplates')
    const before = listsTemplates ? await side.listOldTemplates() : undefined
    const server = await side.take(steps, before)
    await side.deleteTemplates(steps, server)
    return { before, steps, server, again: server }
  }

  async #isConfirmed(found: Found): Promise<boolean> {
    const { server: again } = await this.#takeOnce(found.steps)
    return firstDifference(found.steps, { ...found, again }, this.#comparison) !== undefined
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

const count = (seen: Map<OperationId, number>, { operation }: Step) =>
  void seen.set(operation, (seen.get(operation) ?? 0) + 1)

type NewModel = (isBalanced: boolean) => Model

type Commands = Iterable<fc.AsyncCommand<Model, Real>>

/** The steps of the commands, without sending them. */
async function planSteps(commands: Commands, model: Model): Promise<Steps> {
  const steps: Step[] = []
  const real: Real = (step) => Promise.resolve(void steps.push(step))
  // A clone, since the commands that have run are marked.
  await fc.asyncModelRun(() => ({ model, real }), fc.cloneIfNeeded(commands))
  return steps
}

/** Marks the commands up to a step as run, so that fast-check leaves out the others. */
async function runUpTo(last: number, commands: Commands, model: Model): Promise<void> {
  const end = new Error('The last step is sent.')
  const real: Real = ({ n }) => (n < last ? Promise.resolve() : Promise.reject(end))
  await fc
    .asyncModelRun(() => ({ model, real }), commands)
    .catch((error: unknown) => {
      if (error !== end) throw error
    })
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

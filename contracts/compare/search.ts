import { assumption, type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import { leaveOutFields, shorten } from '../judge/shorten.ts'
import { storiesOfRound, type ToldStory } from './stories.ts'
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
  readonly story: Steps
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

/** In requests, for a story, and again for its fields. */
const mostToShorten = 200

/** So many earlier stories must show no difference with a choice that explains one. */
const mostEqual = 8

/** Tells stories to a server and a sandbox, until there are enough steps or differences. */
export const search = (options: SearchOptions): Promise<SearchResult> => new Search(options).run()

class Search {
  readonly #options: SearchOptions
  readonly #sandboxes: Sandboxes
  readonly #differences: ExplainedDifference[] = []
  readonly #learned: Explanation[] = []
  readonly #known = new Set<string>()
  readonly #contradicted = new Set<AssumptionName>()
  readonly #successes = new Map<OperationId, number>()
  /** The latest stories of each kind that showed no difference. */
  readonly #equal = new Map<string, readonly Taken[]>()
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
    for (let round = 0; ; round++) {
      const before = this.#steps
      for (const situation of storiesOfRound(seed * 1000 + round, server.target)) {
        const taken = await this.#findAll(situation, { limit: steps - this.#steps, listsTemplates })
        this.#steps += taken
        if (Math.floor(this.#steps / 100) > Math.floor((this.#steps - taken) / 100)) onSteps?.(this.#steps)
        if (this.#steps >= steps || this.#isOver) return
      }
      // Where a run may only read, each round is the same.
      if (this.#steps === before || server.target.upTo === 'read') return
    }
  }

  /** Finds one difference after the other in a story, and returns the number of its steps. */
  async #findAll({ about, story }: ToldStory, limits: { limit: number; listsTemplates: boolean }): Promise<number> {
    const { server: side } = this.#options
    const before = listing.includes(about) ? await side.listOldTemplates() : undefined
    const { steps, trace: server } = await side.tell(story, { ...limits, choices: this.#choices, before })
    await side.deleteTemplates(steps, server)
    const { server: again } = await this.#takeOnce(steps)
    const whole: Taken = { before, story: steps, server, again }
    this.#count(whole)
    for (let isEqual = true; ; isEqual = false) {
      const longest = this.#isOver ? undefined : await this.#compare(whole, this.#choices)
      const equal = this.#equal.get(about) ?? []
      if (!longest && isEqual) this.#equal.set(about, [whole, ...equal].slice(0, mostEqual))
      if (!longest) break
      const shorter = await shorten(longest, this.#findIn, mostToShorten)
      const kinds = kindsOf(shorter.difference).join()
      const sameIn = async (steps: Steps) => {
        const found = await this.#findIn(steps)
        return found && kindsOf(found.difference).join() === kinds ? found : undefined
      }
      await this.#settle(await leaveOutFields(shorter, sameIn, mostToShorten), longest, whole, equal)
    }
    const open = this.#differences.filter(({ explanations }) => explanations.length === 0)
    for (const { step, kinds } of open.length > 0 ? await this.#kindsIn(whole, this.#choices) : [])
      for (const { difference, seen } of open)
        if (kindsOf(difference).some((kind) => kinds.includes(kind))) count(seen, step)
    return steps.length
  }

  /** A difference in fewer steps, if there is one that occurs again. */
  readonly #findIn = async (steps: Steps): Promise<Found | undefined> => {
    if (this.#isOver) return undefined
    const numbered = steps.map((step, at) => ({ ...step, n: at + 1 }))
    const found = await this.#compare(await this.#takeOnce(numbered), this.#choices)
    return found && (await this.#isConfirmed(found)) ? found : undefined
  }

  /** Sends the steps to a sandbox, and cuts them off where it does not do the same as the server. */
  async #compare(taken: Taken, choices: WrittenChoices): Promise<Found | undefined> {
    const sandbox = await this.#replay(taken, choices)
    const difference = firstDifference(taken.story, { ...taken, sandbox }, this.#comparison)
    return difference && { ...taken, story: taken.story.slice(0, difference.n), difference, sandbox }
  }

  async #replay({ before, story: steps, server }: Taken, choices: WrittenChoices): Promise<Trace> {
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
    return [...kindsOfSteps(taken.story, { ...taken, sandbox }, this.#comparison)]
  }

  get #comparison() {
    const { wording, ignored } = this.#options
    return { known: this.#known, wording, ignored }
  }

  async #settle(found: Found, longest: Found, whole: Taken, equal: readonly Taken[]): Promise<void> {
    const taken = await this.#takeTwice(found.story)
    if (await this.#compare(taken, this.#choices)) {
      await this.#explain({ ...found, ...taken }, longest, whole, equal)
      return
    }
    // A difference that does not occur again is noise.
    this.#noise++
    for (const place of [found, longest].flatMap(({ difference }) => placesOf(difference))) this.#known.add(place)
  }

  async #explain(found: Found, longest: Found, whole: Taken, equal: readonly Taken[]): Promise<void> {
    const explained = await this.#withExplanations(found, longest, equal)
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
  async #withExplanations(found: Found, longest: Found, equal: readonly Taken[]): Promise<ExplainedDifference> {
    const [explanations, partial]: [Explanation[], ExplainedDifference[]] = [[], []]
    for (const one of candidates(found, this.#choices)) {
      const choices = { ...this.#choices, [one.name]: one.written }
      const sandbox = await this.#replay(found, choices)
      const compared = [found.story, { ...found, sandbox }, this.#comparison] as const
      const rest = firstDifference(...compared)
      const difference = rest ? withoutFurtherFields(found.difference, rest) : found.difference
      if (!difference || !(rest ?? isSameAt(difference.n, ...compared))) continue
      // A choice that causes an earlier difference explains nothing, such as one that hides a missing field.
      const other = await this.#compare(longest, choices)
      if (other && other.difference.n < longest.difference.n) continue
      if (!(one.name in this.#choices) && (await this.#causesOne(choices, equal))) continue
      if (rest) partial.push({ ...found, difference, explanations: [one], seen: new Map() })
      else explanations.push(one)
    }
    const whole = { ...found, explanations, seen: new Map<OperationId, number>() }
    return explanations.length > 0 ? whole : (partial[0] ?? whole)
  }

  async #causesOne(choices: WrittenChoices, equal: readonly Taken[]): Promise<boolean> {
    for (const earlier of equal) if (await this.#compare(earlier, choices)) return true
    return false
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
    return { before, story: steps, server, again: server }
  }

  async #isConfirmed(found: Found): Promise<boolean> {
    const { server: again } = await this.#takeOnce(found.story)
    return firstDifference(found.story, { ...found, again }, this.#comparison) !== undefined
  }

  #count({ story, server, again }: Taken): void {
    for (const { n, operation } of story) {
      const [first, second] = [server.get(n), again.get(n)]
      if (first && first.status >= 200 && first.status < 300)
        this.#successes.set(operation, (this.#successes.get(operation) ?? 0) + 1)
      if (first && second && first.status !== second.status) this.#noise++
    }
  }
}

const count = (seen: Map<OperationId, number>, { operation }: Step) =>
  void seen.set(operation, (seen.get(operation) ?? 0) + 1)

/** The kinds of stories that list templates. */
const listing: readonly string[] = ['templates', 'fields', 'operations']

/** Each other choice of the entries that the sandbox relied on, beginning with the entries of the last step. */
function candidates({ story, sandbox }: Found, choices: WrittenChoices): Explanation[] {
  const relied = new Set(story.toReversed().flatMap(({ n }) => sandbox.get(n)?.reliedOn ?? []))
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

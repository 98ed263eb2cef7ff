import type { Caller } from '../../client/target/credentials.ts'
import { rows } from '../../client/operations/index.ts'
import { isWithin, type Target } from '../../client/target/target.ts'
import { operations } from '../../spec/operations.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import { episodes } from './episodes/index.ts'
import { Looks } from './looks.ts'
import { spoil } from './mistakes.ts'
import { moves } from './moves/index.ts'
import { Pen } from './pen.ts'
import { drawFrom, type StepInput, type Walk } from './walk.ts'
import { type Decks, Walker } from './walker.ts'

interface WalkOptions {
  readonly target: Target
  readonly choices: WrittenChoices
  readonly seed: number
  readonly steps: number
  /** What the walks before have not dealt yet, so that this one begins with it. */
  readonly decks?: Decks
  /** Whether the templates of the team can be listed: too many others hide those of the walk. */
  readonly listsTemplates: boolean
}

/** A random walk through the operations that a run may call, the same for the same seed and decks. */
export function generateWalk(options: WalkOptions): Walk {
  const { target, choices, seed, steps, decks = new Map<string, number[]>(), listsTemplates } = options
  const draw = drawFrom(seed)
  const walker = new Walker({ target, draw, choices, decks })
  const possible = (Object.keys(moves) as OperationId[]).filter(
    (id) => mayCall(id, target) && (id !== 'listTemplates' || listsTemplates),
  )
  const writer = new Writer(new Pen(walker, possible), possible)
  for (let idle = 0; walker.steps.length < steps && idle < 1000;) {
    const before = walker.steps.length
    writer.goOn()
    idle = walker.steps.length > before ? 0 : idle + 1
  }
  return walker.steps.slice(0, steps)
}

function mayCall(id: OperationId, { upTo }: Target): boolean {
  const { effect, method } = operations[id]
  return isWithin(effect, upTo) && (upTo !== 'read' || method === 'get')
}

/** Chooses what a walk does next. */
class Writer {
  readonly #pen: Pen
  readonly #looks: Looks
  readonly #drawn: readonly OperationId[]

  constructor(pen: Pen, possible: readonly OperationId[]) {
    this.#pen = pen
    this.#looks = new Looks(pen)
    this.#drawn = possible.flatMap((id) => Array<OperationId>(moves[id].weight).fill(id))
  }

  goOn(): void {
    const { walker } = this.#pen
    const kind = walker.draw(100)
    if (kind < 8) this.#repeat()
    else if (kind < 20) this.#mistake()
    else if (kind < 56) walker.deal('episodes', episodes)(this.#pen, this.#looks)
    else this.#good(walker.deal('operations', this.#drawn))
  }

  /** A request that should succeed, and often a look at what it did. */
  #good(operation: OperationId, more: Partial<StepInput> = {}): void {
    const { walker } = this.#pen
    const draft = this.#pen.draft(operation)
    if (!draft) return
    const key = operations[operation].takesIdempotencyKey && walker.chance(20) ? { key: walker.mint.key() } : {}
    const input = { ...draft, ...key, ...this.#someoneElse(operation), ...more }
    if (input.caller !== undefined && input.caller !== 'admin') {
      this.#pen.add(operation, input)
      return
    }
    const n = this.#pen.addGood(operation, input)
    const changes = /^(?:update|delete)/.test(operation)
    if (n !== undefined && walker.chance(changes ? 80 : 45)) this.#looks.at(operation, n, input)
  }

  /** No other caller creates a record: only the key of the team may be at hand to clean up after a run that was killed. */
  #someoneElse(operation: OperationId): { caller?: Caller } {
    const { walker } = this.#pen
    if (rows[operation].makes) return {}
    const others = (['otherTeam', 'admin', 'agent'] as const).filter((who) => walker.target.credentials[who])
    return others.length > 0 && walker.chance(8) ? { caller: walker.oneOf(others) } : {}
  }

  #mistake(): void {
    const { walker } = this.#pen
    const operation = walker.anyOf(this.#drawn)
    const good = this.#pen.draft(operation)
    if (good) this.#pen.add(operation, spoil(walker, operation, good))
  }

  /** An earlier request again: as it was, with its key and another body, or its key on something else. */
  #repeat(): void {
    const { walker } = this.#pen
    const earlier = walker.steps.slice(-15).filter(({ operation }) => this.#pen.may(operation))
    if (earlier.length === 0) return
    const { operation, input } = walker.anyOf(earlier)
    const takesKey = operations[operation].takesIdempotencyKey
    const way = walker.draw(10)
    if (typeof input.key !== 'string' && takesKey && walker.chance(40)) {
      const keyed = { ...input, key: walker.mint.key() }
      this.#pen.addGood(operation, keyed)
      this.#pen.add(operation, keyed)
    } else if (way < 6 || typeof input.key !== 'string') {
      this.#pen.addGood(operation, input)
    } else if (way < 8) {
      this.#good(operation, { key: input.key })
    } else {
      const others = this.#drawn.filter((id) => operations[id].takesIdempotencyKey && id !== operation)
      if (others.length > 0) this.#good(walker.oneOf(others), { key: input.key })
    }
  }
}

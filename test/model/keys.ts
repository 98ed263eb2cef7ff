import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../mock/core/clock.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Told } from '../mock/harness.ts'
import type { Asked } from './team-model.ts'

const oneDay = 24 * 60 * 60 * 1000

/** A request of a team. A spoilt one must be refused. */
export interface Question {
  readonly id: OperationId
  readonly asked: Asked
  readonly key: string | undefined
  readonly isSpoilt: boolean
}

/** The first success with a key. */
export interface Kept {
  readonly question: Question
  readonly told: Told
  readonly at: number
}

/** The answers to the keys of a team, kept for a day. */
export class Keys {
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  before({ key = '' }: Question): Kept | undefined {
    const kept = this.#kept.get(key)
    return kept && this.#clock.now() - kept.at <= oneDay ? kept : undefined
  }

  keep(question: Question, told: Told): void {
    const { key } = question
    if (key === undefined || told.status >= 400 || this.before(question)) return
    this.#kept.set(key, { question, told, at: this.#clock.now() })
  }
}

/** Whether the request is the same. It does not matter who sends it, because a key belongs to the team. */
export function isAgain({ question }: Kept, { id, asked }: Question): boolean {
  const { path, query, body } = asked
  const before = question.asked
  return question.id === id && isDeepStrictEqual([before.path, before.query, before.body], [path, query, body])
}

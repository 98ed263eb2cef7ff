import { setImmediate } from 'node:timers/promises'
import { type Answer, fieldsOf } from '../../client/answer.ts'
import { Client, type ClientOptions, type Observer } from '../../client/client.ts'
import { NotAllowed, StepFailed } from '../../client/errors.ts'
import type { Exchange } from '../../client/exchange.ts'
import type { Mint } from '../../client/mint.ts'
import type { Input } from '../../client/request.ts'
import { sleep } from '../../client/sleep.ts'
import type { Target } from '../../client/target/target.ts'
import { operations } from '../../spec/operations.ts'
import type { Voice } from '../../spec/voice/voice.ts'
import { Names } from './names.ts'
import { fillIn, type Step, type Walk } from './walk.ts'
import { withoutVoice } from './without-voice.ts'

/** What one side did at a step. */
export interface Done {
  /** Nothing was sent, since the operator does not allow it; or no answer came, or none in time. */
  readonly outcome: 'answered' | 'notSent' | 'unanswered'
  readonly status: number
  /** The answer in the words of the walk. */
  readonly body: unknown
  /** The answer as it came. */
  readonly raw: unknown
  readonly exchange?: Exchange
  /** The entries of the register that a sandbox says it relied on. */
  readonly reliedOn: readonly string[]
}

/** What one side did at each step of a walk, by the number of the step. */
export type Trace = ReadonlyMap<number, Done>

/** The teams that a walk asks with the keys of. */
const teamsOfWalk = ['team', 'otherTeam'] as const
type TeamOfWalk = (typeof teamsOfWalk)[number]

/** A template that was there before a walk. */
export interface OldTemplate {
  readonly of: TeamOfWalk
  readonly _id: string
  readonly templateType: string
  readonly status: string
}

interface SideOptions extends Omit<ClientOptions, 'observer'> {
  /** What of its answers is known and not compared. */
  readonly voice?: Voice | undefined
  readonly signal?: AbortSignal | undefined
}

const notJson = 'not JSON'
/** A scheduled or delayed effect is not waited for longer than this, in milliseconds. */
export const longestPause = 2_000

/** A server that takes walks. */
export class Side {
  readonly client: Client
  readonly target: Target
  readonly #mint: Mint
  readonly #voice: Voice
  readonly #signal: AbortSignal | undefined
  #last: Pick<Done, 'exchange' | 'reliedOn'> = { reliedOn: [] }

  constructor({ target, mint, signal, voice = {}, ...options }: SideOptions) {
    this.target = target
    this.#mint = mint
    this.#voice = voice
    this.#signal = signal
    this.client = new Client({ target, mint, ...options, observer: this.#observer })
    signal?.addEventListener('abort', () => {
      this.client.stop('the run was interrupted')
    })
  }

  readonly #observer: Observer = {
    onAnswer: (_, exchange) => {
      const header = String(exchange.incoming.headers['x-sandbox-assumed'] ?? '')
      const learned = String(exchange.incoming.headers['x-sandbox-learned'] ?? '')
      this.#last = { exchange, reliedOn: `${header}, ${learned}`.split(', ').filter(Boolean) }
    },
    onNoAnswer: () => undefined,
    onChoice: () => undefined,
  }

  /** Takes all steps but those that the other side was not allowed to take. */
  async take(walk: Walk, before: readonly OldTemplate[] = [], leftOut?: Trace): Promise<Trace> {
    const names = new Names(this.#mint, this.target, new Set(before.map(({ _id }) => _id)))
    const trace = new Map<number, Done>()
    for (const step of walk) {
      if (this.client.stopped) break
      if (leftOut && leftOut.get(step.n)?.outcome !== 'answered') continue
      const done = await this.#takeStep(step, names)
      trace.set(step.n, done)
      names.keep(step.n, done.raw)
      if (step.pause !== undefined && done.status < 300) await sleep(step.pause, this.#signal)
    }
    return trace
  }

  async #takeStep({ operation, input }: Step, names: Names): Promise<Done> {
    if (operations[operation].method !== 'get') await nextMillisecond()
    this.#last = { reliedOn: [] }
    try {
      const answer = await this.client.call(operation, toInput(fillIn(input, names.valueOf)))
      const raw = answer.body ?? notJson
      const body = names.recognize(withoutVoice(operation, raw, this.#voice))
      return { outcome: 'answered', status: answer.status, raw, body, ...this.#last }
    } catch (error) {
      const nothing = { status: 0, raw: undefined, body: undefined, reliedOn: [] }
      if (error instanceof NotAllowed) return { outcome: 'notSent', ...nothing }
      if (error instanceof StepFailed) return { outcome: 'unanswered', ...nothing }
      throw error
    }
  }

  /** The templates of both teams, each in the order of the list. */
  async listOldTemplates(): Promise<readonly OldTemplate[]> {
    const found: OldTemplate[] = []
    for (const team of teamsOfWalk) found.push(...((await this.listTemplates(team)) ?? []))
    return found
  }

  /** The templates of a team, in the order of the list; `undefined` when they are too many to read. */
  async listTemplates(team: TeamOfWalk = 'team'): Promise<readonly OldTemplate[] | undefined> {
    if (this.target.credentials[team] === undefined) return []
    const found: OldTemplate[] = []
    for (let page = 1; page <= 10; page++) {
      const answer = await this.#readPage(team, page)
      if (!answer?.succeeded) return page === 1 ? [] : undefined
      found.push(...[answer.fields.data].flat().flatMap((one) => toOldTemplate(team, fieldsOf(one))))
      if (fieldsOf(answer.fields.pagination).hasMore !== true) return found
    }
    return undefined
  }

  async #readPage(caller: TeamOfWalk, page: number): Promise<Answer | undefined> {
    const query = {
      types: ['sms', 'email', 'whatsapp'],
      statuses: ['pending', 'approved', 'rejected'],
      limit: 100,
      page,
    }
    try {
      return await this.client.call('listTemplates', { caller, query })
    } catch (error) {
      if (error instanceof NotAllowed || error instanceof StepFailed) return undefined
      throw error
    }
  }

  /** Deletes the templates of a walk, since those of the next one stand in the same list. */
  async deleteTemplates(walk: Walk, trace: Trace): Promise<void> {
    const created = walk.filter(({ operation }) => operation === 'createTemplate').map(({ n }) => trace.get(n)?.raw)
    const ids = new Set(created.map((body) => fieldsOf(fieldsOf(body).data)._id).filter((id) => typeof id === 'string'))
    for (const templateId of ids) {
      if (this.client.stopped) return
      await this.client.call('deleteTemplate', { path: { templateId } }).catch((error: unknown) => {
        if (!(error instanceof NotAllowed || error instanceof StepFailed)) throw error
      })
    }
  }
}

function toOldTemplate(
  of: TeamOfWalk,
  { _id, templateType, status }: Readonly<Record<string, unknown>>,
): OldTemplate[] {
  if (typeof _id !== 'string' || typeof templateType !== 'string' || typeof status !== 'string') return []
  return [{ of, _id, templateType, status }]
}

/** The input of a call. */
export function toInput(filled: unknown): Input {
  const { fields, ...input } = filled as Input & { fields?: Readonly<Record<string, string>> }
  if (!fields) return input
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return { ...input, form }
}

/** So that what a request writes has another time than what was there before. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now()
  while (Date.now() === now) await setImmediate()
}

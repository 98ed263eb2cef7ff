import { fieldsOf } from '../../client/answer.ts'
import { Client, type ClientOptions, type Observer } from '../../client/client.ts'
import { NotAllowed, StepFailed } from '../../client/errors.ts'
import { createMint, type Mint, newMarks } from '../../client/mint.ts'
import type { StartedTarget } from '../../client/run.ts'
import { sleep } from '../../client/sleep.ts'
import { createTarget, type Target } from '../../client/target/target.ts'
import type { Send } from '../../client/transport.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { operations } from '../../spec/operations.ts'
import { Names, toInput } from './names.ts'
import type { Step } from './plan.ts'

/** The result of a step on one side. */
export interface Result {
  /** `notSent`: the operator does not allow the request. */
  readonly outcome: 'answered' | 'notSent' | 'unanswered'
  readonly status: number
  /** The response with names instead of values. */
  readonly body: unknown
  readonly raw: unknown
  /** The entries of the register that a sandbox relied on. */
  readonly reliedOn: readonly string[]
}

/** The results of one side, by the number of the step. */
export type Results = ReadonlyMap<number, Result>

/** A template that existed before a run. */
export interface OldTemplate {
  readonly _id: string
  readonly templateType: string
  readonly status: string
}

/** The server, or a sandbox. */
export class Side {
  readonly client: Client
  readonly target: Target
  readonly #mint: Mint
  readonly #signal: AbortSignal | undefined
  #reliedOn: readonly string[] = []

  constructor({ target, mint, signal, ...options }: Omit<ClientOptions, 'observer'>) {
    this.target = target
    this.#mint = mint
    this.#signal = signal
    this.client = new Client({ target, mint, ...options, observer: this.#observer })
    signal?.addEventListener('abort', () => {
      this.client.stop('the run was interrupted')
    })
  }

  readonly #observer: Observer = {
    onAnswer: (_, { incoming: { headers } }) => {
      const marks = [headers['x-sandbox-assumed'], headers['x-sandbox-learned']].map((mark) => String(mark ?? ''))
      this.#reliedOn = marks.join(', ').split(', ').filter(Boolean)
    },
    onNoAnswer: () => undefined,
    onChoice: () => undefined,
  }

  /** Returns a function that sends one step after the other. */
  begin(before: readonly OldTemplate[] = []): (step: Step) => Promise<Result> {
    const names = new Names(this.#mint, this.target, new Set(before.map(({ _id }) => _id)))
    return async (step) => {
      const result = await this.#send(step, names)
      names.store(step.n, result.raw)
      if (step.pause > 0 && result.status < 300) await sleep(step.pause, this.#signal)
      return result
    }
  }

  async #send({ operation, input }: Step, names: Names): Promise<Result> {
    // An update and a creation must not have the same time.
    if (operations[operation].method !== 'get') await sleep(2)
    this.#reliedOn = []
    try {
      const answer = await this.client.call(operation, toInput(input, names.valueOf))
      const raw = answer.body ?? 'not JSON'
      const body = names.recognize(raw)
      return { outcome: 'answered', status: answer.status, raw, body, reliedOn: this.#reliedOn }
    } catch (error) {
      if (!isRefused(error)) throw error
      const outcome = error instanceof NotAllowed ? 'notSent' : 'unanswered'
      return { outcome, status: 0, raw: undefined, body: undefined, reliedOn: [] }
    }
  }

  /** Returns the templates of the team, in the order of the list; `undefined` when they are too many to read. */
  async listTemplates(): Promise<readonly OldTemplate[] | undefined> {
    const found: OldTemplate[] = []
    for (let page = 1; page <= 10; page++) {
      const query = {
        types: ['sms', 'email', 'whatsapp'],
        statuses: ['pending', 'approved', 'rejected'],
        limit: 100,
        page,
      }
      const answer = await this.client.call('listTemplates', { query }).catch(ignoreRefused)
      if (!answer?.succeeded) return page === 1 ? [] : undefined
      found.push(...[answer.fields.data].flat().filter(isTemplate))
      if (fieldsOf(answer.fields.pagination).hasMore !== true) return found
    }
    return undefined
  }

  /** Deletes the templates of a run, so that the lists of the next run do not grow. */
  async deleteTemplates(steps: readonly Step[], results: Results): Promise<void> {
    const created = steps.filter(({ operation }) => operation === 'createTemplate').map(({ n }) => results.get(n)?.raw)
    const ids = new Set(created.map((body) => fieldsOf(fieldsOf(body).data)._id).filter((id) => typeof id === 'string'))
    for (const templateId of ids) {
      if (this.client.stopped) return
      await this.client.call('deleteTemplate', { path: { templateId } }).catch(ignoreRefused)
    }
  }
}

const isRefused = (error: unknown) => error instanceof NotAllowed || error instanceof StepFailed

function ignoreRefused(error: unknown): undefined {
  if (!isRefused(error)) throw error
}

const isTemplate = (value: unknown): value is OldTemplate =>
  ['_id', 'templateType', 'status'].every((name) => typeof fieldsOf(value)[name] === 'string')

/** Starts a sandbox in process with these choices and templates. */
export type StartSandbox = (
  choices: WrittenChoices,
  templates: readonly OldTemplate[],
) => Promise<StartedTarget & { readonly send: Send }>

/** Runs something on a new sandbox that has the templates of the server, as `before` names them. */
export async function withSandbox<Value>(
  start: StartSandbox,
  server: Target,
  { choices, before = [] }: { readonly choices: WrittenChoices; readonly before: readonly OldTemplate[] | undefined },
  use: (side: Side) => Promise<Value>,
): Promise<Value> {
  // A list begins with the newest, unless the profile says that it begins with the oldest.
  const inOrder = choices.templateOrder === 'oldestFirst' ? before : before.toReversed()
  const sandbox = await start({ ...choices, rateLimit: 'none' }, inOrder)
  try {
    const own = createTarget(sandbox.wanted, sandbox.credentials)
    const { emailDomain, timeout, mediaUrl } = server
    // The sandbox must not have a pipeline where the server has none.
    const places = server.places.pipeline === undefined ? { pipeline: undefined, stage: undefined } : {}
    const common = { emailDomain, timeout, ...(mediaUrl === undefined ? {} : { mediaUrl }) }
    const target = { ...own, ...common, places: { ...own.places, ...places } }
    const mint = createMint(newMarks(), emailDomain)
    return await use(new Side({ target, mint, ledger, send: sandbox.send }))
  } finally {
    await sandbox.stop()
  }
}

/** A sandbox needs no clean-up. */
const ledger = { intend: () => '', record: () => undefined }

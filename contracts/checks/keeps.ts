import { BroadcastChannel } from 'node:worker_threads'
import { inject, test } from 'vitest'
import type { Answer } from '../client/answer.ts'
import { createBodies } from '../client/bodies.ts'
import { Ledger } from '../client/ledger.ts'
import { proxyVariable, undiciTransport } from '../client/transport.ts'
import { createMint, type Marks } from '../client/mint.ts'
import type { Input } from '../client/request.ts'
import type { Target } from '../client/target/target.ts'
import type { Tools } from '../client/tools.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { BrokenPromise, type CheckResult } from '../judge/outcome.ts'
import { createSession } from '../judge/session.ts'
import { pactumTransport } from '../pactum-transport.ts'
import { dryRunTransport } from '../dry-run-transport.ts'
import { isSelected, type Selection } from '../selection.ts'
import { once } from '../../lib/async.ts'

/**
 * Defines the check of a promise, which names it:
 *
 *     keeps('contact.updateSetsTheCompany', async ({ ask, make }) => {
 *       const [contact, company] = [await make.contact(), await make.company()]
 *       const { data } = await ask('updateContact', { path: { contactId: contact._id }, body: { company: company._id } })
 *       expect(data.company).toBe(company._id)
 *     })
 *
 * - A check gets its context twice: to take apart, and as a whole for functions that take it.
 * - `call` returns any answer; `ask` is a step that must succeed for the check to go on; `accepts` and `refuses` are
 *   assertions, as `expect` is. A check without an assertion fails.
 * - `requirement` is the promise with its lists, so that a table is a loop: `for (const value of requirement.values)`.
 * - The laws judge every exchange as it ends (status, schema, envelope, and what earlier exchanges showed), see judge/laws.
 *   A promise about which they say everything has no check.
 * - A check does not declare what it needs: a request beyond `--up-to`, or without a required credential or provider,
 *   ends it as skipped.
 * - The run deletes records from `make` and from the bodies of `some`; a check never cleans up. A body written by hand
 *   takes its addresses and names from `mint`. Messages go to `recipient`, or to a new address.
 * - A check never asserts what the specification leaves open (spec/assumptions). It records such a choice with `observe`,
 *   and throws `Inconclusive` when it cannot go on: a server may refuse a second contact with the same e-mail address.
 * - No operation reads contacts, companies, products, deals and quotes: `readRecord` shows them by an empty update.
 */
export function keeps<Id extends PromiseId>(
  id: Id,
  check: (parts: Context<Id>, context: Context<Id>) => Promise<void>,
): void {
  const requirement = promise(id)
  checked.add(id)
  test.skipIf(!isSelected(requirement, inject('verification').selection))(
    `${id}: ${requirement.words}`,
    async ({ task, skip }) => {
      const { session, dryRun } = started()
      const judgement = await session.judge(requirement, (tools, countAssertion) => {
        const context = createContext(requirement, tools, countAssertion)
        return check(context, context)
      })
      if (!judgement) return skip()
      const { result, error } = judgement
      task.meta.check = result
      if (dryRun) task.meta.requests = dryRun.take()
      else if (error) throw error
    },
  )
}

/** The promises that have a check; laws alone judge the others. */
export const checked = new Set<PromiseId>()

/** The tools and the promise of a check. */
export interface Context<Id extends PromiseId = PromiseId> extends Tools {
  readonly requirement: ReturnType<typeof promise<Id>>
  /** Asserts that a request succeeds. */
  readonly accepts: <Op extends OperationId>(operation: Op, input: Input) => Promise<Answer<Op>>
  /** Asserts that a request is refused: with this status or the status of the promise, if there is one. */
  readonly refuses: <Op extends OperationId>(operation: Op, input: Input, status?: number) => Promise<Answer<Op>>
  /** Asserts that a request is refused when any of the fields of the promise is missing, and succeeds with all. */
  readonly requires: (operation: OperationId, input: () => Input | Promise<Input>) => Promise<void>
}

/** The data that a worker gets from the process that starts it. */
export interface Verification {
  readonly target: Target
  readonly marks: Marks
  readonly ledger: string
  /** Sends no request. */
  readonly isDry?: boolean
  /** Ends with the first check that fails. */
  readonly bail?: boolean
  readonly selection: Selection
  /** The stories to run after the checks. */
  readonly situations?: Stories | undefined
}

export interface Stories {
  readonly seed: number
  readonly most?: number
  /** All, or those about the selected promises that have no check. */
  readonly which: 'all' | 'unchecked'
}

declare module 'vitest' {
  interface ProvidedContext {
    verification: Verification
    /** The name of the channel that says when the run is interrupted. */
    interruptions: string
  }
  interface TaskMeta {
    check?: CheckResult
    /** The requests of a dry run. */
    requests?: readonly string[]
  }
}

/** All files of a run share a worker, and so a session. */
export const started = once(() => {
  const { target, marks, ledger: path, isDry = false, bail = false } = inject('verification')
  const mint = createMint(marks, target.emailDomain)
  if (isDry) {
    const dryRun = dryRunTransport()
    const ledger = { intend: () => '', record: () => undefined }
    return { session: createSession({ target, mint, send: dryRun.send, ledger, isPatient: false }), dryRun }
  }
  // Pactum supports no proxy.
  const isProxied = proxyVariable(target.origin) !== undefined
  const { send } = isProxied ? undiciTransport(target.origin, target.tls) : pactumTransport(target.tls)
  const session = createSession({ target, mint, send, ledger: Ledger.open(path, target), bail })
  const interruptions = new BroadcastChannel(inject('interruptions'))
  interruptions.onmessage = () => session.client.stop('the run was interrupted')
  interruptions.unref()
  interruptions.postMessage('listens')
  return { session }
})

export function createContext<Id extends PromiseId>(
  requirement: ReturnType<typeof promise<Id>>,
  tools: Tools,
  countAssertion: () => void,
): Context<Id> {
  const { call, ask } = tools
  const accepts: Context['accepts'] = async (operation, input) => {
    countAssertion()
    const answer = await call(operation, input)
    if (!answer.succeeded) throw new BrokenPromise('a success', answer.summary)
    return answer
  }
  const refuses: Context['refuses'] = async (operation, input, status = requirement.status) => {
    countAssertion()
    const first = await call(operation, input)
    // A server may fail once for another reason.
    const answer = first.status === 500 ? await call(operation, input) : first
    const isMet = status === undefined ? answer.status >= 400 && answer.status < 500 : answer.status === status
    if (!isMet) throw new BrokenPromise(status === undefined ? 'a refusal' : String(status), answer.summary)
    return answer
  }
  const requires: Context['requires'] = async (operation, input) => {
    await ask(operation, await input())
    for (const field of requirement.fields ?? []) {
      const { body, query, ...others } = await input()
      const part = body === undefined ? { query: without(field, query) } : { body: without(field, body) }
      await refuses(operation, { ...others, ...part })
    }
  }
  const recipient = anyone(tools)
  return { ...tools, recipient, some: createBodies({ ...tools, recipient }), requirement, accepts, refuses, requires }
}

/** The recipient of all messages of which no check wants to know more. */
const anyone = ({ mint, recipient, target }: Tools): Tools['recipient'] =>
  target.loopback ? { email: () => mint.someone().email, phone: () => mint.someone().phone } : recipient

const without = (field: string, value: unknown) =>
  Object.fromEntries(Object.entries(value as object).filter(([name]) => name !== field))

import { inject, test } from 'vitest'
import type { Answer } from '../../client/answer.ts'
import { Ledger } from '../../client/ledger.ts'
import { proxyVariable, undiciTransport } from '../../client/transport.ts'
import { createMint, type Marks } from '../../client/mint.ts'
import type { Input } from '../../client/request.ts'
import { fromPlain, type PlainTarget } from '../../client/target/target.ts'
import type { Tools } from '../../client/tools.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { BrokenPromise, type CheckResult } from '../judge/outcome.ts'
import { Session } from '../judge/session.ts'
import { pactumTransport } from '../pactum-transport.ts'
import { DryRunTransport } from '../dry-run-transport.ts'
import { isSelected, type Selection } from '../selection.ts'
import { once } from '../../shared/once.ts'

/**
 * How a check is written. Each promise has one check, which names it:
 *
 *     keeps('contact.createRequires', async ({ requires, some }) => {
 *       await requires('createContact', () => ({ body: some.contact() }))
 *     })
 *
 *     keeps('contact.updateSetsTheCompany', async ({ ask, make }) => {
 *       const [contact, company] = [await make.contact(), await make.company()]
 *       const { data } = await ask('updateContact', { path: { contactId: contact._id }, body: { company: company._id } })
 *       expect(data.company).toBe(company._id)
 *     })
 *
 * - `call` returns any answer; `ask` is a step that must succeed for the check to go on; `accepts` and `refuses` are
 *   assertions. With them and with `expect` a check says what breaks its promise. A check without an assertion fails.
 * - `requirement` is the promise with its lists, so that a table is a loop: `for (const value of requirement.values)`.
 * - Whatever must be true of every answer (its status, its schema, the envelope, the texts of errors) is compared with
 *   the document as it arrives, see judge/inspection.ts, and counts against the promise that it breaks. The
 *   check of such a promise only has to ask.
 * - A check does not declare what it needs: a request beyond `--up-to`, or one that needs a key, a token or a provider
 *   that was not given, ends it as skipped, with that reason.
 * - Records from `make`, and from the bodies of `some`, carry the mark of the run and are cleaned up after it: a check
 *   never cleans up. A body written by hand takes its addresses and names from `mint`. Messages go to `recipient`.
 * - What the specification leaves open (spec/assumptions) is never asserted. A check that meets it notes what it saw with
 *   `observe`, and throws `Inconclusive` when it cannot go on: a second create with one e-mail may be refused.
 * - Contacts, companies, products, deals and quotes cannot be read: `look` shows them by an empty update.
 */
export function keeps<Id extends PromiseId>(id: Id, check: (given: Given<Id>) => Promise<void>): void {
  const requirement = promise(id)
  test.skipIf(!isSelected(requirement, inject('verification').selection))(
    `${id}: ${requirement.words}`,
    async ({ task, signal }) => {
      const { session: current, dryRun } = started()
      signal.addEventListener('abort', () => {
        current.client.stop('the run was interrupted')
      })
      const { result, error } = await current.judge(requirement, (tools, countAssertion) =>
        check(createGiven(requirement, tools, countAssertion)),
      )
      task.meta.check = result
      if (dryRun) task.meta.asked = dryRun.take()
      else if (error) throw error
    },
  )
}

/** What a check is given. */
export interface Given<Id extends PromiseId = PromiseId> extends Tools {
  readonly requirement: ReturnType<typeof promise<Id>>
  /** Asserts that a request succeeds. */
  readonly accepts: <Op extends OperationId>(operation: Op, input: Input) => Promise<Answer<Op>>
  /** Asserts that a request is refused: with this status, with that of the promise, or with any. */
  readonly refuses: <Op extends OperationId>(operation: Op, input: Input, status?: number) => Promise<Answer<Op>>
  /** Asserts that a request is refused when any of the fields of the promise is missing, and succeeds with all. */
  readonly requires: (operation: OperationId, input: () => Input, fields?: readonly string[]) => Promise<void>
}

/** What the process that starts a worker tells it. */
export interface Verification {
  readonly target: PlainTarget
  readonly marks: Marks
  readonly ledger: string
  /** The ids of records that were there before the run. */
  readonly seenBefore: readonly string[]
  /** Nothing is sent, and so nothing written into a ledger. */
  readonly isDry?: boolean
  readonly selection: Selection
}

declare module 'vitest' {
  interface ProvidedContext {
    verification: Verification
  }
  interface TaskMeta {
    check?: CheckResult
    /** The requests that it would have sent. */
    asked?: readonly string[]
  }
}

/** One for all files of a run, since they share a worker. */
const started = once((): { readonly session: Session; readonly dryRun?: DryRunTransport } => {
  const { target: plain, marks, ledger: path, seenBefore, isDry = false } = inject('verification')
  const [target, mint] = [fromPlain(plain), createMint(marks, plain.emailDomain)]
  if (isDry) {
    const dryRun = new DryRunTransport()
    const ledger = { intend: () => '', record: () => undefined }
    return { session: new Session({ target, mint, send: dryRun.send, ledger, isPatient: false }), dryRun }
  }
  // Pactum knows no proxy.
  const isProxied = proxyVariable(target.origin) !== undefined
  const { send } = isProxied ? undiciTransport(target.origin, target.tls) : pactumTransport(target.tls)
  const ledger = Ledger.open(path, target)
  return { session: new Session({ target, mint, send, ledger, seenBefore }) }
})

export function createGiven<Id extends PromiseId>(
  requirement: ReturnType<typeof promise<Id>>,
  tools: Tools,
  countAssertion: () => void,
): Given<Id> {
  const { call, ask } = tools
  const accepts: Given['accepts'] = async (operation, input) => {
    countAssertion()
    const answer = await call(operation, input)
    if (!answer.succeeded) throw new BrokenPromise('a success', answer.summary)
    return answer
  }
  const refuses: Given['refuses'] = async (operation, input, status = requirement.status) => {
    countAssertion()
    const answer = await call(operation, input)
    const fits = status === undefined ? answer.status >= 400 : answer.status === status
    if (!fits) throw new BrokenPromise(status === undefined ? 'a refusal' : String(status), answer.summary)
    return answer
  }
  const requires: Given['requires'] = async (operation, input, fields = requirement.fields ?? []) => {
    await ask(operation, input())
    for (const field of fields) await refuses(operation, without(field, input()))
  }
  return { ...tools, requirement, accepts, refuses, requires }
}

/** Leaves out a field of the body, or a parameter of the query. */
function without(field: string, input: Input): Input {
  const parts = Object.entries(input).map(([part, value]: [string, unknown]) =>
    part === 'body' || part === 'query' ? [part, omit(value as object, field)] : [part, value],
  )
  return Object.fromEntries(parts) as Input
}

function omit(value: object, field: string): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== field))
}

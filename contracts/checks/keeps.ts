import { expect, inject, test } from 'vitest'
import { promise, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Answer } from '../../client/answer.ts'
import { Client } from '../../client/client.ts'
import type { Asked } from '../../client/request.ts'
import { judged } from '../judge/judge.ts'
import { Ledger } from '../../client/ledger/ledger.ts'
import { type Marks, mintOf } from '../../client/mint.ts'
import { Broken, type CheckResult } from '../judge/outcome.ts'
import { type Chosen, isChosen } from '../selection.ts'
import { type PlainTarget, targetOf } from '../../client/target/target.ts'
import { type Tools, toolsOf } from '../../client/tools.ts'
import { send } from '../../client/transport.ts'

/**
 * How a contract is written. Each promise has one check, which names it:
 *
 *     keeps('contact.createRequires', async ({ requires, some }) => {
 *       await requires('createContact', () => ({ body: some.contact() }))
 *     })
 *
 *     keeps('contact.updateSetsTheCompany', async ({ ask, made }) => {
 *       const [contact, company] = [await made.contact(), await made.company()]
 *       const { data } = await ask('updateContact', { path: { contactId: contact._id }, body: { company: company._id } })
 *       expect(data.company).toBe(company._id)
 *     })
 *
 * - `call` answers whatever came; `ask` is a step that must succeed for the check to go on; `accepted` and `refused` are
 *   judgements. With them and with `expect` a check says what breaks its promise. One that judges nothing fails.
 * - `promise` is the sentence with its lists, so that a table is a loop: `for (const value of promise.values)`.
 * - What every answer must be (its status, its schema, the envelope, the texts of errors) is held by `call` itself, see
 *   client/held.ts, and laid to the promise that it breaks. A check whose promise is one of those only has to ask.
 * - What a check needs is found out as it asks: an operation beyond `--up-to`, the key of a second team, a token or a
 *   provider that was not given ends it, as skipped and with that reason. Nothing has to be declared.
 * - Everything made with `made`, or with bodies of `some`, carries the mark of the run and is cleaned up after it: a check
 *   never cleans up. Whoever writes a body by hand takes its addresses and names from `mint`. Messages go to `recipient`.
 * - What the specification leaves open (spec/assumptions) is never asserted. Where a check meets it, it notes what it saw
 *   with `observe`, and throws `Inconclusive` when it cannot go on: a second create with one e-mail may be refused.
 * - There is no reading of contacts, companies, products, deals and quotes: `look` shows them, by an empty update.
 */
export function keeps<Id extends PromiseId>(id: Id, check: (given: Given<Id>) => Promise<void>): void {
  const promised = promise(id)
  test.skipIf(!isChosen(promised, inject('verification').chosen))(
    `${id}: ${promised.words}`,
    async ({ task, signal }) => {
      const { client, tools } = session()
      signal.addEventListener('abort', () => {
        client.stop('the run was interrupted')
      })
      const { result, error } = await judged(promised, client, (count) => check(givenFor(promised, tools, count)))
      task.meta.check = result
      if (error) throw error
    },
  )
}

/** What a check is given. */
export interface Given<Id extends PromiseId = PromiseId> extends Tools {
  readonly promise: ReturnType<typeof promise<Id>>
  /** It is promised that this succeeds. */
  readonly accepted: <Op extends OperationId>(operation: Op, asked: Asked) => Promise<Answer<Op>>
  /** It is promised that this is refused: with this status, with that of the promise, or with any. */
  readonly refused: <Op extends OperationId>(operation: Op, asked: Asked, status?: number) => Promise<Answer<Op>>
  /** It is promised that this succeeds, and is refused when any of the fields of the promise is missing. */
  readonly requires: (operation: OperationId, asked: () => Asked, fields?: readonly string[]) => Promise<void>
}

/** What a worker is told by whoever started it. */
export interface Verification {
  readonly target: PlainTarget
  readonly marks: Marks
  readonly ledger: string
  readonly chosen: Chosen
}

declare module 'vitest' {
  interface ProvidedContext {
    verification: Verification
  }
  interface TaskMeta {
    check?: CheckResult
  }
}

/** One for all files of a run, since they share a worker. */
const session = once(() => {
  const { target: plain, marks, ledger } = inject('verification')
  const [target, mint] = [targetOf(plain), mintOf(marks)]
  const client = new Client({ target, mint, send, ledger: Ledger.open(ledger) })
  return { client, tools: toolsOf(client, target, mint) }
})

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/** What the check of a promise is given, from what every check may use. */
export function givenFor<Id extends PromiseId>(
  promised: ReturnType<typeof promise<Id>>,
  tools: Tools,
  count: () => void,
): Given<Id> {
  const { call, ask } = tools
  const accepted: Given['accepted'] = async (operation, asked) => {
    count()
    const answer = await call(operation, asked)
    if (!answer.succeeded) throw new Broken('a success', answer.said)
    return answer
  }
  const refused: Given['refused'] = async (operation, asked, status = promised.status) => {
    count()
    const answer = await call(operation, asked)
    const fits = status === undefined ? answer.status >= 400 : answer.status === status
    if (!fits) throw new Broken(status === undefined ? 'a refusal' : String(status), answer.said)
    return answer
  }
  const requires: Given['requires'] = async (operation, asked, fields = promised.fields ?? []) => {
    await ask(operation, asked())
    for (const field of fields) await refused(operation, without(field, asked()))
  }
  return { ...tools, promise: promised, accepted, refused, requires }
}

/** A field of the body, or a parameter of the query. */
function without(field: string, asked: Asked): Asked {
  const parts = Object.entries(asked).map(([part, value]: [string, unknown]) =>
    part === 'body' || part === 'query' ? [part, omitted(value as object, field)] : [part, value],
  )
  return Object.fromEntries(parts) as Asked
}

function omitted(value: object, field: string): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== field))
}

/** ISO 8601, to the second at least. */
export const timestamp: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/)

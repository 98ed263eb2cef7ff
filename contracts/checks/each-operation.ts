import { type Answer, type Fields, fieldsOf } from '../../client/answer.ts'
import { NotAllowed, StepFailed } from '../../client/errors.ts'
import { rows } from '../../client/operations.ts'
import type { Input } from '../../client/request.ts'
import { newSubjects, type Subjects, type Tools, unknownSubjects } from '../../client/tools.ts'
import { operations } from '../../spec/operations.ts'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { Inconclusive, Skipped } from '../judge/outcome.ts'

// One request of each operation, for promises about every operation.

type Act = (operation: OperationId, input: Input) => Promise<unknown>
type Which = 'all' | readonly OperationId[]
type Look = (fields: Fields, answer: Answer) => void

/** Acts on a request of each operation that succeeds, with records of the caller. */
export async function withEach(
  tools: Tools,
  act: Act,
  which: Which = 'all',
  isDone: (operation: OperationId) => boolean = () => false,
): Promise<void> {
  const subjects = newSubjects(tools)
  await each(affordable(tools, which), async (operation) => {
    if (!isDone(operation)) await act(operation, await requestOf(operation, tools, subjects))
  })
}

/** A request that succeeds. */
export async function requestOf(operation: OperationId, tools: Tools, subjects: Subjects): Promise<Input> {
  if (operation === 'createDeal') await checkPlaces(tools)
  return rows[operation].request(subjects, tools)
}

/** Acts on a request of each operation that names records that do not exist. */
export async function withEachUnknown(tools: Tools, act: Act, which: Which = 'all'): Promise<void> {
  const subjects = unknownSubjects(tools)
  await each(affordable(tools, which), async (operation) =>
    act(operation, await rows[operation].request(subjects, tools)),
  )
}

/** Inspects an answer of each operation to a valid request. */
export async function withEachAnswer(
  tools: Tools,
  look: Look,
  which: Which = 'all',
  ask: Tools['call'] = tools.call,
): Promise<void> {
  const { successes } = earlierAnswers(tools)
  const lookAt: Act = async (operation, input) => {
    const answer = await ask(operation, input)
    look(answer.fields, answer)
    if (answer.succeeded) successes.set(operation, answer)
  }
  await withEach(tools, lookAt, which, (operation) => pass([successes.get(operation)], look))
}

/** Inspects a success of each operation. */
export const withEachSuccess = (tools: Tools, look: Look, which: Which = 'all') =>
  withEachAnswer(tools, look, which, tools.ask)

/** Inspects two refusals of each operation: without a credential, and of an unknown record or an invalid body. */
export async function withEachRefusal(tools: Tools, look: Look): Promise<void> {
  const { refusals } = earlierAnswers(tools)
  if (pass(refusals, look)) return
  const inspected: Answer[] = []
  const lookAt: Look = (fields, answer) => {
    look(fields, answer)
    inspected.push(answer)
  }
  await withRefusals(tools, lookAt, (refuse) =>
    withEachUnknown(tools, async (operation, input) => {
      await refuse(operation, { ...input, caller: 'nobody' })
      await refuse(operation, operations[operation].path.includes('{') ? input : spoil(input))
    }),
  )
  refusals.splice(0, refusals.length, ...inspected)
}

/** Inspects the answers with one of these statuses; other promises cover any other status. */
export async function withRefusals(
  { call }: Tools,
  look: Look,
  ask: (refuse: Act) => Promise<void>,
  statuses: readonly number[] = promise('error.statusIsDocumented').values,
): Promise<void> {
  let count = 0
  await ask(async (operation, input) => {
    const answer = await call(operation, input)
    if (!statuses.includes(answer.status) || answer.body === undefined) return
    count++
    look(answer.fields, answer)
  })
  if (count === 0) throw new Inconclusive(`nothing was answered with ${statuses.join(', ')}`)
}

/** Answers to earlier checks of the run, for promises about any answer. */
interface EarlierAnswers {
  readonly successes: Map<OperationId, Answer>
  readonly refusals: Answer[]
}

const answersTo = new WeakMap<Tools['call'], EarlierAnswers>()

/** The answers to the same caller. */
export function earlierAnswers({ call }: Pick<Tools, 'call'>): EarlierAnswers {
  const known = answersTo.get(call) ?? { successes: new Map<OperationId, Answer>(), refusals: [] }
  answersTo.set(call, known)
  return known
}

/** Whether earlier answers exist and each passes. If one fails, the check asks again: a finding needs its request. */
export function pass(answers: readonly (Answer | undefined)[], look: Look): boolean {
  try {
    for (const answer of answers) {
      if (!answer) return false
      look(answer.fields, answer)
    }
    return answers.length > 0
  } catch {
    return false
  }
}

/** In the order of the rows. On another machine a run may send only a few messages, for the checks of messages. */
export function affordable({ target }: Tools, which: Which): readonly OperationId[] {
  const inOrder = (Object.keys(rows) as OperationId[]).filter((id) => which === 'all' || which.includes(id))
  return target.loopback ? inOrder : inOrder.filter((operation) => operations[operation].effect !== 'send')
}

/** Runs one after the other. If one of them cannot be judged, the others still run. */
export async function each<Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> {
  const obstacles: Error[] = []
  for (const item of items) {
    try {
      await act(item)
    } catch (error) {
      if (!(error instanceof NotAllowed || error instanceof StepFailed)) throw error
      obstacles.push(error)
    }
  }
  const failed = obstacles.find((error) => error instanceof StepFailed)
  const [first] = obstacles
  if (failed) throw failed
  if (first && obstacles.length === items.length) throw first
}

/** The same request with a wrong type for its first field or, without a body, with malformed ids. */
export function spoil({ path, query, body, ...rest }: Input): Input {
  if (body !== undefined) {
    const [first = ''] = Object.keys(fieldsOf(body))
    return { ...rest, ...(path ? { path } : {}), body: { ...fieldsOf(body), [first]: 42 } }
  }
  if (!path) return rest
  const wrong = Object.fromEntries(Object.keys(path).map((name) => [name, 'not an id']))
  return { ...rest, ...(query ? { query } : {}), path: wrong }
}

/** Skips the check if the server refuses unknown pipelines: only the operator can name a pipeline that exists. */
export async function checkPlaces({ call, some, target }: Tools): Promise<void> {
  const { pipeline, stage } = target.places
  if (pipeline !== undefined && stage !== undefined) return
  const { status } = await call('createDeal', { body: some.deal() })
  if (status !== 400 && status !== 404) return
  throw new Skipped('needs a pipeline of the team, and a stage of it: --pipeline-id, --stage-id')
}

import type { Kind, Subject } from '../../client/kinds.ts'
import type { Answer, Fields } from '../../client/answer.ts'
import { NotAllowed, StepFailed } from '../../client/errors.ts'
import { rows } from '../../client/operations.ts'
import type { Input } from '../../client/request.ts'
import { newSubjects, type Subjects, type Tools, unknownSubjects } from '../../client/tools.ts'
import { operations } from '../../spec/operations.ts'
import { checkPlaces } from './deal-places.ts'
import { earlierAnswers, pass } from './earlier-answers.ts'
import type { OperationId } from '../../spec/types.ts'

// What is promised of every operation is checked with one request of each.

type Act = (operation: OperationId, input: Input) => Promise<unknown>
type Which = 'all' | readonly OperationId[]

/** Acts on a request of each operation that succeeds, about records of the caller, but for those that are done. */
export async function withEach(
  tools: Tools,
  act: Act,
  which: Which = 'all',
  isDone: (operation: OperationId) => boolean = () => false,
): Promise<void> {
  const inPlace: Act = async (operation, input) => {
    if (operation === 'createDeal') await checkPlaces(tools)
    return act(operation, input)
  }
  await withEachAbout(newSubjects(tools), tools, inPlace, which, isDone)
}

/** Acts on a request of each operation that would succeed if it were not about records that do not exist. */
export async function withEachUnknown(tools: Tools, act: Act, which: Which = 'all'): Promise<void> {
  await withEachAbout(unknownSubjects(tools), tools, act, which)
}

/** Looks at an answer of each operation to a request that succeeds, which may be one to an earlier check. */
export async function withEachAnswer(
  tools: Tools,
  look: (answer: Answer) => void,
  which: Which = 'all',
  ask: Tools['call'] = tools.call,
): Promise<void> {
  const { successes } = earlierAnswers(tools)
  const lookAt: Act = async (operation, input) => {
    const answer = await ask(operation, input)
    look(answer)
    if (answer.succeeded) successes.set(operation, answer)
  }
  await withEach(tools, lookAt, which, (operation) => pass([successes.get(operation)], look))
}

/** Looks at the success of each operation. */
export async function withEachSuccess(
  tools: Tools,
  look: (fields: Fields, answer: Answer) => void,
  which: Which = 'all',
): Promise<void> {
  await withEachAnswer(
    tools,
    (answer) => {
      look(answer.fields, answer)
    },
    which,
    tools.ask,
  )
}

async function withEachAbout(
  subjects: Subjects,
  tools: Tools,
  act: Act,
  which: Which,
  isDone: (operation: OperationId) => boolean = () => false,
): Promise<void> {
  const affordable = withoutCostlySends(tools, which)
  const inOrder = (Object.keys(rows) as OperationId[]).filter((operation) => affordable.includes(operation))
  await each(inOrder, async (operation) => {
    if (!isDone(operation)) await act(operation, await rows[operation].request(subjects, tools))
  })
}

/** Off this machine a run may send only a few messages, and the checks of messages need them. */
export function withoutCostlySends({ target }: Tools, which: Which): readonly OperationId[] {
  const all = which === 'all' ? (Object.keys(operations) as OperationId[]) : which
  return target.loopback ? all : all.filter((operation) => operations[operation].effect !== 'send')
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

/** The same request with a wrong type for its first field or, without a body, with parameters that are not ids. */
export function spoil({ path, query, body, ...rest }: Input): Input {
  if (body !== undefined) {
    const [first = ''] = Object.keys(body as object)
    return { ...rest, ...(path ? { path } : {}), body: { ...(body as object), [first]: 42 } }
  }
  if (!path) return rest
  const wrong = Object.fromEntries(Object.keys(path).map((name) => [name, 'not an id']))
  return { ...rest, ...(query ? { query } : {}), path: wrong }
}

/** A record without the time of its last update: to look at it may count as an update. */
export async function lookPastUpdates({ look }: Tools, kind: Kind, record: Subject): Promise<object | undefined> {
  const shown = await look(kind, record)
  return shown && { ...shown, updatedAt: undefined }
}

import { expect } from 'vitest'
import { type Answer, type Fields, fieldsOf } from '../client/answer.ts'
import { NotAllowed, StepFailed } from '../client/errors.ts'
import { plainType } from '../client/bodies.ts'
import { kindIn } from '../client/kinds.ts'
import { rows } from '../client/operations.ts'
import type { Input } from '../client/request.ts'
import { newSubjects, type Subjects, type Tools, unknownSubjects } from '../client/tools.ts'
import { operations } from '../../spec/operations.ts'
import { updates } from '../../spec/operation-groups.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { inspect } from '../judge/laws/document.ts'
import { Inconclusive, Skipped } from '../judge/outcome.ts'
import { type Context, keeps } from './keeps.ts'

// One request of each operation, for promises about every operation.

type Which = 'all' | readonly OperationId[]
type Act = (operation: OperationId, input: Input) => Promise<unknown>
type OnAnswer = (answer: Answer) => void

/** Calls `act` with a valid request of each operation of the promise, on records of the caller. */
export async function withEach(
  context: Context,
  act: Act,
  which: Which = context.requirement.operations,
): Promise<void> {
  const subjects = newSubjects(context)
  await each(affordable(context, which), async (operation) =>
    act(operation, await requestOf(operation, context, subjects)),
  )
}

/** A request that succeeds. */
export async function requestOf(operation: OperationId, tools: Tools, subjects: Subjects): Promise<Input> {
  if (operation === 'createDeal') await checkPlaces(tools)
  return rows[operation].request(subjects, tools)
}

/** Calls `act` with a request of each operation on records that do not exist. */
export async function withEachUnknown(
  context: Context,
  act: Act,
  which: Which = context.requirement.operations,
): Promise<void> {
  const subjects = unknownSubjects(context)
  await each(affordable(context, which), async (operation) =>
    act(operation, await rows[operation].request(subjects, context)),
  )
}

/** Calls `onAnswer` with an answer of each operation to a valid request. With the default `ask`, the answer is a success. */
export async function withEachAnswer(
  context: Context,
  onAnswer: OnAnswer,
  ask: Tools['call'] = context.ask,
): Promise<void> {
  const { successes } = earlierAnswers(context)
  const subjects = newSubjects(context)
  await each(affordable(context, context.requirement.operations), async (operation) => {
    const answer = successes.get(operation) ?? (await ask(operation, await requestOf(operation, context, subjects)))
    onAnswer(answer)
    if (answer.succeeded && isFaultless(answer)) successes.set(operation, answer)
  })
}

/** Calls `onAnswer` with two refusals of each operation: without a credential, and of an unknown record or invalid body. */
export async function withEachRefusal(context: Context, onAnswer: OnAnswer): Promise<void> {
  const { refusals } = earlierAnswers(context)
  const statuses = statusesOf(context)
  const known = [...refusals].filter(({ status }) => statuses.includes(status))
  known.forEach(onAnswer)
  if (known.length > 0) return
  const seen = await withRefusals(context, onAnswer, (refuse) =>
    withEachUnknown(context, async (operation, input) => {
      await refuse(operation, { ...input, caller: 'nobody' })
      await refuse(operation, operations[operation].path.includes('{') ? input : spoil(input))
    }),
  )
  for (const answer of seen.filter(isFaultless)) refusals.add(answer)
}

/** Calls `onAnswer` with the answers that have the status of the promise. Other promises cover other statuses. */
export async function withRefusals(
  context: Context,
  onAnswer: OnAnswer,
  ask: (refuse: Act) => Promise<void>,
): Promise<readonly Answer[]> {
  const statuses = statusesOf(context)
  const seen: Answer[] = []
  await ask(async (operation, input) => {
    const answer = await context.call(operation, input)
    if (!statuses.includes(answer.status) || answer.body === undefined) return
    onAnswer(answer)
    seen.push(answer)
  })
  if (seen.length === 0) throw new Inconclusive(`nothing was answered with ${statuses.join(', ')}`)
  return seen
}

/** The status of the promise, or else each status of an error. */
const statusesOf = ({ requirement: { status } }: Context): readonly number[] =>
  status === undefined ? promise('error.statusIsDocumented').values : [status]

/** Returns the fields for each request that a check sends to an operation. */
type Write = (context: Context, operation: OperationId) => readonly object[] | Promise<readonly object[]>
type Table = Readonly<Partial<Record<PromiseId, Write>>>

/** Each value of the promise in a field of this name. */
export const eachValueAs =
  (field: string): Write =>
  ({ requirement: { values = [] } }) =>
    values.map((value) => ({ [field]: value }))

const entriesOf = (table: Table) => Object.entries(table) as [PromiseId, Write][]

/** The checks of promises that each operation accepts such fields. */
export function checkAccepted(table: Table): void {
  for (const [id, write] of entriesOf(table))
    keeps(id, async (context) => {
      const subjects = newSubjects(context)
      for (const operation of context.requirement.operations as readonly OperationId[])
        for (const fields of await write(context, operation))
          await context.accepts(operation, await requestWith(fields, operation, subjects, context))
    })
}

/** The checks of promises that each operation refuses such fields. An update that is refused changes none of them. */
export function checkRefused(table: Table): void {
  for (const [id, write] of entriesOf(table))
    keeps(id, async (context) => {
      const subjects = newSubjects(context)
      for (const operation of context.requirement.operations as readonly OperationId[]) {
        const all = await write(context, operation)
        const read = await readerOf(operation, subjects, context)
        const before = await read()
        for (const fields of all)
          await context.refuses(operation, await requestWith(fields, operation, subjects, context))
        const after = await read()
        for (const field of all.flatMap(Object.keys)) expect(after[field]).toEqual(before[field])
      }
    })
}

/** Whether the operation updates a record by its id. */
export const isUpdate = (operation: OperationId) => updates.some((update) => update === operation)

/** A valid request with these fields. An update has only these. */
async function requestWith(fields: object, operation: OperationId, subjects: Subjects, tools: Tools): Promise<Input> {
  const { body, ...input } = await requestOf(operation, tools, subjects)
  const others = operation === 'updateTemplate' ? { templateType: plainType(tools.target) } : {}
  return { ...input, body: { ...(isUpdate(operation) ? others : fieldsOf(body)), ...fields } }
}

/** Reads the record that an update changes. */
async function readerOf(
  operation: OperationId,
  subjects: Subjects,
  { readAnswer }: Tools,
): Promise<() => Promise<Fields>> {
  if (!isUpdate(operation)) return async () => ({})
  const kind = kindIn(operation)
  const record = await subjects.record(kind)
  return async () => fieldsOf((await readAnswer(kind, record)).fields.data)
}

/** Faultless answers to earlier checks. A faulty answer is not reused, since a finding shows the request of its check. */
interface EarlierAnswers {
  readonly successes: Map<OperationId, Answer>
  readonly refusals: Set<Answer>
}

const isFaultless = (answer: Answer) => inspect(answer).faults.length === 0

const answersTo = new WeakMap<Tools['call'], EarlierAnswers>()

/** The answers to the same caller. */
function earlierAnswers({ call }: Tools): EarlierAnswers {
  const known = answersTo.get(call) ?? { successes: new Map<OperationId, Answer>(), refusals: new Set() }
  answersTo.set(call, known)
  return known
}

/** In the order of the rows. On another machine a run may send only a few messages, for the checks of messages. */
export function affordable({ target }: Tools, which: Which): readonly OperationId[] {
  const inOrder = (Object.keys(rows) as OperationId[]).filter((id) => which === 'all' || which.includes(id))
  return target.loopback ? inOrder : inOrder.filter((operation) => operations[operation].effect !== 'send')
}

/** Calls `act` with one item after the other. If an item cannot be judged, the others still are. */
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

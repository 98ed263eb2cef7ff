import { type Answer, fieldsOf, idOf } from '../client/answer.ts'
import { NotAllowed, StepFailed } from '../client/errors.ts'
import { plainType } from '../client/bodies.ts'
import { affordable, rows } from '../client/operations.ts'
import { kindNames, kinds, type OwnedKind, type Subject } from '../client/kinds.ts'
import type { Input } from '../client/request.ts'
import { newSubjects, type Subjects, subjectsFrom, type Tools, unknownSubjects } from '../client/tools.ts'
import { updates } from '../../spec/operation-groups.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { Skipped } from '../judge/outcome.ts'
import { type Context, keeps } from './keeps.ts'
import { oncePerRun } from './values.ts'

// One request of each operation, for promises about every operation.

type Which = 'all' | readonly OperationId[]
type Act<Result = unknown> = (operation: OperationId, input: Input) => Promise<Result>

/** Calls `act` with a valid request of each operation of the promise, on records of the caller. */
export async function withEach(
  context: Context,
  act: Act<Answer>,
  which: Which = context.requirement.operations,
): Promise<void> {
  const own = newSubjects(context)
  const made = new Map<OwnedKind, Subject>()
  const subjects = subjectsFrom(async (of) => made.get(of) ?? own.record(of), own.email)
  // The requests are about what those before have created, if any.
  const first = kindNames.toReversed().map((kind) => [kind, kinds[kind].createdBy] as const)
  const operations = affordable(context, which)
  const creates = first.map(([, operation]) => operation).filter((operation) => operations.includes(operation))
  await each([...new Set([...creates, ...operations])], async (operation) => {
    const answer = await act(operation, await requestOf(operation, context, subjects))
    const [kind] = first.find(([, create]) => create === operation) ?? []
    const _id = idOf(answer.fields.data)
    if (kind && answer.succeeded && _id !== undefined) made.set(kind, { ...fieldsOf(answer.fields.data), _id })
  })
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

/** Returns the fields for each request that a check sends to an operation. */
type Write = (context: Context, operation: OperationId) => readonly object[] | Promise<readonly object[]>
type Table = Readonly<Partial<Record<PromiseId, Write>>>

/** Each value of the promise in a field of this name. */
export const eachValueAs =
  (field: string): Write =>
  ({ requirement: { values = [] } }) =>
    values.map((value) => ({ [field]: value }))

const entriesOf = (table: Table) => Object.entries(table) as [PromiseId, Write][]

/** The checks of promises that each operation accepts such fields. Where an update takes all, each create takes every second. */
export function checkAccepted(table: Table): void {
  for (const [id, write] of entriesOf(table))
    keeps(id, async (context) => {
      const subjects = newSubjects(context)
      for (const operation of context.requirement.operations as readonly OperationId[])
        for (const fields of await write(context, operation))
          await context.accepts(operation, await requestWith(fields, operation, subjects, context))
    })
}

/** The checks of promises that each operation refuses such fields. Other checks read whether a refusal changes nothing. */
export function checkRefused(table: Table): void {
  for (const [id, write] of entriesOf(table))
    keeps(id, async (context) => {
      const subjects = unchangedSubjects(context)
      for (const operation of context.requirement.operations as readonly OperationId[])
        for (const fields of await write(context, operation))
          await context.refuses(operation, await requestWith(fields, operation, subjects, context))
    })
}

export type Owner = 'team' | 'otherTeam'

/** Records of a team that no check changes, made once for a run. */
export function unchangedSubjects(tools: Tools, owner: Owner = 'team'): Subjects {
  const own = newSubjects(tools.as(owner))
  return subjectsFrom((of) => oncePerRun(tools, `${of} of ${owner}`, () => own.record(of)), own.email)
}

/** Whether the operation updates a record by its id. */
export const isUpdate = (operation: OperationId) => updates.some((update) => update === operation)

/** A valid request with these fields. An update has only these. */
async function requestWith(fields: object, operation: OperationId, subjects: Subjects, tools: Tools): Promise<Input> {
  const { body, ...input } = await requestOf(operation, tools, subjects)
  const others = operation === 'updateTemplate' ? { templateType: plainType(tools.target) } : {}
  return { ...input, body: { ...(isUpdate(operation) ? others : fieldsOf(body)), ...fields } }
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

/** Skips the check if the server refuses unknown pipelines: only the operator can name a pipeline that exists. */
export async function checkPlaces({ call, some, target }: Tools): Promise<void> {
  const { pipeline, stage } = target.places
  if (pipeline !== undefined && stage !== undefined) return
  const { status } = await call('createDeal', { body: some.deal() })
  if (status !== 400 && status !== 404) return
  throw new Skipped('needs a pipeline of the team, and a stage of it: --pipeline-id, --stage-id')
}

import { expect } from 'vitest'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Answer } from '../../client/answer.ts'
import { kinds } from '../../client/operations/kinds.ts'
import { Broken, Inconclusive } from '../judge/outcome.ts'
import type { Given } from './keeps.ts'
import type { Asked } from '../../client/request.ts'
import type { Tools } from '../../client/tools.ts'

// What the checks of companies, products, deals and quotes have in common.

type RecordKind = 'company' | 'product' | 'deal' | 'quote'

interface Named {
  readonly _id: string
  readonly name?: string
}

type Fields = Readonly<Record<string, unknown>>

/** The operation that updates a record, and what it is asked. */
function updating(kind: RecordKind, { _id }: Named, body: object) {
  const { see, parameter } = kinds[kind]
  return [see, { path: { [parameter]: _id }, body }] as const satisfies [OperationId, Asked]
}

/** The values of some fields; to have none for one of them does not compile. */
export function pick<Field extends string, Values extends Readonly<Record<Field, unknown>>>(
  fields: readonly Field[],
  values: Values,
): Pick<Values, Field> {
  return Object.fromEntries(fields.map((field) => [field, values[field]])) as Pick<Values, Field>
}

/** What was created has an id of its own, under which it is found, and what it was given. */
export async function showsTheRecord(
  given: Given,
  kind: RecordKind,
  create: OperationId,
  [body, other]: readonly [object, object],
): Promise<void> {
  const { ask } = given
  const record = (await ask(create, { body })).data as Fields & Named
  const another = (await ask(create, { body: other })).data as Named
  for (const field of given.promise.fields ?? [])
    expect(record).toHaveProperty(field, (body as Fields)[field] ?? expect.stringMatching(/./))
  expect(record._id).not.toBe(another._id)
  const { succeeded, said } = await updatedToTheSame(given, kind, record)
  if (!succeeded) throw new Broken('a record that is found by its id', said)
  await isSeenWith(given, kind, record, body)
}

/** Each of these is enough for an update, and is written. */
export async function takesEachAlone(given: Given, kind: RecordKind, record: Named, values: Fields): Promise<void> {
  for (const [field, value] of Object.entries(values))
    await given.accepted(...updating(kind, record, { [field]: value }))
  await isSeenWith(given, kind, { ...record, ...values }, values)
}

/** An update answers with what is new and what was left alone, and so does the next one. */
export async function showsTheChange(
  given: Given,
  kind: RecordKind,
  record: Named,
  [before, change]: readonly [object, object],
): Promise<void> {
  const after = { ...before, ...change }
  const shown = { ...pick<string, Fields>(given.promise.fields ?? [], after), _id: record._id }
  expect((await given.ask(...updating(kind, record, change))).data).toMatchObject(shown)
  expect(await given.look(kind, { ...record, ...change })).toMatchObject(shown)
}

/** An update with any of these is refused, and leaves the record as it was. */
export async function refusesUpdates(given: Given, kind: RecordKind, record: Named, wrong: Fields[]): Promise<void> {
  const before = await seen(given, kind, record)
  for (const body of wrong) await given.refused(...updating(kind, record, body))
  const after = await seen(given, kind, record)
  for (const field of wrong.flatMap(Object.keys)) expect(after[field]).toEqual(before[field])
}

/** A time that has not passed, whenever a run is. */
export const inAMonth = () => new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString()

/** What does not do for a field that is a number. */
export const notNumbers = (field: string): Fields[] => [{ [field]: 'twelve' }, { [field]: '12' }]

/** What was deleted can no longer be updated as it could before. */
export async function isGoneOnceDeleted({ ask, made, refused }: Given, kind: RecordKind): Promise<void> {
  const record = await made[kind]()
  const [update, asked] = updating(kind, record, { name: record.name })
  await ask(update, asked)
  await ask(kinds[kind].delete, { path: asked.path })
  await refused(update, asked)
}

/** Whatever an update shows of what a create shows is as it should be; that it shows anything is left open. */
export async function isSeenWith(tools: Tools, kind: RecordKind, record: Named, values: object): Promise<void> {
  const shown = await seen(tools, kind, record)
  for (const field of promise(`${kind}.createShowsTheRecord`).fields)
    if (field in shown && field in values) expect(shown).toHaveProperty(field, (values as Fields)[field])
}

/** What an update that changes nothing shows of a record. */
async function seen(tools: Tools, kind: RecordKind, record: Named): Promise<Fields> {
  const { succeeded, said, body } = await updatedToTheSame(tools, kind, record)
  if (!succeeded) throw new Inconclusive(`the ${kind} cannot be seen: ${said}`)
  const { data } = Object(body) as { data?: Fields }
  tools.observe('recordAfterUpdate', data ? 'record' : 'messageOnly')
  return data ?? {}
}

/** By no field or, where that is refused, by the name that it has. */
async function updatedToTheSame({ call }: Tools, kind: RecordKind, record: Named): Promise<Answer> {
  const empty = await call(...updating(kind, record, {}))
  return empty.status === 400 ? call(...updating(kind, record, { name: record.name })) : empty
}

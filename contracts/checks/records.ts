import { type Kind, kinds, pathTo } from '../../client/kinds.ts'
import { expect } from 'vitest'
import { type Fields, fieldsOf } from '../../client/answer.ts'
import { NotAllowed } from '../../client/errors.ts'
import type { Input } from '../../client/request.ts'
import type { Tools } from '../../client/tools.ts'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { BrokenPromise, Inconclusive } from '../judge/outcome.ts'
import type { Given } from './keeps.ts'
import { keepsUpdatesOfOthers, removesForOthers } from './other-callers.ts'
import { longName, tellingName, tellingPrice } from './telling-values.ts'

// What the checks of companies, products, deals and quotes have in common.

type RecordKind = 'company' | 'product' | 'deal' | 'quote'

interface Named {
  readonly _id: string
  readonly name?: string
}

/** The operation that updates a record, and its input. */
function updating(kind: RecordKind, { _id }: Named, body: object) {
  return [kinds[kind].seenBy, { ...pathTo(kind, _id), body }] as const satisfies [OperationId, Input]
}

/** The values of some fields; a field without a value does not compile. */
export function pick<Field extends string, Values extends Readonly<Record<Field, unknown>>>(
  fields: readonly Field[],
  values: Values,
): Pick<Values, Field> {
  return Object.fromEntries(fields.map((field) => [field, values[field]])) as Pick<Values, Field>
}

/** A new record has an id of its own, by which it is found, and the fields that it was given. */
export async function showsTheRecord(
  given: Given,
  kind: RecordKind,
  [body, otherBody]: readonly [object, object],
): Promise<void> {
  const { ask, requirement, view } = given
  const { createdBy } = kinds[kind]
  const record = (await ask(createdBy, { body })).data as Fields & Named
  const other = (await ask(createdBy, { body: otherBody })).data as Named
  for (const field of requirement.fields ?? [])
    expect(record).toHaveProperty(field, (body as Fields)[field] ?? expect.stringMatching(/./))
  expect(record._id).not.toBe(other._id)
  const { succeeded, summary } = await view(kind, record)
  if (!succeeded) throw new BrokenPromise('a record that is found by its id', summary)
  await isSeenWith(given, kind, record, body)
  await keepsTellingName(given, kind, otherBody)
  for (const field of ['unitPrice', 'amount'])
    if (field in body) await keepsTellingPrice(given, kind, { ...otherBody, name: given.mint.name('Engine') }, field)
}

/** Keeps a name beyond ASCII as it is, unless it refuses that. */
async function keepsTellingName(given: Given, kind: RecordKind, body: object): Promise<void> {
  for (const text of [tellingName, longName]) await keepsName(given.mint.name(text), given, kind, body)
}

async function keepsName(name: string, { call, mint, target }: Given, kind: RecordKind, body: object): Promise<void> {
  const domain = `${mint.slug('telling').replaceAll('_', '-')}.${target.emailDomain}`
  const unlike = kind === 'company' ? { domain } : {}
  const { fields, succeeded } = await call(kinds[kind].createdBy, { body: { ...body, ...unlike, name } })
  if (succeeded) expect(fieldsOf(fields.data).name).toBe(name)
}

/** Keeps a high price to the cent, unless it refuses that. */
async function keepsTellingPrice({ call, mint }: Given, kind: RecordKind, body: object, field: string): Promise<void> {
  const unlike = kind === 'product' ? { sku: mint.slug('AE').toUpperCase().replaceAll('_', '-') } : {}
  const { fields, succeeded } = await call(kinds[kind].createdBy, {
    body: { ...body, ...unlike, [field]: tellingPrice },
  })
  if (succeeded) expect(fieldsOf(fields.data)[field]).toBe(tellingPrice)
}

const withoutUndefined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Each of these fields is enough for an update, and is written. */
export async function acceptsEachAlone(given: Given, kind: RecordKind, record: Named, values: Fields): Promise<void> {
  for (const [field, value] of Object.entries(values))
    await given.accepts(...updating(kind, record, { [field]: value }))
  await isSeenWith(given, kind, { ...record, ...values }, values)
}

/** An update answers with the new values and the old ones that it left alone, and so does the next update. */
export async function showsTheChange(
  given: Given,
  kind: RecordKind,
  record: Named,
  [before, change]: readonly [object, object],
): Promise<void> {
  const other = await given.make[kind]()
  const after = { ...before, ...change }
  const seen = await fieldsSeen(given, kind, record)
  const shown = { ...pick<string, Fields>(given.requirement.fields ?? [], after), _id: record._id }
  expect((await given.ask(...updating(kind, record, change))).data).toMatchObject(shown)
  expect(await given.look(kind, { ...record, ...change })).toMatchObject(shown)
  // What it did not name is as it was, where that is shown.
  await isSeenWith(given, kind, { ...record, ...change }, after)
  const kept = pick<string, Fields>(promise(`${kind}.createShowsTheRecord`).fields, { ...seen, ...change })
  expect(await fieldsSeen(given, kind, { ...record, ...change })).toMatchObject(withoutUndefined(kept))
  await isSeenWith(given, kind, other, other)
  for (const text of [tellingName, longName]) {
    const telling = { name: given.mint.name(text) }
    const { fields, succeeded } = await given.call(...updating(kind, record, telling))
    if (succeeded) expect({ ...telling, ...fieldsOf(fields.data) }).toMatchObject(telling)
  }
  await keepsUpdatesOfOthers(given, kind)
}

/** An update with any of these values is refused, and leaves the record as it was. */
export async function refusesUpdates(given: Given, kind: RecordKind, record: Named, wrong: Fields[]): Promise<void> {
  const before = await fieldsSeen(given, kind, record)
  for (const body of wrong) await given.refuses(...updating(kind, record, body))
  const after = await fieldsSeen(given, kind, record)
  for (const field of wrong.flatMap(Object.keys)) expect(after[field]).toEqual(before[field])
}

/** A time in the future, whenever the run is. */
export const inAMonth = () => new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString()

/** Wrong values for a field that takes a number. */
export const notNumbers = (field: string): Fields[] => [
  { [field]: 'twelve' },
  { [field]: { amount: 12 } },
  { [field]: [12, 13] },
]

/** Numbers as text, which some servers turn into numbers. */
export const numericTexts = (field: string): Fields[] => [{ [field]: '12' }]

/** A deleted record can no longer be updated as it could before, and the others can. */
export async function isGoneOnceDeleted(
  given: Given,
  kind: RecordKind,
  write: () => object | Promise<object>,
): Promise<void> {
  const { ask, make, refuses } = given
  const { createdBy, deletedBy } = kinds[kind]
  const earlier: Named[] = [...(await findEldest(given, kind)), await make[kind]()]
  for (let count = 0; count < 3; count++) {
    const body = await write()
    const record = (await ask(createdBy, { body })).data as Named
    const others = [...earlier, ...(await makeAnother(given, createdBy, body, record)), await make[kind]()]
    const [update, input] = updating(kind, record, { name: record.name })
    await ask(update, input)
    await ask(deletedBy, { path: input.path })
    await refuses(update, input)
    for (const other of others) await isStillThere(given, kind, other)
  }
  await removesForOthers(given, kind)
}

/** The oldest record of the run that is there, if any of the first ones is. */
export async function findEldest(tools: Tools, kind: Kind): Promise<{ readonly _id: string }[]> {
  for (const _id of tools.created(kind).slice(0, 20)) if (await isFound(tools, kind, _id)) return [{ _id }]
  return []
}

async function isFound({ view }: Tools, kind: Kind, _id: string): Promise<boolean> {
  try {
    return (await view(kind, { _id })).succeeded
  } catch (error) {
    // The server gave a new record the id of an older one.
    if (error instanceof NotAllowed) return false
    throw error
  }
}

/** Another record like that one, unless the server refuses a second one. */
export async function makeAnother(
  { call }: Tools,
  operation: OperationId,
  body: object,
  { _id }: Named,
): Promise<Named[]> {
  const { fields, succeeded } = await call(operation, { body })
  const another = fieldsOf(fields.data) as Fields & Named
  return succeeded && typeof another._id === 'string' && another._id !== _id ? [another] : []
}

export async function isStillThere({ view }: Tools, kind: Kind, other: Named): Promise<void> {
  const { status, summary } = await view(kind, other)
  if (status === 404) throw new BrokenPromise(`another ${kind} still in place`, summary)
}

/** Several new records, for what a server may do to some of them only. */
export async function inARow<Made>(make: () => Promise<Made>): Promise<Made[]> {
  return [await make(), await make(), await make()]
}

/** Where an update shows a field that a create shows too, it has this value; whether it shows any is left open. */
export async function isSeenWith(tools: Tools, kind: RecordKind, record: Named, values: object): Promise<void> {
  const shown = await fieldsSeen(tools, kind, record)
  for (const field of promise(`${kind}.createShowsTheRecord`).fields)
    if (field in shown && field in values) expect(shown).toHaveProperty(field, (values as Fields)[field])
}

async function fieldsSeen({ observe, view }: Tools, kind: RecordKind, record: Named): Promise<Fields> {
  const { succeeded, summary, fields } = await view(kind, record)
  if (!succeeded) throw new Inconclusive(`the ${kind} cannot be seen: ${summary}`)
  observe('recordAfterUpdate', fields.data ? 'record' : 'messageOnly')
  return (fields.data ?? {}) as Fields
}

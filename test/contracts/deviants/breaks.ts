import * as requests from '../../../mock/http/request.ts'
import * as newContacts from '../../../mock/rules/contacts.ts'
import { normalizeEmail } from '../../../mock/rules/contacts.ts'
import * as resolving from '../../../mock/rules/conversations.ts'
import * as pages from '../../../mock/rules/pagination.ts'
import { refuse as refuseBecause } from '../../../mock/core/refusals.ts'
import * as responses from '../../../mock/core/operation.ts'
import type { AnyReply, ServiceResponse, Context, Reply } from '../../../mock/core/operation.ts'
import { operations as handlers } from '../../../mock/operations/index.ts'
import type { BodyOf, OperationId } from '../../../spec/types.ts'
import { type Shape, operations } from '../../../spec/operations.ts'
import type { Kind, Kinds } from '../../../fixtures/records.ts'
import { fieldsOf } from '../../../contracts/client/answer.ts'
import { type Fields, Stamped } from '../../../mock/core/team.ts'

/** Breaks one rule of the mock, and returns what mends it. */
export type Break = () => () => void

/**
 * Replaces an export of a module (`import * as`) or an entry of a table. Calls from inside the module do not go through
 * its exports and still reach the original.
 */
export function replaceIn<Place extends object, Name extends keyof Place>(
  place: Place,
  name: Name,
  broken: (original: NonNullable<Place[Name]>) => Place[Name],
): Break {
  return () => {
    const { [name]: original } = place
    const described = Object.getOwnPropertyDescriptor(place, name)
    if (!described || original === undefined || original === null) throw new Error(`There is no ${String(name)}`)
    Object.defineProperty(place, name, { ...plainProperty, value: broken(original) })
    return () => {
      Object.defineProperty(place, name, described)
    }
  }
}

/** Replaces a function; the new one gets the original and its arguments. */
export function wrap<Place extends object, Name extends keyof Place>(
  place: Place,
  name: Name,
  broken: (
    original: Extract<Place[Name], AnyFunction>,
    ...given: Parameters<Extract<Place[Name], AnyFunction>>
  ) => ReturnType<Extract<Place[Name], AnyFunction>>,
): Break {
  return replaceIn(place, name, (original) => {
    const own = original as Extract<Place[Name], AnyFunction>
    const wrapped = (...given: Parameters<Extract<Place[Name], AnyFunction>>) => broken(own, ...given)
    return wrapped as Place[Name]
  })
}

type AnyFunction = (...given: never[]) => unknown

const plainProperty = { configurable: true, enumerable: true, writable: true } satisfies PropertyDescriptor

type AnyMethod = (...given: unknown[]) => unknown

/** Replaces a method of a class. The original is bound to the object of the call, which is `self`. */
export function replaceMethod<Instance extends object, Name extends keyof Instance>(
  { prototype }: new (...given: never[]) => Instance,
  name: Name,
  broken: (original: Instance[Name], self: Instance) => Instance[Name],
): Break {
  return replaceIn(prototype as Instance, name, (method) => {
    function brokenMethod(this: Instance, ...given: unknown[]): unknown {
      const original = (method as AnyMethod).bind(this) as Instance[Name]
      return (broken(original, this) as AnyMethod)(...given)
    }
    return brokenMethod as Instance[Name]
  })
}

/** For a rule that only breaks when several places do. */
export function together(...breaks: readonly Break[]): Break {
  return () => {
    const mends = breaks.map((breakPlace) => breakPlace())
    return () => {
      for (const mend of mends.toReversed()) mend()
    }
  }
}

/** No assumption decides a refusal of a deviant. */
export const nothing = { limit: 'wellFormed' } as const

export function refuse(sentence: string): never {
  return refuseBecause(sentence, nothing)
}

type Run<Id extends OperationId> = (given: Context<Id>) => Promise<Reply<Id> & AnyReply>
type BrokenRun<Id extends OperationId> = (given: Context<Id>) => Promise<AnyReply>

/** Replaces an operation. */
export function changeOperation<Id extends OperationId>(id: Id, broken: (original: Run<Id>) => BrokenRun<Id>): Break {
  const change = broken as unknown as (original: AnyRun) => AnyRun
  return replaceIn(anyOperations, id, change)
}

type AnyRun = (given: Context) => Promise<AnyReply>

const anyOperations = handlers as unknown as Readonly<Record<OperationId, AnyRun>>

/** The operation does its work and replies something else. */
export function changeReply<Id extends OperationId>(
  id: Id,
  change: (reply: Reply<Id> & AnyReply, given: Context<Id>) => AnyReply | Promise<AnyReply>,
): Break {
  return changeOperation(id, (original) => async (given) => change(await original(given), given))
}

export const changeStatus = (id: OperationId, status: number): Break =>
  changeReply(id, (reply: AnyReply) => ({ ...reply, status }))

/** Replaces the body after its validation. */
export function changeBody<Id extends OperationId>(
  id: Id,
  change: (body: BodyOf<Id>, given: Context<Id>) => BodyOf<Id> | Promise<BodyOf<Id>>,
): Break {
  return changeOperation(
    id,
    (original) => async (given) => original({ ...given, body: await change(given.body, given) }),
  )
}

/** The operation refuses requests that it should accept. */
export function refuseWhen<Id extends OperationId>(
  id: Id,
  isRefused: (body: BodyOf<Id>, given: Context<Id>) => boolean | undefined | Promise<boolean | undefined>,
): Break {
  return changeOperation(id, (original) => async (given) => {
    if (await isRefused(given.body, given)) refuse('this request is not taken')
    return original(given)
  })
}

/** The operation does something else first. */
export function doBefore<Id extends OperationId>(id: Id, work: (given: Context<Id>) => Promise<unknown>): Break {
  return changeOperation(id, (original) => async (given) => {
    await work(given)
    return original(given)
  })
}

// The rules of the document for a body are in no line of the mock: so its check is broken, or the body before it.

const json = 'application/json'

/** The check of a JSON body passes where it would complain in these words. */
export function ignoreComplaint(id: OperationId, complaint: string): Break {
  return changeShape(id, json, (shape) => ({
    ...shape,
    complaint: (body) => {
      const complained = shape.complaint(body)
      return complained?.sentence.includes(complaint) ? undefined : complained
    },
  }))
}

/** A body of the operation is checked in another way. */
function changeShape(id: OperationId, contentType: string, change: (shape: Shape) => Shape): Break {
  return replaceIn(operations[id], 'body', (original) => (sent) => {
    const shape = original(sent)
    return shape && sent === contentType ? change(shape) : shape
  })
}

/** A body of the operation is changed before it is checked. */
export function changeUncheckedBody<Id extends OperationId>(
  id: Id,
  change: (body: Unchecked<BodyOf<Id>>) => Unchecked<BodyOf<Id>>,
): Break {
  return replaceIn(requests, 'normalizeBody', (original) => (body, operation, assumed) => {
    const isMeant = operation === id && typeof body === 'object' && body !== null
    return original(isMeant ? change(body as Unchecked<BodyOf<Id>>) : body, operation, assumed)
  })
}

type Unchecked<Body> = Readonly<Partial<Record<FieldOf<Body>, unknown>>>
type FieldOf<Body> = Body extends unknown ? keyof Body : never

/** Records of the kind are inserted with other fields than those given. */
export function changeNew<K extends Kind>(kind: K, change: (fields: Fields<K>) => BrokenFields<K>): Break {
  const changeOf = (own: Kind, fields: Fields<K>) => (own === kind ? (change(fields) as Fields<K>) : fields)
  return together(
    replaceMethod(
      Stamped<K>,
      'insert',
      (original, { kind: own }) =>
        (fields) =>
          original(changeOf(own, fields)),
    ),
    replaceMethod(Stamped<K>, 'insertAll', (original, { kind: own }) => (all) => {
      return original(all.map((fields) => changeOf(own, fields)))
    }),
  )
}

type BrokenFields<K extends Kind> = Readonly<Partial<Record<keyof Kinds[K], unknown>>>

/** Records of the kind are updated in another way. */
export function changeUpdate<K extends Kind>(
  kind: K,
  update: (records: Stamped<K>, record: Kinds[K], fields: Partial<Kinds[K]>) => Kinds[K] | Promise<Kinds[K]>,
): Break {
  return replaceMethod(Stamped<K>, 'update', (original, records) => (record, fields) => {
    return records.kind === kind ? update(records, record, fields) : original(record, fields)
  })
}

/** An update answers with the change but does not store it. */
export function forgetUpdates(kind: Kind): Break {
  return changeUpdate(kind, async (_records, record, fields) => ({ ...record, ...fields }) as typeof record)
}

/** An operation answers with a field of its body but does not store it. */
export function echoOnly(id: OperationId, field: string): Break {
  return changeOperation(id, (original) => async (given) => {
    const { [field]: echoed, ...body } = fieldsOf(given.body)
    const reply: AnyReply = await original({ ...given, body } as unknown as typeof given)
    return echoed === undefined ? reply : { ...reply, data: { ...fieldsOf(reply.data), [field]: echoed } }
  })
}

/** A request with this field also sets others. */
export function alsoSets(id: OperationId, field: string, others: object): Break {
  return changeOperation(id, (original) => async (given) => {
    const body = fieldsOf(given.body)
    return original({ ...given, body: field in body ? { ...others, ...body } : body } as unknown as typeof given)
  })
}

/** Records of the kind are marked instead of removed. */
export function markDeleted(kind: Kind): Break {
  return replaceMethod(Stamped<Kind>, 'remove', (original, records) => async (id) => {
    const record = records.kind === kind ? await records.get(id) : undefined
    await (record ? records.update(record, { isDeleted: true } as object) : original(id))
  })
}

/** An update loses the fields that it does not name. */
export function replaceOnUpdate(kind: Kind): Break {
  return changeUpdate(kind, (records, record, fields) => records.replace(record, fields as Fields<typeof kind>))
}

// Operations on conversations and sends resolve the contact of an address by the same rules.

/** A contact that is created for an address does not get the address. */
export const contactWithoutAddress = replaceIn(
  newContacts,
  'insertContactWithAddress',
  () =>
    ({ email, phone }, tx) =>
      newContacts.insertContact({ firstName: email ?? phone ?? '', lastName: '' }, tx),
)

/** No contact is found by its address; each time a new one is created. */
export const newContactEachTime = replaceIn(
  resolving,
  'resolveContact',
  () => async (sent, tx) => newContacts.insertContactWithAddress(normalizeEmail(sent, tx), tx),
)

// The history of a conversation and the list of templates count their pages by the same rule.

type PageCounts = ReturnType<typeof pages.countPages>

/** Lists describe their pages in another way. */
export function changeCounts(
  change: (counts: PageCounts, asked: pages.PageRequest, total: number) => Partial<PageCounts>,
): Break {
  return replaceIn(pages, 'countPages', (original) => (asked, total, tx) => {
    const counts = original(asked, total, tx)
    return { ...counts, ...change(counts, asked, total) }
  })
}

export const pagesFromZero = changeCounts(({ currentPage }) => ({ currentPage: currentPage - 1 }))

export const oneMorePage = changeCounts(({ currentPage, totalPages }) => ({ hasMore: currentPage <= totalPages }))

interface Failure {
  readonly success?: boolean
  readonly message?: string
}

/** Every refusal is answered differently. */
function changeRefusal(change: (answered: ServiceResponse) => ServiceResponse): Break {
  return replaceIn(responses, 'answerTo', (original) => (refusal, assumed) => change(original(refusal, assumed)))
}

export const changeStatusOfRefusal = (from: number, to: number): Break =>
  changeRefusal((answered) => (answered.status === from ? { ...answered, status: to } : answered))

/** The envelope of every refusal, or of those with a status, is different. */
export function changeRefusalEnvelope(change: (failure: Failure) => object, status?: number): Break {
  return changeRefusal((answered) =>
    status === undefined || answered.status === status
      ? { ...answered, body: JSON.stringify(change(JSON.parse(answered.body) as Failure)) }
      : answered,
  )
}

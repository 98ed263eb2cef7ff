import type { AssumptionName } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Fields, fieldsOf, idOf } from '../client/answer.ts'
import { orOnceMore } from '../client/errors.ts'
import { kindNames, type OwnedKind } from '../client/kinds.ts'
import type { Facts } from '../judge/facts.ts'
import type { Seen } from '../judge/laws/law.ts'
import { byStatus, byValue, CannotTell, describe, Other, type ProbeFinding, reasonOf } from './finding.ts'
import type { Ask, Probe } from './probe.ts'

/**
 * An entry of the register as a question to a server. Where one exchange shows the choice, `ask` sends the requests, and `read`
 * returns the choice, also from the requests of others. Where only several exchanges together show it, a probe concludes.
 */
export type Question<Choice> =
  | Probe<Choice>
  | { readonly probe: Probe<Choice>; readonly read: Reader<Choice> | undefined }
  | { readonly ask: Ask | Readonly<Record<string, Ask>>; readonly read: Reader<Choice> }

/**
 * Returns the choice that an exchange shows; nothing where it shows none, or could mean two things. Throws `Other` for a
 * response that no choice describes.
 */
export type Reader<Choice> = (exchange: AnsweredRequest) => Choice | false | undefined

/** A question for each entry of a part of the register; a missing one does not compile. */
export type Questions<Part> = {
  readonly [Name in keyof Part & AssumptionName]: Question<NonNullable<WrittenChoices[Name]>>
}

/** An exchange, with the facts of the earlier ones. */
export interface AnsweredRequest extends Pick<Seen, 'request' | 'answer' | 'open'> {
  readonly facts: Facts
  /** The fields of the body. */
  readonly sent: Fields
  /** The data of a success. */
  readonly data: Fields
  /** Whether the server refused the request for this field; it may refuse it for another reason. */
  readonly isRefusedFor: (field: string) => boolean
  /** Whether no other client changes the records. */
  readonly isAlone: boolean
}

export function withFacts(
  { request, answer, open }: Seen,
  facts: Facts,
  by: Pick<AnsweredRequest, 'isRefusedFor' | 'isAlone'>,
): AnsweredRequest {
  const data = answer.succeeded ? fieldsOf(answer.fields.data) : {}
  return { request, answer, open, facts, sent: fieldsOf(request.body), data, ...by }
}

export function probeOf<Choice extends string>(question: Question<Choice>): Probe<Choice> {
  if (typeof question === 'function') return question
  if ('probe' in question) return question.probe
  const { ask } = question
  if (typeof ask !== 'function')
    return sameInAll(
      Object.fromEntries(Object.entries(ask).map(([place, one]) => [place, probeOf({ ...question, ask: one })])),
    ).probe
  return (_, context) => context.choiceShownBy(() => ask(context, context)) as Promise<Choice>
}

export const readerOf = <Choice>(question: Question<Choice>): Reader<Choice> | undefined =>
  typeof question === 'function' ? undefined : question.read

/** Returns at most one finding. */
export function findingsIn(exchange: AnsweredRequest, read: Reader<string> | undefined): ShownFinding[] {
  try {
    const written = read?.(exchange)
    return typeof written === 'string' ? [{ outcome: 'seen', written }] : []
  } catch (error) {
    if (error instanceof Other) return [{ outcome: 'other', words: error.message }]
    if (error instanceof CannotTell) return []
    throw error
  }
}

export type ShownFinding = Extract<ProbeFinding, { outcome: 'seen' | 'other' }>

/**
 * A question about several places, such as each kind of record. If the places differ, no choice describes the server; a place
 * where the choice cannot be determined does not count.
 */
export function sameInAll<Choice extends string>(places: Readonly<Record<string, Question<Choice>>>) {
  const readers = Object.values(places).flatMap((place) => readerOf(place) ?? [])
  const probe: Probe<Choice> = async (_, context) => {
    const found = new Map<string, string[]>()
    const reasons = new Set<string>()
    let chosen: Choice | undefined
    for (const [place, question] of Object.entries(places)) {
      try {
        chosen = await orOnceMore(() => probeOf(question)(context, context))
        found.set(chosen, [...(found.get(chosen) ?? []), place])
      } catch (error) {
        if (error instanceof Other) found.set(error.message, [...(found.get(error.message) ?? []), place])
        else reasons.add(reasonOf(error))
      }
    }
    if (found.size === 0) throw new CannotTell([...reasons].join('; and '))
    if (found.size === 1 && chosen !== undefined) return chosen
    const words = [...found].map(([what, where]) => (found.size === 1 ? what : `${where.join(', ')}: ${what}`))
    throw new Other(words.join('; '))
  }
  const read: Reader<Choice> = (exchange) => readers.map((one) => one(exchange)).find(Boolean)
  return { probe, read: readers.length === 0 ? undefined : read }
}

/** Reads only the exchanges of these operations. */
export const on =
  <Choice>(ids: readonly OperationId[], read: Reader<Choice>): Reader<Choice> =>
  (exchange) =>
    ids.includes(exchange.request.operation) && read(exchange)

/** Reads only the successes of these operations. */
export const onSuccess = <Choice>(ids: readonly OperationId[], read: Reader<Choice>): Reader<Choice> =>
  on(ids, (exchange) => exchange.answer.succeeded && read(exchange))

/** Returns one of two choices, by whether the server refused the request for a field. */
export function byRefusalOf<const Refused, const Accepted>(
  field: string,
  { answer, isRefusedFor }: AnsweredRequest,
  refused: Refused,
  accepted: Accepted,
): Refused | Accepted | undefined {
  if (answer.succeeded) return byStatus(answer, { ok: accepted })
  return isRefusedFor(field) ? refused : undefined
}

/** The refusal of a request that names a deleted record in its body. */
export const byDeleted = (ids: readonly OperationId[], ...fields: readonly string[]) =>
  on(
    ids,
    ({ answer, sent, facts }) =>
      fields.some((field) => isDeleted(facts, sent[field])) &&
      byStatus(answer, { 404: 'notFound', 400: 'badRequest' } as const),
  )

/** Whether a request deleted the record. */
export const isDeleted = (facts: Facts, id: unknown) =>
  kindNames.some((kind) => facts.record(kind, id)?.deletedBy !== undefined)

/** By values of facts, which another client may have changed since. */
export const byFacts = <Choice extends string>(
  { isAlone }: AnsweredRequest,
  what: string,
  shown: unknown,
  choices: Readonly<Record<Choice, unknown>>,
): Choice | false => (isAlone || Object.values(choices).includes(shown)) && byValue(what, shown, choices)

/** A text, as the facts have it. */
export function knownText(facts: Facts, kind: OwnedKind, id: unknown, field: string): string | undefined {
  const value = facts.record(kind, id)?.fields.get(field)?.value
  return isText(value) ? value : undefined
}

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Whether a success shows the texts that were sent in fields that its documentation does not have. */
export const byHiddenFields =
  (...fields: readonly string[]) =>
  ({ answer, sent, data }: AnsweredRequest): 'allSent' | 'onlyShown' | undefined => {
    const hidden = fields.filter((field) => isText(sent[field]))
    if (!answer.succeeded || hidden.length === 0 || idOf(data) === undefined) return undefined
    const shown = hidden.filter((field) => data[field] !== undefined)
    if (shown.length === 0) return 'onlyShown'
    if (shown.length < hidden.length) throw new Other(`the list of fields shown is ${describe(shown)}`)
    return 'allSent'
  }

/** Reads the values that a new contact shows for fields that were not sent, `null` for none. */
export const createdWithout = <Choice>(fields: readonly string[], read: (shown: unknown[]) => Choice): Reader<Choice> =>
  onSuccess(
    ['createContact'],
    ({ sent, data }) =>
      fields.every((field) => sent[field] === undefined) && read(fields.map((field) => data[field] ?? null)),
  )

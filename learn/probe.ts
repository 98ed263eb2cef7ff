import { isDeepStrictEqual } from 'node:util'
import { type Answer, fieldsOf } from '../client/answer.ts'
import { NotAllowed, orOnceMore, StepFailed } from '../client/errors.ts'
import type { Tools } from '../client/tools.ts'
import type { AssumptionName } from '../spec/assumptions.ts'
import type { WrittenChoices } from '../spec/choices.ts'

/**
 * Determines the choice of a server for an entry, with new records. A probe
 *
 * - returns a choice only after it saw the effect: a server may accept a request that it does not understand;
 * - throws `Other` when no choice describes the behaviour, and `CannotTell` when another behaviour hides it. A failed step
 *   (`ask`, `make`) counts as `CannotTell` too, and so does a request that the operator does not allow.
 */
export type Probe<Name extends AssumptionName> = (context: ProbeContext) => Promise<NonNullable<WrittenChoices[Name]>>

/** A probe for each entry of a part of the register; a missing one does not compile. */
export type Probes<Part> = { readonly [Name in keyof Part & AssumptionName]: Probe<Name> }

/** The tools of a probe. */
export interface ProbeContext extends Tools {
  /**
   * Polls until a condition holds, and returns the milliseconds that it took: 0 if it held at once, `undefined` if it did
   * not hold in the time that the operator allows.
   */
  readonly timeUntil: (isSo: () => Promise<boolean>) => Promise<number | undefined>
  /** Determines a fact that several entries depend on, such as a delay, once in a run. */
  readonly once: <Found>(what: string, find: () => Promise<Found>) => Promise<Found>
}

/** The result of the probe of an entry. */
export type Finding =
  /** The choice that the server made, as a profile writes it. */
  | { readonly outcome: 'seen'; readonly written: string }
  /** The server does something that no choice describes. */
  | { readonly outcome: 'other'; readonly words: string }
  /** The server did two different things. */
  | { readonly outcome: 'unstable'; readonly words: string }
  | { readonly outcome: 'cannotTell'; readonly words: string }

/** The choice of a finding, or the description. */
export const wordsOf = (finding: Finding) => (finding.outcome === 'seen' ? finding.written : finding.words)

/** Two measurements of a delay are never equal. */
export const withoutDelay = (written: string) => written.replace(/^(afterDelay):\d+$/, '$1')

/** The server does something that no choice describes. */
export class Other extends Error {}

/** The choice cannot be determined, for this reason. */
export class CannotTell extends Error {}

/** Returns one of two choices, by whether the server refused a request with a 400. */
export function byRefusal<Refused, Accepted>(answer: Answer, refused: Refused, accepted: Accepted): Refused | Accepted {
  return byStatus<Refused | Accepted>(answer, { 400: refused, ok: accepted })
}

/** Returns the choice for a status; `ok` is any success. */
export function byStatus<Choice>(answer: Answer, choices: Readonly<Record<number, Choice> & { ok?: Choice }>): Choice {
  if (answer.succeeded && !saysSo(answer))
    throw new Other(`${answer.summary}, and the body does not say that it is done`)
  const choice = answer.succeeded ? choices.ok : choices[answer.status]
  if (choice === undefined) throw new Other(answer.summary)
  return choice
}

/** A page with the status 200 is no success. */
const saysSo = ({ body, fields }: Answer) => typeof body === 'object' && body !== null && fields.success !== false

/** Returns the choice with the observed value. */
export function byValue<Choice extends string>(
  what: string,
  seen: unknown,
  values: Readonly<Record<Choice, unknown>>,
): Choice {
  const [choice, ...others] = (Object.keys(values) as Choice[]).filter((each) => isDeepStrictEqual(values[each], seen))
  if (choice === undefined) throw new Other(`${what} is ${describe(seen)}`)
  if (others.length > 0) throw new CannotTell(`${what} is ${describe(seen)}, which fits several choices`)
  return choice
}

/** Throws if the server shows a changed value. */
export function requireKept(what: string, shown: unknown, sent: unknown): void {
  if (shown !== undefined && !isDeepStrictEqual(shown, sent)) throw new Other(`${what} is ${describe(shown)}`)
}

export const describe = (value: unknown) => (value === undefined ? 'absent' : JSON.stringify(value))

/** Throws unless a condition holds that the probe depends on. */
export function requireThat(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new CannotTell(otherwise)
}

/** The address of a file for messages: the picture that the operator names, or one that a server need not fetch. */
export const fileUrl = ({ target }: Pick<Tools, 'target'>) => target.mediaUrl ?? 'https://www.example.com/plan.pdf'

export const attachment = (context: ProbeContext) => ({
  ...{ fileName: 'plan.pdf', fileSize: '12 KB', mimeType: 'application/pdf', mediaType: 'file' },
  mediaUrl: fileUrl(context),
})

/** Whether an error is a reason why something cannot be determined, rather than a bug of ours. */
export const isReason = (error: unknown): error is Error =>
  error instanceof CannotTell || error instanceof StepFailed || error instanceof NotAllowed

/** Returns the result of the first way that works on this server. If none works, the error has the reasons of all. */
export async function tryEach<Result>(...ways: readonly (() => Promise<Result>)[]): Promise<Result> {
  const reasons = new Set<string>()
  for (const way of ways) {
    try {
      return await orOnceMore(way)
    } catch (error) {
      if (!isReason(error)) throw error
      reasons.add(error.message)
    }
  }
  throw new CannotTell([...reasons].join('; and '))
}

/**
 * Returns a probe of several places, such as each kind of record. If the places differ, no choice describes the server; a
 * place where the choice cannot be determined does not count.
 */
export const sameInAll =
  <Choice extends string>(ways: Readonly<Record<string, Way<Choice>>>): Way<Choice> =>
  async (context) => {
    const found = new Map<string, string[]>()
    const reasons = new Set<string>()
    let chosen: Choice | undefined
    for (const [place, way] of Object.entries(ways)) {
      try {
        chosen = await orOnceMore(() => way(context))
        found.set(chosen, [...(found.get(chosen) ?? []), place])
      } catch (error) {
        if (error instanceof Other) found.set(error.message, [...(found.get(error.message) ?? []), place])
        else if (isReason(error)) reasons.add(error.message)
        else throw error
      }
    }
    if (found.size === 0) throw new CannotTell([...reasons].join('; and '))
    if (found.size === 1 && chosen !== undefined) return chosen
    const words = [...found].map(([what, places]) => (found.size === 1 ? what : `${places.join(', ')}: ${what}`))
    throw new Other(words.join('; '))
  }

type Way<Choice> = (context: ProbeContext) => Promise<Choice>
/** Fields of a body, or a function that returns them. */
type Fields = Readonly<Record<string, unknown>> | ((context: ProbeContext) => object | Promise<object>)

/** The create and send operations with their usual bodies. */
const usualRequests = {
  contact: ({ some }: ProbeContext) => ['createContact', some.contact] as const,
  upsert: ({ some }: ProbeContext) => ['createOrUpdateContact', some.upsert] as const,
  company: ({ some }: ProbeContext) => ['createCompany', some.company] as const,
  product: ({ some }: ProbeContext) => ['createProduct', some.product] as const,
  deal: ({ some }: ProbeContext) => ['createDeal', some.deal] as const,
  smsTemplate: ({ some }: ProbeContext) => ['createTemplate', some.template.sms] as const,
  whatsappTemplate: ({ some }: ProbeContext) => ['createTemplate', some.template.whatsapp] as const,
  chat: ({ some }: ProbeContext) => ['sendLiveMessage', some.chat] as const,
  email: ({ some }: ProbeContext) => ['sendEmailMessage', some.email] as const,
  text: ({ some }: ProbeContext) => ['sendMessage', some.text] as const,
  bulkSms: ({ some }: ProbeContext) => ['sendBulkMessages', (fields: object) => some.bulk('sms', fields)] as const,
  bulkEmail: ({ some }: ProbeContext) => ['sendBulkMessages', (fields: object) => some.bulk('email', fields)] as const,
}

type UsualRequest = keyof typeof usualRequests

/**
 * Returns a probe that sends a usual request, which must succeed, and one with odd fields: one of two choices, by whether
 * the server refuses the second one. If it does not, the response must show the odd fields as they were sent, unless it
 * shows neither them nor the usual ones.
 */
export const byOddFields =
  <const Refused, const Accepted>(
    kind: UsualRequest,
    [refused, accepted]: readonly [Refused, Accepted],
    odd: Fields,
    usual: Fields = {},
  ): Way<Refused | Accepted> =>
  async (context) => {
    const [operation, body] = usualRequests[kind](context)
    const fields = await fieldsFor(usual, context)
    const { fields: before } = await context.ask(operation, { body: body(fields) })
    const sent = await fieldsFor(odd, context)
    const answer = await context.call(operation, { body: body({ ...fields, ...sent }) })
    const shown = fieldsOf(answer.fields.data)
    for (const [name, value] of Object.entries(sent)) {
      const isShown = shown[name] !== undefined || fieldsOf(before.data)[name] !== undefined
      if (answer.succeeded && isShown && !isDeepStrictEqual(shown[name], value))
        throw new Other(`the ${name} is ${describe(shown[name])}`)
    }
    return byRefusal(answer, refused, accepted)
  }

const fieldsFor = async (fields: Fields, context: ProbeContext) =>
  typeof fields === 'function' ? fields(context) : fields

export const refusedOrAccepted = (kind: UsualRequest, odd: Fields, usual?: Fields) =>
  byOddFields(kind, ['refused', 'accepted'], odd, usual)

export const checkedOrAnyString = (kind: UsualRequest, odd: Fields, usual?: Fields) =>
  byOddFields(kind, ['checked', 'anyString'], odd, usual)

export const withUnknownId =
  (field: string) =>
  ({ mint }: ProbeContext) => ({ [field]: mint.unknownId() })

export const toNewContact = async ({ make }: ProbeContext) => ({ contactId: (await make.contact())._id })

/** A read after more milliseconds does not show whether an effect was there at once. */
const late = 40

const mostTries = 4

/**
 * Returns how long an effect takes, in milliseconds; `undefined` when that is longer than the operator allows. On this
 * machine, where it costs nothing, the measurement begins again if the first read came too late.
 */
export async function timeTaken(
  { timeUntil, target }: ProbeContext,
  begin: () => Promise<() => Promise<boolean>>,
): Promise<number | undefined> {
  for (let tries = 1; ; tries++) {
    const begunAt = Date.now()
    const isSo = await begin()
    const delay = await timeUntil(isSo)
    if (delay !== 0 || Date.now() - begunAt <= late || tries === mostTries || !target.loopback) return delay
  }
}

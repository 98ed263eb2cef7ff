import { isDeepStrictEqual } from 'node:util'
import { fieldsOf, idOf } from '../client/answer.ts'
import { orOnceMore } from '../client/errors.ts'
import { kinds, pathTo } from '../client/kinds.ts'
import { templatePages, type Tools } from '../client/tools.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { byRefusal, CannotTell, describe, Other, reasonOf } from './finding.ts'

/**
 * Determines the choice of a server for an entry, with new records. A probe
 *
 * - returns a choice only after it saw the effect: a server may accept a request that it does not understand;
 * - throws `Other` when no choice describes the behaviour, and `CannotTell` when another behaviour hides it. A failed step
 *   (`ask`, `make`) counts as `CannotTell` too, and so does a request that the operator does not allow.
 */
export type Probe<Name extends AssumptionName> = Way<NonNullable<WrittenChoices[Name]>>

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

export const approvedSms = { types: ['sms'], statuses: ['approved'] }

/** Whether a list of templates has an SMS template. */
export async function lists({ call }: Pick<Tools, 'call'>, templateId: string): Promise<boolean> {
  for await (const page of templatePages((query) => call('listTemplates', { query }), approvedSms))
    if (page.some((template) => idOf(template) === templateId)) return true
  return false
}

/** The address of a file for messages: the picture that the operator names, or one that a server need not fetch. */
const fileUrl = ({ target }: Pick<Tools, 'target'>) => target.mediaUrl ?? 'https://www.example.com/plan.pdf'

export const attachment = (context: ProbeContext) => ({
  fileName: 'plan.pdf',
  fileSize: '12 KB',
  mimeType: 'application/pdf',
  mediaType: 'file',
  mediaUrl: fileUrl(context),
})

/** Returns the result of the first way that works on this server. If none works, the error has the reasons of all. */
export async function tryEach<Result>(...ways: readonly (() => Promise<Result>)[]): Promise<Result> {
  const reasons = new Set<string>()
  for (const way of ways) {
    try {
      return await orOnceMore(way)
    } catch (error) {
      reasons.add(reasonOf(error))
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
  async (_, context) => {
    const found = new Map<string, string[]>()
    const reasons = new Set<string>()
    let chosen: Choice | undefined
    for (const [place, way] of Object.entries(ways)) {
      try {
        chosen = await orOnceMore(() => way(context, context))
        found.set(chosen, [...(found.get(chosen) ?? []), place])
      } catch (error) {
        if (error instanceof Other) found.set(error.message, [...(found.get(error.message) ?? []), place])
        else reasons.add(reasonOf(error))
      }
    }
    if (found.size === 0) throw new CannotTell([...reasons].join('; and '))
    if (found.size === 1 && chosen !== undefined) return chosen
    const words = [...found].map(([what, places]) => (found.size === 1 ? what : `${places.join(', ')}: ${what}`))
    throw new Other(words.join('; '))
  }

/** Gets its context twice: to take apart, and as a whole for functions that take it. */
type Way<Choice> = (parts: ProbeContext, context: ProbeContext) => Promise<Choice>

/** Fields of a body, or a function that returns them. */
type ProbeBody = Readonly<Record<string, unknown>> | ((context: ProbeContext) => object | Promise<object>)

/** The create and send operations with their usual bodies, and updates of new records. */
const withFields = (usual: object) => (fields: object) => ({ ...usual, ...fields })

const usualRequests = {
  contact: ({ some }: ProbeContext) => ['createContact', some.contact] as const,
  upsert: ({ some }: ProbeContext) => ['createOrUpdateContact', some.upsert] as const,
  company: ({ some }: ProbeContext) => ['createCompany', some.company] as const,
  product: ({ some }: ProbeContext) => ['createProduct', some.product] as const,
  deal: ({ some }: ProbeContext) => ['createDeal', some.deal] as const,
  smsTemplate: ({ some }: ProbeContext) => ['createTemplate', some.template.sms] as const,
  whatsappTemplate: ({ some }: ProbeContext) => ['createTemplate', some.template.whatsapp] as const,
  productUpdate: async ({ make }: ProbeContext) =>
    ['updateProduct', withFields({ unitPrice: 12.34 }), pathTo('product', (await make.product())._id)] as const,
  dealUpdate: async ({ make }: ProbeContext) =>
    ['updateDeal', withFields({ amount: 12.34 }), pathTo('deal', (await make.deal())._id)] as const,
  quote: ({ some }: ProbeContext) => ['createQuote', (fields: object) => some.quote('', fields)] as const,
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
    odd: ProbeBody,
    usual: ProbeBody = {},
  ): Way<Refused | Accepted> =>
  async (context) => {
    const [operation, body, path = {}] = await usualRequests[kind](context)
    const fields = await fieldsFor(usual, context)
    const { fields: before } = await context.ask(operation, { ...path, body: body(fields) })
    const sent = await fieldsFor(odd, context)
    const answer = await context.call(operation, { ...path, body: body({ ...fields, ...sent }) })
    const shown = fieldsOf(answer.fields.data)
    for (const [name, value] of Object.entries(sent)) {
      const isShown = shown[name] !== undefined || fieldsOf(before.data)[name] !== undefined
      if (answer.succeeded && isShown && !isDeepStrictEqual(shown[name], value))
        throw new Other(`the ${name} is ${describe(shown[name])}`)
    }
    return byRefusal(answer, refused, accepted)
  }

const fieldsFor = async (fields: ProbeBody, context: ProbeContext) =>
  typeof fields === 'function' ? fields(context) : fields

export const refusedOrAccepted = (kind: UsualRequest, odd: ProbeBody, usual?: ProbeBody) =>
  byOddFields(kind, ['refused', 'accepted'], odd, usual)

export const checkedOrAnyString = (kind: UsualRequest, odd: ProbeBody, usual?: ProbeBody) =>
  byOddFields(kind, ['checked', 'anyString'], odd, usual)

/** The id of a deleted record, since a server may refuse a made-up id for its form. */
export const unknownId = ({ once, ask, make }: ProbeContext, kind: UnknownKind): Promise<string> =>
  once(`the id of a deleted ${kind}`, async () => {
    if (kind === 'conversation') {
      const { _id, contactId } = await make.conversation()
      await ask('deleteContact', pathTo('contact', contactId._id))
      return _id
    }
    const { _id } = kind === 'template' ? await make.template('sms') : await make[kind]()
    await ask(kinds[kind].deletedBy, pathTo(kind, _id))
    return _id
  })

type UnknownKind = 'contact' | 'company' | 'deal' | 'template' | 'conversation'

/** No operation deletes providers, stages and users: the id of a company is none of theirs either. */
export const withUnknownId =
  (field: string, kind: UnknownKind = 'company') =>
  async (context: ProbeContext) => ({ [field]: await unknownId(context, kind) })

export const toEmail = ({ recipient }: ProbeContext) => ({ to: recipient.email() })

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

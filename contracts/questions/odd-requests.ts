import { isDeepStrictEqual } from 'node:util'
import { contactWrites } from '../../spec/operation-groups.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Answer, fieldsOf } from '../client/answer.ts'
import { kinds, pathTo } from '../client/kinds.ts'
import type { Input } from '../client/request.ts'
import { isNone } from '../judge/laws/same-value.ts'
import { byRefusal, byStatus, describe, Other, requireThat } from './finding.ts'
import { idOfNone, type Probe, type ProbeContext } from './probe.ts'
import { type AnsweredRequest, byRefusalOf, isDeleted, on } from './question.ts'
import { approvedTemplate } from './templates-to-send.ts'

// The server must accept a usual request. An odd one then shows whether the server accepts odd values.

type FromContext<Result> = (parts: ProbeContext, context: ProbeContext) => Result | Promise<Result>

/** An operation with a usual input. */
type Usual<Id extends OperationId> = FromContext<readonly [Id, Input]>

/** The difference of the odd request. */
type OddInput = Input | ((parts: ProbeContext, usual: Input) => Input | Promise<Input>)

/** Sends a usual request, and an odd one. */
export const askOddly =
  <Id extends OperationId>(usual: Usual<Id>, odd: OddInput) =>
  async (_: ProbeContext, context: ProbeContext): Promise<{ answer: Answer<Id>; input: Input }> => {
    const [operation, input] = await usual(context, context)
    await context.ask(operation, input)
    const oddInput = { ...input, ...(typeof odd === 'function' ? await odd(context, input) : odd) }
    return { answer: await context.call(operation, oddInput), input: oddInput }
  }

/** Returns the choice for the status of the odd request. Where a success alone is not enough, a function looks at it. */
export const byOddInput =
  <Id extends OperationId, const Choice extends string>(
    usual: Usual<Id>,
    odd: OddInput,
    choices: Readonly<Record<number, Choice>> & {
      readonly ok: Choice | ((answer: Answer<Id>, input: Input) => Choice)
    },
  ): Probe<Choice> =>
  async (_, context) => {
    const { answer, input } = await askOddly(usual, odd)(context, context)
    const choice = byStatus<Choice | ((answer: Answer<Id>, input: Input) => Choice)>(answer, choices)
    return typeof choice === 'function' ? choice(answer, input) : choice
  }

/** The odd value of a field, or a function that returns it. */
type OddValue = string | number | readonly unknown[] | ((context: ProbeContext) => unknown) | Instead

class Instead {
  readonly usual: Exclude<OddValue, Instead>
  readonly odd: Exclude<OddValue, Instead>

  constructor(usual: Instead['usual'], odd: Instead['odd']) {
    this.usual = usual
    this.odd = odd
  }
}

/** An odd value of a field that the usual request has, too. */
export const insteadOf = (usual: Instead['usual'], odd: Instead['odd']) => new Instead(usual, odd)

const withFields = (usual: object) => (fields: object) => ({ ...usual, ...fields })

/** The create and send operations with their usual bodies, and updates of new records. */
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
  quote: async ({ some, make }: ProbeContext) => {
    const { _id } = await make.deal()
    return ['createQuote', (fields: object) => some.quote(_id, fields)] as const
  },
  chat: async ({ some, make }: ProbeContext) => {
    const { _id: contactId } = await make.contact()
    return ['sendLiveMessage', (fields: object) => some.chat({ contactId, ...fields })] as const
  },
  email: ({ some, recipient }: ProbeContext) => {
    const to = recipient.email()
    return ['sendEmailMessage', (fields: object) => some.email({ to, ...fields })] as const
  },
  sms: ({ some, recipient }: ProbeContext) => {
    const to = recipient.phone()
    return ['sendMessage', (fields: object) => some.text({ channel: 'sms', to, ...fields })] as const
  },
  fromTemplate: async (context: ProbeContext) => {
    const { content: _, ...template } = await approvedTemplate(context)
    requireThat(template.bodyParameters.length > 0, 'needs an approved WhatsApp template with a placeholder')
    const usual = { channel: 'whatsapp' as const, to: context.recipient.phone(), ...template }
    return ['sendMessage', (fields: object) => context.some.text({ ...usual, ...fields })] as const
  },
  bulkSms: ({ some }: ProbeContext) => ['sendBulkMessages', (fields: object) => some.bulk('sms', fields)] as const,
  bulkEmail: ({ some }: ProbeContext) => ['sendBulkMessages', (fields: object) => some.bulk('email', fields)] as const,
  scheduledEmail: ({ some }: ProbeContext) =>
    ['sendBulkMessages', (fields: object) => some.bulk('email', { scheduleType: 'scheduled', ...fields })] as const,
}

type UsualRequest = keyof typeof usualRequests

/** The requests of others that are of this kind. */
const operationsOf: Readonly<Partial<Record<UsualRequest, readonly OperationId[]>>> = {
  contact: contactWrites,
  upsert: ['createOrUpdateContact'],
  company: ['createCompany'],
  product: ['createProduct'],
  deal: ['createDeal', 'updateDeal'],
  smsTemplate: ['createTemplate'],
  whatsappTemplate: ['createTemplate'],
  dealUpdate: ['createDeal', 'updateDeal'],
  quote: ['createQuote'],
}

/** Whether a value in a request of others is odd. */
type IsOdd = (value: unknown, exchange: AnsweredRequest) => boolean

/**
 * A question by a usual request, and one with odd fields: one of two choices, by whether the server refuses the second one. If
 * it does not, the response must show the odd fields as they were sent, unless it shows neither them nor the usual ones.
 */
export function byOddFields<const Refused extends string, const Accepted extends string>(
  kind: UsualRequest,
  choices: readonly [Refused, Accepted],
  fields: Readonly<Record<string, OddValue>>,
  isOdd?: IsOdd,
) {
  const valuesFor = async (which: 'usual' | 'odd', context: ProbeContext) => {
    const values: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(fields)) {
      if (which === 'usual' && !(value instanceof Instead)) continue
      const one = value instanceof Instead ? value[which] : value
      values[name] = typeof one === 'function' ? await one(context) : one
    }
    return values
  }
  const probe = async (context: ProbeContext): Promise<Refused | Accepted> => {
    const [operation, body, path = {}] = await usualRequests[kind](context)
    const { fields: before } = await context.ask(operation, { ...path, body: body(await valuesFor('usual', context)) })
    const odd = await valuesFor('odd', context)
    const answer = await context.call(operation, { ...path, body: body(odd) })
    const shown = fieldsOf(answer.fields.data)
    for (const [name, value] of Object.entries(odd)) {
      const isShown = shown[name] !== undefined || fieldsOf(before.data)[name] !== undefined
      if (answer.succeeded && isShown && !isDeepStrictEqual(shown[name], value))
        throw new Other(`the ${name} is ${describe(shown[name])}`)
    }
    return byRefusal(answer, ...choices)
  }
  const [field = ''] = Object.keys(fields)
  const read = on(operationsOf[kind] ?? [], (exchange) => {
    const { templateType, [field]: value } = exchange.sent
    const isOfKind = templateType === undefined || (templateType === 'whatsapp') === (kind === 'whatsappTemplate')
    return isOfKind && !isNone(value) && isOdd?.(value, exchange) === true && byRefusalOf(field, exchange, ...choices)
  })
  return { probe, read: isOdd && read }
}

type Odd = [kind: UsualRequest, fields: Readonly<Record<string, OddValue>>, isOdd?: IsOdd]

export const refusedOrAccepted = (...[kind, ...odd]: Odd) => byOddFields(kind, ['refused', 'accepted'], ...odd)

export const checkedOrAny = (...[kind, ...odd]: Odd) => byOddFields(kind, ['checked', 'anyString'], ...odd)

/** A value that another record has. */
export const valueOfAnother = (kind: 'contact' | 'product' | 'company', field: string): Odd => [
  kind,
  { [field]: async ({ make }) => fieldsOf(await make[kind]())[field] },
  // An update and an upsert send the address that the contact has.
  (value, { facts, open, request: { operation } }) =>
    operation === kinds[kind].createdBy &&
    [...facts.living(kind, open)].some(({ fields }) => fields.get(field)?.value === value),
]

/** The id of a deleted record, instead of the id of a new one. */
export const idOfDeleted = (kind: UsualRequest, of: 'contact' | 'company'): Odd => [
  kind,
  { [`${of}Id`]: insteadOf(async ({ make }) => (await make[of]())._id, idOfNone(of)) },
  (value, { facts }) => isDeleted(facts, value),
]

export const unless = (isUsual: (text: string) => boolean) => (value: unknown) => !isUsual(String(value))

export const outside = (documented: readonly string[]) => unless((text) => documented.includes(text))

import fc from 'fast-check'
import type { Input } from '../client/request.ts'
import { describedOperations, document, membersOf } from '../../spec/document.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { from, type ModelKind, type Model } from './model.ts'
import type { Twist } from './twists.ts'
import { type Body, type Value, type Values, valuesFor } from './values.ts'

/** Sends a request of a story, and returns the number of the step if the request should succeed. */
type Send = (operation: OperationId, input: Input) => Promise<number | undefined>

/** One or more requests about the records of a story. */
export type Act = (model: Model, send: Send) => Promise<unknown>

interface RequestOptions {
  /** Values that the request has in any case. */
  readonly fixed?: fc.Arbitrary<Values>
  /** The fields with random values; by default the required ones, and some of the others. */
  readonly only?: readonly string[]
}

/** Sends an operation about the records of the story. */
export function request(
  operation: OperationId,
  { fixed = fc.constant({}), only }: RequestOptions = {},
): fc.Arbitrary<Act> {
  const [required, optional] = fieldNames(operation)
  const random = only
    ? fc.record(valuesOf(operation, only))
    : fc
        .tuple(fc.record(valuesOf(operation, required)), some(valuesOf(operation, optional)))
        .map(([always, sometimes]) => ({ ...always, ...sometimes }))
  return fc
    .tuple(random, fixed, fc.constantFrom(false, false, true))
    .map(([values, fixedValues, isForm]): Act => async (model, send) => {
      const fields = fill(operation, { ...values, ...fixedValues }, model)
      const [, kind] = /\{(\w+)Id\}/.exec(operations[operation].path) ?? []
      const path = kind === undefined ? {} : { path: { [`${kind}Id`]: model.id(kind as ModelKind) } }
      const { contentTypes } = operations[operation]
      const content =
        contentTypes.length === 0
          ? { query: fields as NonNullable<Input['query']> }
          : isForm && contentTypes.length > 1 && fields.templateType === 'whatsapp'
            ? { form: toForm(fields) }
            : { body: fields }
      const n = await send(operation, { ...path, ...content })
      if (n !== undefined) note(model, operation, n, { ...path.path, ...fields })
    })
}

/** Sends a request of the story again, with its key; 0 for the latest. */
export const repeat =
  (back: number): Act =>
  async ({ sent }, send) => {
    const earlier = sent.at(-1 - Math.min(back, sent.length - 1))
    if (earlier) await send(earlier.operation, earlier.input)
  }

/** Changes the requests of an act. */
export const as =
  (twist: Twist, act: Act): Act =>
  (model, send) =>
    act(model, async (operation, input) => {
      const { input: changed, isGood } = twist(input, { operation, model }) ?? { input, isGood: true }
      const n = await send(operation, changed)
      return isGood ? n : undefined
    })

/** Contacts have a text that shows that the run has created them, and mostly addresses. */
const wanted: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  createContact: ['email', 'phone', 'source'],
  createOrUpdateContact: ['email', 'phone', 'source'],
  createContactWithConversation: ['email'],
  createTemplate: ['variables', 'bodyVariableSampleValues'],
}

/** The receiver of a message and the fields of a header go together; a file and a scheduled time cannot be compared. */
const unwanted =
  /^(?:conversationId|recipientIds?|contactId|to|file|scheduleTime|isHeader|header(?:Type|Text|Variables|VariableSampleValues))$/

const bodies = new Map(describedOperations(document).map((one) => [one.operationId, one.requestBody]))

/** The fields that a body always has and those that it may have, in the order of the document. */
function fieldNames(operation: OperationId): readonly [required: string[], optional: string[]] {
  const described = bodies.get(operation)?.content['application/json']?.schema
  if (!described) return [[], []]
  const { properties, required: stated } = membersOf(document, described)
  const required = new Set([...stated, ...(wanted[operation] ?? [])])
  // Required by e-mail alone: without it, the refusal is compared as well.
  if (operation === 'sendBulkMessages') required.delete('subject')
  const names = Object.keys(properties)
  const isOptional = (name: string) => !unwanted.test(name) || (name === 'contactId' && operation.endsWith('Deal'))
  return [names.filter((name) => required.has(name)), names.filter((name) => !required.has(name) && isOptional(name))]
}

function valuesOf(operation: OperationId, names: readonly string[]): Record<string, fc.Arbitrary<Value>> {
  const kind = operation.replace(/^[a-z]+/, '')
  return Object.fromEntries(names.map((name) => [name, valuesFor(kind, name)]))
}

/** Mostly a few of these fields, so that a change shows which others were lost; sometimes nearly all. */
function some(fields: Record<string, fc.Arbitrary<Value>>): fc.Arbitrary<Values> {
  const entries = Object.entries(fields).map(([name, value]) => fc.tuple(fc.constant(name), value))
  if (entries.length === 0) return fc.constant({})
  const few = fc.array(fc.oneof(...entries), { maxLength: Math.ceil(entries.length / 3), size: 'max' })
  const most = fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Values>
  return fc.oneof(
    { weight: 2, arbitrary: few.map((chosen) => Object.fromEntries(chosen)) },
    { weight: 1, arbitrary: most },
  )
}

/** Values depend on the channel of a message, the type of a template and on fields that the document lists before. */
function fill(operation: OperationId, values: Values, model: Model): Body {
  const listed = [...(operations[operation].body('application/json')?.listed({}) ?? [])]
  const rank = (name: string) => (/^(?:channel|templateType)$/.test(name) ? -2 : listed.indexOf(name))
  const filled: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values).sort(([one], [other]) => rank(one) - rank(other))) {
    const seen = value(model, filled)
    if (seen !== undefined) filled[name] = seen
  }
  const allowed = operations[operation].body('application/json')?.listed(filled)
  return Object.fromEntries(Object.entries(filled).filter(([name]) => allowed?.has(name) ?? true))
}

/** Notes the records of a successful request. */
function note(model: Model, operation: OperationId, n: number, sent: Body): void {
  const [, verb = '', kind = ''] = /^(create|createOrUpdate|delete)([A-Z][a-z]+)$/.exec(operation) ?? []
  const name = kind.toLowerCase() as ModelKind
  if (verb === 'delete') model.remove(name, model.id(name))
  else if (verb !== '') model.adopt(name, from(n, 'data._id'))
  if (operation === 'createTemplate') model.own.templateType = sent.templateType
  if (operation === 'createTemplate' && sent.templateType === 'whatsapp')
    model.adopt('whatsappTemplate', model.id('template'))
  if (/^findOrCreateConversation$|WithConversation$/.test(operation)) {
    model.adopt('conversation', from(n, 'data._id'))
    model.adopt('contact', from(n, 'data.contactId._id'))
  }
  if (operations[operation].effect === 'send') noteMessage(model, operation, n, sent)
  else if (/Contact|Conversation/.test(operation)) {
    if (typeof sent.email === 'string') model.adopt('email', sent.email)
    if (typeof sent.phone === 'string') model.adopt('phone', sent.phone)
  }
}

/** On another machine, the recipient of a message may be a contact that existed before the run. */
function noteMessage(
  model: Model,
  operation: OperationId,
  n: number,
  { conversationId, contactId, to, channel }: Body,
): void {
  if (!model.target.loopback) return
  if (operation === 'sendBulkMessages') {
    const last = String(to).split(',').at(-1)
    if (last && model.bulkPause !== undefined) model.adopt(channel === 'email' ? 'email' : 'phone', last)
    return
  }
  model.adopt('message', from(n, 'data._id'))
  if (conversationId !== undefined) return
  model.adopt('conversation', from(n, 'data.conversationId'))
  if (contactId === undefined) model.adopt('contact', from(n, 'data.contactId'))
}

/** A form holds texts, and lists as JSON. */
function toForm(fields: Body): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

import { operations } from '../../spec/operations.ts'
import { fieldsOf } from '../client/answer.ts'
import { namesRecord } from '../client/kinds.ts'
import type { ParsedRequest } from './parse-request.ts'

/** Texts that people write, of which a server takes any. */
const written = new Set(['content', 'subject', 'firstName', 'lastName', 'name', 'source'])

/** A server may refuse a value that another record has. */
const unique = new Set(['email', 'phone', 'to', 'name', 'uniqueName', 'domain', 'sku'])

/** A server may refuse to move a record from where it is. */
const moving = ['status', 'stage', 'pipeline', 'lifecycleStage']

/** Fields that decide which others go with them. */
const deciding = ['channel', 'templateType', 'scheduleType', 'headerType']

const features: readonly RegExp[] = [/<\w/, /&\w+;/, /[*_`~]/, /[^\p{ASCII}]/u, / {2}/, /\n/, /\{\{/]

const mostKnown = 20_000

/** The other fields of a message do not depend on which of them it names. */
const receivers = new Set(['conversationId', 'contactId', 'recipientId', 'recipientIds', 'to'])

/** The requests that a server accepted, by the kind of record: combinations of fields, and the kinds of their values. */
export class Taken {
  readonly #shapes = new Set<string>()
  /** The two largest sizes of each kind of value: a value that was accepted once may be an exception. */
  readonly #sizes = new Map<string, readonly number[]>()
  /** How often each value that may have to be unique was sent. */
  readonly #sent = new Map<string, number>()

  begin({ body }: ParsedRequest): void {
    for (const text of [...uniqueIn(body), String(fieldsOf(body).content)])
      if (this.#sent.size < mostKnown) this.#sent.set(text, (this.#sent.get(text) ?? 0) + 1)
  }

  timesSent = (text: unknown) => this.#sent.get(String(text)) ?? 0

  add(request: ParsedRequest): void {
    if (this.#shapes.size > mostKnown || this.#sizes.size > mostKnown) return
    for (const shape of shapesOf(request)) this.#shapes.add(shape)
    for (const [name, size] of valuesOf(request))
      this.#sizes.set(name, [...(this.#sizes.get(name) ?? []), size].toSorted((one, other) => other - one).slice(0, 2))
  }

  /** Whether a request names only providers, pipelines and stages, which no operation deletes, and the server accepted each before. */
  namesKnown(request: ParsedRequest): boolean {
    const fields = Object.entries(fieldsOf(request.body)).filter(([name, value]) => namesRecord({ [name]: value }))
    const values = valuesOf({ ...request, body: Object.fromEntries(fields) })
    return (
      fields.every(([name]) => /^(provider(Id)?|pipeline|stage)$/.test(name)) &&
      values.every(([name]) => this.#sizes.has(name))
    )
  }

  /** Whether a server has no reason to refuse a request: it accepted these fields together and such values of each, and the outcome depends on no other record. */
  allows(request: ParsedRequest): boolean {
    const { operation, body } = request
    const sent = fieldsOf(body)
    const depends =
      operation === 'updateQuote' ||
      moving.some((name) => name in sent) ||
      deciding.some((name) => sent[name] === 'whatsapp')
    return (
      !depends &&
      shapesOf(request).every((shape) => this.#shapes.has(shape)) &&
      uniqueIn(body).every((text) => this.#sent.get(text) === 1) &&
      valuesOf(request).every(([name, size]) => (this.#sizes.get(name)?.[1] ?? -1) >= size)
    )
  }
}

const uniqueIn = (body: unknown) =>
  Object.entries(fieldsOf(body)).flatMap(([name, value]) => (unique.has(name) ? [String(value)] : []))

/** The fields together that may depend on each other: the receivers of a message and its other fields, or each field of a record. */
function shapesOf({ operation, caller, body }: ParsedRequest): string[] {
  const sent = fieldsOf(body)
  const names = Object.keys(sent).toSorted()
  const decided = deciding.map((name) => sent[name])
  const isTo = (name: string) => receivers.has(name)
  const groups =
    operations[operation].effect === 'send'
      ? [
          ['to', ...names.filter(isTo)],
          ['rest', ...names.filter((name) => !isTo(name) && name !== 'source')],
          names.filter((name) => name === 'source'),
        ]
      : [
          // An update without fields and a contact without an address may be refused.
          [names.every((name) => deciding.includes(name)) ? 'none' : 'some'],
          ['at', ...names.filter((name) => name === 'email' || name === 'phone')],
          ...names.map((name) => [name]),
        ]
  return groups.map((group) => JSON.stringify([operation, caller, group, decided]))
}

/**
 * The kind and the size of each value. A server may refuse one receiver, so the receiver of a message counts as a value, and
 * a reference leads to something in one team only.
 */
function valuesOf({ operation, body, caller }: ParsedRequest): (readonly [string, number])[] {
  const { group } = operations[operation]
  const about = group === 'conversations' ? 'contacts' : group
  return Object.entries(fieldsOf(body))
    .filter(([name]) => about === 'messages' || !/^(contactId|dealId)$/.test(name))
    .map(([name, value]) => {
      const [kind, size] = kindOf(name, value)
      return [JSON.stringify([about, name, kind, namesRecord({ [name]: value }) ? caller : '']), size] as const
    })
}

function kindOf(name: string, value: unknown): readonly [string, number] {
  if (typeof value === 'number')
    return [`${value === 0} ${value < 0} ${value % 1 !== 0}`, String(Math.trunc(value)).length]
  if (typeof value === 'string' && value !== '' && written.has(name))
    return [features.map((one) => Number(one.test(value))).join(''), value.length]
  if (typeof value !== 'string' || !unique.has(name) || /^\+?\d/.test(value)) return [JSON.stringify(value), 0]
  // The domain of an address, and the form of another name. Of a phone number, a server may check more than its form.
  const form = value
    .replaceAll(/[a-z]+/g, 'a')
    .replaceAll(/[A-Z]+/g, 'A')
    .replaceAll(/\d+/g, '0')
  return [value.includes('@') ? value.replace(/^.*@/, '') : form, value.length]
}

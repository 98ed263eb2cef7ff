import { type Answer, fieldsOf } from '../../client/answer.ts'
import type { Mint } from '../../client/mint.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { type FaultOfField, faultsOfField, isOneLine, longestText, type Voice } from '../../spec/voice/voice.ts'
import type { Sent } from './listener.ts'
import { unanimous, usualOf } from './most.ts'

/**
 * The messages of a server. What the run itself sent becomes a placeholder; a text with anything else that may be
 * somebody's data is left out.
 */
export class HeardTexts {
  readonly #mint: Pick<Mint, 'marks'>
  readonly #redact: (text: string) => string
  readonly #byStatus = new Map<OperationId, Map<number, string[]>>()
  readonly #badField: Record<FaultOfField, string[]> = { missing: [], unlisted: [], wrong: [] }
  /** What the records of others hold. */
  readonly #data = new Set<string>()

  constructor(mint: Pick<Mint, 'marks'>, redact: (text: string) => string) {
    this.#mint = mint
    this.#redact = redact
  }

  hear(answer: Answer, sent: Sent): void {
    const { operation, status, message, succeeded, fields } = answer
    if (succeeded) this.#noteData(fields.data)
    if (message === '' || message.includes('{') || (!succeeded && status !== 400 && status !== 404)) return
    const fault = status === 400 ? faultIn(operation, sent.body) : undefined
    const aboutField = fault && withField(message, fault.field)
    if (fault && aboutField !== undefined) this.#badField[fault.kind].push(aboutField)
    const texts = this.#byStatus.get(operation) ?? new Map<number, string[]>()
    this.#byStatus.set(operation, texts)
    texts.set(status, [...(texts.get(status) ?? []), templateOf(message, valuesIn(answer, sent), operation)])
  }

  learned(): Pick<Voice, 'messages' | 'badField'> {
    const messages = (Object.keys(operations) as OperationId[]).flatMap((operation) => {
      const texts = this.#byStatus.get(operation) ?? []
      const clear = [...texts].flatMap(([status, all]) => {
        const text = operation === 'deleteContactsByEmail' ? usualOf(all.filter(counts), 0) : unanimous(all)
        // One refusal alone does not say whether another one would be worded alike.
        const isEnough = status !== 400 || all.length > 1
        return text !== undefined && isEnough && this.#isNobodysData(text) ? [[status, text] as const] : []
      })
      return clear.length === 0 ? [] : [[operation, Object.fromEntries(clear)] as const]
    })
    const badField = faultsOfField.flatMap((fault) => {
      const all = this.#badField[fault]
      const text = fault === 'missing' ? usualOf(all, 0.6) : unanimous(all)
      return text !== undefined && this.#isNobodysData(text) ? [[fault, text] as const] : []
    })
    return {
      ...(messages.length === 0 ? {} : { messages: Object.fromEntries(messages) }),
      ...(badField.length === 0 ? {} : { badField: Object.fromEntries(badField) }),
    }
  }

  #isNobodysData(text: string): boolean {
    const rest = text.replaceAll(/\{\w+\}/g, ' ')
    if (!isOneLine(text) || looksLikeData.test(rest) || this.#mint.marks(rest) || this.#redact(rest) !== rest)
      return false
    return [...this.#data].every((value) => !rest.includes(value))
  }

  #noteData(value: unknown, name = ''): void {
    if (typeof value === 'string' && value.length > 2 && personal.test(name) && !nouns.test(value))
      this.#data.add(value)
    if (typeof value !== 'object' || value === null) return
    const isList = Array.isArray(value)
    for (const [key, one] of Object.entries(value)) this.#noteData(one, isList ? name : key)
  }
}

/** A number, an address, a link, a token, or a quotation, which may be anything. */
const looksLikeData = /\d|@|:\/\/|\bwww\.|[\w-]{24,}|[“”«»„]/

const personal = /name|mail|phone|address|city|domain|company|owner|user|title|subject|content/i

/** The name that a server gives a new quote may be "Quote". */
const nouns = /^(contact|conversation|message|template|company|product|deal|quote|order|email|unknown)s?$/i

const counts = (text: string) => text.includes('{count}')

/** What is wrong with the one field of a body that is not as documented. */
function faultIn(operation: OperationId, body: unknown): { field: string; kind: FaultOfField } | undefined {
  const shape = operations[operation].body('application/json')
  const complaint = body === undefined ? undefined : shape?.complaint(body)
  if (!complaint || !/^\w+$/.test(complaint.field) || (shape?.faults(body).length ?? 0) > 1) return undefined
  return { field: complaint.field, kind: complaint.kind === 'value' ? 'wrong' : complaint.kind }
}

/** The text with the name of the field as a placeholder; nothing when it does not name it. */
function withField(message: string, field: string): string | undefined {
  const text = message.replaceAll(new RegExp(`(?<![\\w])${field}(?![\\w])`, 'g'), '{field}')
  return text === message ? undefined : text
}

function valuesIn({ operation, fields: { data } }: Answer, { id, query, body }: Sent): [name: string, value: string][] {
  const own = fieldsOf(data)._id
  const values = Object.entries({ ...fieldsOf(body), ...query })
  const ids = [id, operation.startsWith('list') ? undefined : own].map((one) => ['id', one] as const)
  return [...values, ...ids].flatMap(([name, value]): [string, string][] => {
    const text = typeof value === 'number' ? String(value) : value
    return typeof text === 'string' && text.length > 2 && text.length <= longestText && /^[A-Za-z]\w*$/.test(name)
      ? [[name, text]]
      : []
  })
}

function templateOf(message: string, values: [name: string, value: string][], operation: OperationId): string {
  const names = new Map(values.map(([name, value]) => [value, name]))
  const longestFirst = [...names.keys()].toSorted((one, other) => other.length - one.length)
  const anyValue = new RegExp(
    longestFirst.map((value) => value.replaceAll(/[^\w]/gu, String.raw`\$&`)).join('|') || '$^',
    'g',
  )
  const text = message.replace(anyValue, (value) => `{${names.get(value) ?? ''}}`)
  return operation === 'deleteContactsByEmail' ? text.replace(/\d+/, '{count}') : text
}

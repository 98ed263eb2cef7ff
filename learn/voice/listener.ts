import { type Answer, fieldsOf } from '../../client/answer.ts'
import type { Observer } from '../../client/client.ts'
import type { Exchange } from '../../client/exchange.ts'
import type { Mint } from '../../client/mint.ts'
import type { Incoming, Outgoing } from '../../client/transport.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { mapRecords } from '../../spec/voice/records.ts'
import { headerNames } from '../../spec/voice/voice.ts'
import type { Heard } from './compare-voices.ts'
import { HeardFields } from './heard-fields.ts'
import { HeardForms } from './heard-forms.ts'
import { HeardTexts } from './heard-texts.ts'
import { parseJson } from '../../shared/parse-json.ts'

/** Collects from the answers of a server how it speaks: its texts, ids and times, never what a record contains. */
export class VoiceListener implements Observer {
  readonly #texts: HeardTexts
  readonly #forms: HeardForms
  readonly #fields: HeardFields

  constructor(mint: Pick<Mint, 'marks'>, redact: (text: string) => string) {
    this.#texts = new HeardTexts(mint, redact)
    this.#forms = new HeardForms(mint)
    this.#fields = new HeardFields(mint)
  }

  onAnswer(answer: Answer, { operation, request, incoming }: Exchange & { readonly incoming: Incoming }): void {
    const sent = sentIn(request, operation)
    this.#fields.noteSent(sent.body)
    this.#texts.hear(answer, sent)
    for (const [name, value] of Object.entries(incoming.headers))
      if (typeof value === 'string' && headerNames.test(name)) this.#forms.hearHeader(name, value)
    if (!answer.succeeded) return
    const { data, meta } = answer.fields
    if (typeof meta === 'object' && meta !== null && !Array.isArray(meta)) this.#fields.hearMeta(fieldsOf(meta))
    mapRecords(operation, data, (record, name) => {
      this.#fields.hear(name, record)
      this.#forms.hear(name, record)
      return record
    })
  }

  onNoAnswer(): void {
    // Nothing was said.
  }

  onChoice(): void {
    // A choice is no voice.
  }

  heard(): Heard {
    const voice = { ...this.#texts.learned(), ...this.#forms.learned(), ...this.#fields.learned() }
    return { voice, records: this.#fields.records() }
  }
}

/** What a request said, by the names of the fields. */
export interface Sent {
  readonly id: string | undefined
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

function sentIn({ url, headers, body }: Outgoing, operation: OperationId): Sent {
  const { pathname, searchParams } = new URL(url)
  const [, id] = operations[operation].path.endsWith('}') ? (/\/([^/]+)\/?$/.exec(pathname) ?? []) : []
  const isJson = headers['content-type']?.startsWith('application/json') ?? false
  return {
    id,
    query: Object.fromEntries(searchParams),
    body: isJson && body && body.length < longestBody ? parseJson(body.toString()) : undefined,
  }
}

/** A probe sends bodies of 11 MiB, about which nothing is said but that. */
const longestBody = 64 * 1024

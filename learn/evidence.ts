import type { Observer } from '../client/client.ts'
import type { Exchange } from '../client/exchange.ts'
import type { AssumptionName } from '../spec/assumptions.ts'

/** The requests and responses behind the finding for an entry. */
export interface Evidence {
  readonly name: AssumptionName
  readonly exchanges: readonly ExchangeReport[]
}

interface ExchangeReport {
  readonly request: string
  readonly sent?: string
  readonly status?: number
  readonly answered: string
}

const longestText = 2_000
/** Redacting a body of mebibytes would take seconds. */
const longestRedacted = 10 * longestText
/** The probe of the default page sends 51 messages. */
const mostExchanges = 40

/** Records the requests and responses for each entry, without the secrets of the operator. */
export class EvidenceLog implements Observer {
  readonly evidence: { name: AssumptionName; exchanges: ExchangeReport[] }[] = []
  readonly #redact: (text: string) => string
  #exchanges: ExchangeReport[] | undefined

  constructor(redact: (text: string) => string) {
    this.#redact = redact
  }

  begin(name: AssumptionName): void {
    this.#exchanges = []
    this.evidence.push({ name, exchanges: this.#exchanges })
  }

  end(): void {
    this.#exchanges = undefined
  }

  onAnswer: Observer['onAnswer'] = (_, exchange) => {
    const { status, text } = exchange.incoming
    this.#add(exchange, { status, answered: this.#shorten(text) })
  }

  onNoAnswer: Observer['onNoAnswer'] = (exchange, error) => {
    this.#add(exchange, { answered: `no answer: ${this.#shorten(error.message)}` })
  }

  onChoice = () => undefined

  #add({ request: { method, url, body } }: Exchange, answer: Pick<ExchangeReport, 'status' | 'answered'>): void {
    if (!this.#exchanges || this.#exchanges.length >= mostExchanges) return
    const { pathname, search } = new URL(url)
    const sent = body === undefined ? {} : { sent: this.#shorten(Buffer.from(body).toString()) }
    this.#exchanges.push({ request: `${method} ${this.#redact(pathname + search)}`, ...sent, ...answer })
  }

  #shorten(text: string): string {
    const redacted = this.#redact(text.slice(0, longestRedacted))
    return redacted.length > longestText ? `${redacted.slice(0, longestText)}…` : redacted
  }
}

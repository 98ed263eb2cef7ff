import type { Answer } from '../client/answer.ts'
import type { Observer } from '../client/client.ts'
import type { Exchange } from '../client/exchange.ts'
import type { Incoming } from '../client/transport.ts'
import type { AssumptionName } from '../spec/assumptions.ts'

/** The exchanges from which something was learned. */
export interface Evidence {
  readonly name: AssumptionName
  readonly exchanges: readonly Exchanged[]
}

interface Exchanged {
  readonly request: string
  readonly sent?: string
  readonly status?: number
  readonly answered: string
}

const longestText = 2_000
/** So much longer that no secret is cut in what is kept. */
const longestRedacted = 10 * longestText
/** An entry about the default page sends 51 messages. */
const mostExchanges = 40

/** Keeps what was sent and answered about each entry, without the secrets of the operator. */
export class EvidenceLog implements Observer {
  readonly evidence: { name: AssumptionName; exchanges: Exchanged[] }[] = []
  readonly #redact: (text: string) => string
  #exchanges: Exchanged[] | undefined

  constructor(redact: (text: string) => string) {
    this.#redact = redact
  }

  /** What follows is about this entry. */
  begin(name: AssumptionName): void {
    this.#exchanges = []
    this.evidence.push({ name, exchanges: this.#exchanges })
  }

  /** What follows is about no entry. */
  end(): void {
    this.#exchanges = undefined
  }

  onAnswer(_answer: Answer, exchange: Exchange & { readonly incoming: Incoming }): void {
    const { status, text } = exchange.incoming
    this.#add(exchange, { status, answered: this.#short(text) })
  }

  onNoAnswer(exchange: Exchange, error: Error): void {
    this.#add(exchange, { answered: `no answer: ${this.#short(error.message)}` })
  }

  onChoice(): void {
    // A probe returns what it saw.
  }

  #add({ request: { method, url, body } }: Exchange, answer: Pick<Exchanged, 'status' | 'answered'>): void {
    const exchanges = this.#exchanges
    if (!exchanges || exchanges.length >= mostExchanges) return
    const { pathname, search } = new URL(url)
    const sent = body === undefined ? {} : { sent: this.#short(Buffer.from(body).toString()) }
    exchanges.push({ request: `${method} ${this.#redact(pathname + search)}`, ...sent, ...answer })
  }

  #short(text: string): string {
    // To look for secrets in a body of mebibytes takes seconds.
    const redacted = this.#redact(text.slice(0, longestRedacted))
    return redacted.length > longestText ? `${redacted.slice(0, longestText)}…` : redacted
  }
}

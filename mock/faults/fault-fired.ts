import type { Answered } from '../core/answered.ts'
import { type Effect, messageOf } from './effect.ts'

/** What a client gets in place of the answer. */
interface Sent {
  /** Nothing when the connection ends without an answer. */
  readonly answered?: Answered | undefined
  /** What the request has changed all the same, after its commit. */
  readonly changed?: Answered['changed'] | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** What happens when half of the body is sent. */
  readonly inMiddle?: { readonly pause: () => Promise<void> }
  /** How the connection ends, if it does. */
  readonly connection?: Effect['connection']
}

/** Thrown in place of the answer that a request would have got. */
export class FaultFired extends Error {
  readonly id: string
  readonly sent: Sent

  constructor(id: string, sent: Sent) {
    super(`The fault ${id} answers this request`)
    this.id = id
    this.sent = { ...sent, headers: { ...sent.headers, [faultHeader]: id } }
  }
}

/** Names the fault that made an answer. */
export const faultHeader = 'x-sandbox-fault'

/** The answer that an effect makes, of the one that the request would have got, if there is one already. */
export function fire(id: string, effect: Effect, answered?: Answered): FaultFired | undefined {
  const { connection, status, body, retryAfter } = effect
  const changed = answered?.changed
  if (connection !== undefined) return new FaultFired(id, { connection, changed })
  const whole = status === undefined ? answered : answerWith(status, effect)
  if (!whole || (status === undefined && body === undefined)) return undefined
  const again = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  const { headers = {}, ...sent } = body === undefined ? { answered: whole } : badly[body](whole)
  return new FaultFired(id, { ...sent, changed, headers: { ...headers, ...again } })
}

function answerWith(status: number, { message = messageOf(status) }: Effect): Answered {
  const body = hasNoBody(status) ? '' : JSON.stringify({ success: status < 400, message })
  return { status, body, assumed: [] }
}

/** HTTP knows no body with these. */
export const hasNoBody = (status: number) => status === 204 || status === 205 || status === 304

const badly: Readonly<Record<NonNullable<Effect['body']>, (answered: Answered) => Sent>> = {
  cut: (answered) => ({ answered: { ...answered, body: answered.body.slice(0, answered.body.length / 2) } }),
  notJson: (answered) => ({
    answered: { ...answered, body: pageOf(answered.status) },
    headers: { 'content-type': 'text/html; charset=utf-8' },
  }),
}

/** As a proxy in front of the service would send. */
const pageOf = (status: number) => `<!doctype html>\n<title>${status}</title>\n<h1>${messageOf(status)}</h1>\n`

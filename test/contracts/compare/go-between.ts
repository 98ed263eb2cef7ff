import type { Send } from '../../../contracts/client/transport.ts'
import type { OperationId } from '../../../spec/types.ts'
import { operationAsked } from '../deviants/deviant.ts'

/** Not typed, since it is changed into what no correct server answers. */
export type Json = Record<string, any>

/** A request that succeeded, and its answer, which may be changed in place. */
export interface Exchanged {
  readonly operation: OperationId
  /** The id at the end of the path. */
  readonly id: string
  readonly query: URLSearchParams
  readonly sent: Json
  /** The Idempotency-Key. */
  readonly key: string | undefined
  /** Whether it has the key of another team than the first request. */
  readonly asOther: boolean
  readonly answer: { status: number; body: Json }
}

/** Changes responses; it may keep state between them. */
export type Change = (exchanged: Exchanged) => void

/** Turns a correct server into a server with one mistake. */
export function goBetween(change: Change): (send: Send) => Send {
  let team: string | undefined
  return (send) => async (request, timeout) => {
    const incoming = await send(request, timeout)
    const operation = operationAsked(request)
    const { 'x-api-key': credential, 'idempotency-key': key } = request.headers
    if (!operation || credential === undefined) return incoming
    team ??= credential
    const { pathname, searchParams } = new URL(request.url)
    const answer = { status: incoming.status, body: parse(incoming.text) }
    const id = pathname.split('/').at(-1) ?? ''
    const sent = parse(request.body?.toString() ?? '')
    change({ operation, id, query: searchParams, sent, key, asOther: credential !== team, answer })
    return { ...incoming, status: answer.status, text: JSON.stringify(answer.body) }
  }
}

/** A server that is wrong in one thing. */
export type Deviant = () => Change

export const isGood = ({ answer }: Exchanged) => answer.status < 300

/** Changes the data of good answers of some operations. */
export const data =
  (operations: readonly OperationId[], change: (data: Json, exchanged: Exchanged) => void): Deviant =>
  () =>
  (exchanged) => {
    if (operations.includes(exchanged.operation) && isGood(exchanged) && exchanged.answer.body.data)
      change(exchanged.answer.body.data as Json, exchanged)
  }

/** Changes the responses about records after an event. */
export const after =
  (happens: (exchanged: Exchanged) => string | undefined, change: (data: Json) => void): Deviant =>
  () => {
    const concerned = new Set<string>()
    return (exchanged) => {
      const told = exchanged.answer.body.data
      if (isGood(exchanged) && concerned.has(told?._id)) change(told)
      const id = isGood(exchanged) ? happens(exchanged) : undefined
      if (id !== undefined) concerned.add(id)
    }
  }

export const refusal = (status: number, message: string) => ({ status, body: { success: false, message } })

function parse(text: string): Json {
  try {
    return (JSON.parse(text) ?? {}) as Json
  } catch {
    return {}
  }
}

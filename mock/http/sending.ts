import { setImmediate } from 'node:timers'
import type { FastifyReply } from 'fastify'
import type { Answered } from '../idempotency.ts'

export type Send = (reply: FastifyReply, answered: Answered) => void

export function send(reply: FastifyReply, answered: Answered): FastifyReply {
  try {
    return reply.code(answered.status).headers(headersOf(answered)).send(answered.body)
  } catch (why) {
    return sendFailure(reply, why)
  }
}

export function headersOf({ assumed }: Answered): Readonly<Record<string, string>> {
  const type = { 'content-type': 'application/json; charset=utf-8' }
  return assumed.length > 0 ? { ...type, 'x-sandbox-assumed': assumed.join(', ') } : type
}

/** Whatever was thrown: what is no error would be taken for an answer, or for nothing to answer. */
export function sendFailure(reply: FastifyReply, why: unknown): FastifyReply {
  return reply.send(why instanceof Error ? why : new Error('What was thrown is no error', { cause: why }))
}

/**
 * Sends once all that came in together has been done. A client falls asleep between two answers that took a while, and
 * to wake it for each takes a tenth as long as the work.
 */
export function sendingTogether(): Send {
  let waiting: [FastifyReply, Answered][] = []
  const sendAll = () => {
    const all = waiting
    waiting = []
    for (const [reply, answered] of all) send(reply, answered)
  }
  return (reply, answered) => {
    if (waiting.push([reply, answered]) === 1) setImmediate(sendAll)
  }
}

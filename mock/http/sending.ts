import { setImmediate } from 'node:timers'
import type { FastifyReply } from 'fastify'
import type { Answered } from '../core/answered.ts'

export type Send = (reply: FastifyReply, answered: Answered) => void

export function send(reply: FastifyReply, { status, body, assumed }: Answered): FastifyReply {
  try {
    reply.code(status).header('content-type', 'application/json; charset=utf-8')
    if (assumed.length > 0) reply.header('x-sandbox-assumed', assumed.join(', '))
    return reply.send(body)
  } catch (why) {
    return sendFailure(reply, why)
  }
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

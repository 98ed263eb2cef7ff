import { setImmediate } from 'node:timers'
import type { FastifyReply } from 'fastify'
import type { Answered } from '../core/answered.ts'

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

/** Wraps non-Errors, which Fastify would send as a reply. */
export function sendFailure(reply: FastifyReply, why: unknown): FastifyReply {
  return reply.send(why instanceof Error ? why : new Error('What was thrown is no error', { cause: why }))
}

/**
 * Writes the replies of one event-loop turn together: fewer wake-ups of waiting clients, each of which costs a third of
 * a read.
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

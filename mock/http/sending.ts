import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers'
import type { FastifyReply } from 'fastify'
import type { Answered, AnsweredAtLength } from '../core/answered.ts'
import { markHeaders } from '../core/mark-headers.ts'
import type { Journal } from '../journal/journal.ts'
import type { Speaker } from '../voice/speaker.ts'

export type Send = (reply: FastifyReply, answered: AnsweredAtLength, failure?: string) => FastifyReply

/** Sends answers, and notes each in the journal as it leaves. */
export function sendingTo(journal: Journal, speaker?: Speaker): Send {
  return (reply, answered, failure) => {
    if (speaker) reply.headers(speaker.headers())
    return send(reply, journal.note(reply.request, answered, reply.raw.destroyed, failure))
  }
}

function send(reply: FastifyReply, answered: AnsweredAtLength): FastifyReply {
  try {
    const { status, body } = answered
    const sent = typeof body === 'string' ? body : Readable.from(body, { highWaterMark: 1 })
    return reply.code(status).headers(headersOf(answered)).send(sent)
  } catch (why) {
    return sendFailure(reply, why)
  }
}

export function headersOf(answered: Pick<Answered, 'assumed' | 'learned'>): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json; charset=utf-8', ...markHeaders(answered) }
}

/** Wraps non-Errors, which Fastify would send as a reply. */
export function sendFailure(reply: FastifyReply, why: unknown): FastifyReply {
  return reply.send(why instanceof Error ? why : new Error('What was thrown is no error', { cause: why }))
}

/**
 * Writes the replies of one event-loop turn together: fewer wake-ups of waiting clients, each of which costs a third of
 * a read.
 */
export function sendingTogether(send: Send): (...answer: Parameters<Send>) => void {
  let waiting: [FastifyReply, AnsweredAtLength][] = []
  const sendAll = () => {
    const all = waiting
    waiting = []
    for (const [reply, answered] of all) send(reply, answered)
  }
  return (reply, answered) => {
    if (waiting.push([reply, answered]) === 1) setImmediate(sendAll)
  }
}

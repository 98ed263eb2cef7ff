import http from 'node:http'
import https from 'node:https'
import pactum from 'pactum'

/** One request as it leaves. */
export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** One answer as it came. */
export interface Incoming {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** No answer, or not all of it. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  /** The answer had begun, and broke off. */
  readonly cut: boolean

  constructor(why: string, cut: boolean) {
    super(why)
    this.cut = cut
  }
}

/** Sends one request, once. Redirects are not followed: who follows them carries the credential to another host. */
export type Send = (request: Outgoing, timeout: number) => Promise<Incoming>

// It would print whole requests, and with them their credentials.
pactum.settings.setLogLevel('SILENT')

export const send: Send = async ({ method, url, headers, body }, timeout) => {
  const spec = pactum
    .spec()
    .withMethod(method)
    .withPath(url)
    .withHeaders({ ...headers })
    .withRequestTimeout(timeout + 1000) // it counts silence, and a server that drips is never silent
  if (body) spec.withBody(body)
  const { statusCode, headers: answered, text } = await within(timeout, spec.toss() as Promise<Answer>)
  return { status: statusCode, headers: answered, text }
}

interface Answer {
  readonly statusCode: number
  readonly headers: Incoming['headers']
  /** As it came; its own types know only what it makes of that. */
  readonly text: string
}

async function within(timeout: number, answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // pactum has no other way to give a request up
      http.globalAgent.destroy()
      https.globalAgent.destroy()
      reject(new Unanswered(`no answer within ${timeout / 1000} seconds`, false))
    }, timeout)
  })
  try {
    return await Promise.race([answer, late])
  } catch (error) {
    throw error instanceof Unanswered ? error : unanswered(error)
  } finally {
    clearTimeout(timer)
    answer.catch(() => undefined)
  }
}

function unanswered(error: unknown): Unanswered {
  const { message, code } = error as NodeJS.ErrnoException
  const cut = message === 'Server aborted request'
  return new Unanswered(cut ? 'the answer broke off' : (reasons[code ?? ''] ?? message), cut)
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ENOTFOUND: 'there is no host of that name (ENOTFOUND)',
  ECONNRESET: 'the connection was closed without an answer (ECONNRESET)',
  ETIMEDOUT: 'the host cannot be reached (ETIMEDOUT)',
}

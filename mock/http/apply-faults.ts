import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../spec/operations.ts'
import { type ServiceResponse, type StreamableResponse, markHeaders } from '../core/operation.ts'
import { type FaultFired, faultHeader } from './faults/failure.ts'
import type { Interception } from './faults/interception.ts'
import type { Hold } from '../store/port.ts'
import type { MatchInput } from './faults/match.ts'
import type { Journal } from './journal/journal.ts'
import { hintOfCustomBody } from './hints.ts'
import { Form } from './multipart-body.ts'

/** Applies the faults that depend on fields. Returns the hooks for the faults of later phases. */
export async function interceptBody(
  { caller, body, params, query }: FastifyRequest,
  operation: Operation,
  interception: Interception,
) {
  const fields = [body instanceof Form ? body.fields : body, params, query]
  const input: MatchInput = { operation: operation.id, team: caller?.teamId, fields }
  await interception.onBody(input)
  return {
    beforeCommit: interception.beforeCommit(input),
    afterCommit: (response: StreamableResponse, hold: Hold) => interception.afterCommit(input, response, hold),
  }
}

/** Sends the response of a fault, or ends the connection. */
export async function sendFault(reply: FastifyReply, fired: FaultFired, journal: Journal): Promise<void> {
  const { response, pause, connection, isCustom, changed = response?.changed } = fired.sent
  // A lost response has no status in the journal.
  const hint = response && isCustom ? hintOfCustomBody(response, reply.request.operation) : reply.request.hint
  const noted = { ...(response ?? nothing), ...(changed && { changed }), hint }
  journal.note(reply.request, noted, connection !== undefined, { fault: fired.id })
  if (response) {
    const type = { 'content-type': 'application/json; charset=utf-8' }
    reply.headers({ ...type, ...markHeaders(noted), ...fired.sent.headers, [faultHeader]: fired.id })
  }
  if (response && !pause) {
    void reply.code(response.status).send(response.body)
    return
  }
  reply.hijack()
  const { raw } = reply
  if (!response || !pause) {
    end(raw, connection)
    return
  }
  const bytes = Buffer.from(response.body)
  const half = Math.ceil(bytes.length / 2)
  raw.writeHead(response.status, { ...reply.getHeaders(), 'content-length': bytes.length } as OutgoingHttpHeaders)
  await write(raw, bytes.subarray(0, half))
  const goesOn = await pause().then(
    () => connection === undefined,
    () => false,
  )
  if (goesOn) raw.end(bytes.subarray(half))
  else end(raw, connection)
}

const nothing: ServiceResponse = { status: 0, body: '', assumed: [] }

/** Resolves when the system has it, or the client has gone. */
function write(raw: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    raw.write(bytes, () => resolve())
  })
}

/** Without a socket, in process, the client gets the error that Node's own fetch would report. */
function end(raw: ServerResponse, how: FaultFired['sent']['connection']): void {
  const { socket } = raw
  if (!(socket instanceof Socket))
    raw.destroy(raw.headersSent ? new TypeError('terminated', { cause: errorOf(how) }) : errorOf(how))
  else if (how === 'reset') socket.resetAndDestroy()
  else socket.destroy()
}

function errorOf(how: FaultFired['sent']['connection']): Error {
  return how === 'reset'
    ? Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
    : Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
}

import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import type { Answered } from '../core/answered.ts'
import { type FaultFired, faultHeader } from '../faults/fault-fired.ts'
import type { Journal } from '../journal/journal.ts'
import { noteFault } from './fault-notes.ts'
import { headersOf } from './sending.ts'

/** Sends what a fault makes of an answer, or ends the connection. */
export async function sendFault(reply: FastifyReply, fired: FaultFired, journal: Journal): Promise<void> {
  noteFault(fired, reply.request, journal)
  const { answered, inMiddle, connection } = fired.sent
  if (answered && !inMiddle) {
    void reply.code(answered.status).headers(headersOfFault(fired, answered)).send(answered.body)
    return
  }
  reply.hijack()
  const { raw } = reply
  // A request in process has no socket: whoever injected it makes the answer of what was thrown.
  if (!(raw.socket instanceof Socket)) raw.destroy(fired)
  else if (!answered || !inMiddle) end(raw, connection)
  else {
    const [first, rest] = halvesOf(answered)
    reply.headers({ ...headersOfFault(fired, answered), ...lengthOf(answered) })
    raw.writeHead(answered.status, reply.getHeaders() as OutgoingHttpHeaders)
    await write(raw, first)
    const goesOn = await inMiddle.pause().then(
      () => connection === undefined,
      () => false,
    )
    if (goesOn) raw.end(rest)
    else end(raw, connection)
  }
}

export function headersOfFault({ id, sent: { headers } }: FaultFired, answered: Answered): Record<string, string> {
  return { ...headersOf(answered), ...headers, [faultHeader]: id }
}

export const lengthOf = ({ body }: Answered) => ({ 'content-length': String(Buffer.byteLength(body)) })

/** Of the bytes, since a half of the characters could end within one. */
export function halvesOf({ body }: Answered): [first: Buffer, rest: Buffer] {
  const bytes = Buffer.from(body)
  const half = Math.ceil(bytes.length / 2)
  return [bytes.subarray(0, half), bytes.subarray(half)]
}

/** Resolves when the system has it, or nobody takes it any more. */
function write(raw: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    raw.write(bytes, () => {
      resolve()
    })
  })
}

function end({ socket }: ServerResponse, how: FaultFired['sent']['connection']): void {
  if (how === 'reset') socket?.resetAndDestroy()
  else socket?.destroy()
}

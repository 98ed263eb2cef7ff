import type { Answered } from '../core/answered.ts'
import { type FaultFired, hasNoBody } from '../faults/fault-fired.ts'
import { halvesOf, headersOfFault, lengthOf } from './fault-answers.ts'

/** The response that `fetch` would give over a socket; throws what it would throw. */
export function responseOfFault(fired: FaultFired, more: Readonly<Record<string, string>>): Response {
  const { answered, inMiddle, connection } = fired.sent
  if (!answered) throw new TypeError('fetch failed', { cause: causeOf(connection) })
  const { status, body } = answered
  const content = inMiddle ? inHalves(answered, inMiddle, connection) : hasNoBody(status) ? null : body
  const length = hasNoBody(status) ? {} : lengthOf(answered)
  return new Response(content, { status, headers: { ...headersOfFault(fired, answered), ...length, ...more } })
}

function inHalves(
  answered: Answered,
  { pause }: NonNullable<FaultFired['sent']['inMiddle']>,
  connection: FaultFired['sent']['connection'],
): ReadableStream<Uint8Array> {
  const [first, rest] = halvesOf(answered)
  return new ReadableStream({
    start(body) {
      body.enqueue(first)
    },
    async pull(body) {
      const goesOn = await pause().then(
        () => connection === undefined,
        () => false,
      )
      if (!goesOn) {
        body.error(new TypeError('terminated', { cause: causeOf(connection) }))
        return
      }
      body.enqueue(rest)
      body.close()
    },
  })
}

/** As Node's own fetch tells it. */
function causeOf(connection: FaultFired['sent']['connection']): Error {
  return connection === 'reset'
    ? Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
    : Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
}

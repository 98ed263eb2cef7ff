import { onTestFinished } from 'vitest'
import type { Outgoing, Send } from '../../../contracts/client/transport.ts'
import { createTarget } from '../../../contracts/client/target/target.ts'
import type { KnownDeviation } from '../../../contracts/known-deviations.ts'
import type { Choices } from '../../../contracts/observe/choices.ts'
import { Observations } from '../../../contracts/observe/observations.ts'
import { createObserver } from '../../../contracts/observe/observe.ts'
import { close, createProxy, guardFor, listen } from '../../../contracts/observe/proxy.ts'
import type { Recorder } from '../../../contracts/observe/record.ts'
import { LatestSecrets } from '../../../lib/redactor.ts'

interface Options {
  readonly block?: boolean
  readonly alone?: boolean
  readonly strict?: boolean
  readonly bodies?: boolean
  readonly known?: readonly KnownDeviation[]
  readonly recorder?: Recorder
  readonly choices?: Choices
  readonly allowHosts?: readonly string[]
}

/** An observer without a proxy, and the lines that it has reported. */
export function newObserver(
  { block = false, alone = false, strict = false, bodies = false, known = [], recorder, choices }: Options = {},
  origin = '',
) {
  const lines: string[] = []
  const secrets = new LatestSecrets()
  const onFirst = (line: string) => lines.push(line)
  const { redact } = secrets
  const observations = new Observations({ origin, isBlocking: block, strict, known, redact, onFirst })
  return {
    lines,
    observations,
    observe: createObserver({
      observations,
      secrets,
      isBlocking: block,
      isAlone: alone,
      showsBodies: bodies,
      recorder,
      choices,
    }),
  }
}

/** A proxy in front of a server, until the test is over. */
export async function observing(target: string, options: Options = {}) {
  const { allowHosts = [] } = options
  const observer = newObserver(options, target)
  const server = createProxy(createTarget({ baseUrl: target }, {}), observer.observe, guardFor('127.0.0.1', allowHosts))
  onTestFinished(async () => {
    server.closeAllConnections()
    if (server.listening) await close(server)
  })
  return { ...observer, url: await listen(server, 0, '127.0.0.1') }
}

/** Shows an observer each exchange of a client that sends without a socket. */
export const observed =
  ({ observe }: ReturnType<typeof newObserver>) =>
  (send: Send): Send =>
  async (request, timeout) => {
    const passing = observe(passingOf(request))
    const incoming = await send(request, timeout)
    passing.onResponse(incoming)
    return incoming
  }

function passingOf({ method, url, headers, body }: Outgoing) {
  const { pathname, search } = new URL(url)
  const isJson = headers['content-type']?.startsWith('application/json') ?? false
  return { method, url: `${pathname}${search}`, headers, bytes: isJson ? body : undefined, at: Date.now() }
}

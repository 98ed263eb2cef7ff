import { parseOrThrow } from '../../lib/json.ts'

export interface Address {
  /** Where the sandbox is, without a path, such as `http://127.0.0.1:4010`. */
  readonly url: string
  /** The control token, if the sandbox requires one. */
  readonly token?: string
}

export interface ControlServer extends Address {
  /** The global one by default. */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>
}

/** The control plane refused a request, which changed nothing. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** No server listens at the address of a sandbox, or the connection ended without an answer. */
export class NothingAnswers extends Error {
  override readonly name = 'NothingAnswers'

  constructor(url: string, cause: unknown) {
    const otherScheme = url.startsWith('https:') ? 'http in place of https' : 'https in place of http'
    const hint = hasCode(cause, /^ERR_SSL_|UND_ERR_SOCKET/) ? `, which may need ${otherScheme}` : ''
    super(
      hasCode(cause, /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/)
        ? `The certificate of ${url} is not trusted; name the file of its CA as NODE_EXTRA_CA_CERTS=FILE, or in a command with --ca FILE`
        : `Nothing answers at ${url}; start a sandbox with \`crm-sandbox serve\`, or check the URL${hint}`,
      { cause },
    )
  }
}

const hasCode = (error: unknown, codes: RegExp): boolean =>
  error instanceof Error && (codes.test(codeOf(error)) || hasCode(error.cause, codes))

const codeOf = (error: Error) => String((error as NodeJS.ErrnoException).code)

interface Answer {
  /** Undefined when the data comes without the envelope, as a world and a text do. */
  readonly message?: string | undefined
  readonly data: unknown
}

/**
 * Sends a request of the route with this key, such as `POST /teams/:teamId/reset`: the parameters of its path, and then its
 * query or its body. Rejects with a Refused unless the request succeeds.
 */
export async function ask(target: ControlServer, key: string, args: readonly unknown[]): Promise<Answer> {
  const response = await send(target, key, args)
  if (response.headers.get('content-type')?.startsWith('text/plain')) return { data: await response.text() }
  const answer = await readAnswer(response)
  if (!('success' in answer)) return { data: answer }
  const { message, data, unanswered } = answer
  // Not enumerable, so that a test can compare the list with another.
  if (unanswered) Object.defineProperty(data, 'unanswered', { value: unanswered })
  return { message: String(message), data }
}

async function send(
  { url, token, fetch: request = fetchElsewhere }: ControlServer,
  key: string,
  args: readonly unknown[],
) {
  const [method = '', path = ''] = key.split(' ')
  const params = [...args]
  const target = new URL(`/_sandbox${path.replaceAll(/:\w+/g, () => segmentOf(params.shift()))}`, url)
  const [input] = params
  const hasBody = input !== undefined && (method === 'POST' || method === 'PUT')
  if (!hasBody)
    for (const [name, value] of Object.entries(input ?? {}) as [string, unknown][])
      if (value !== undefined)
        target.searchParams.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  const headers = {
    ...(token !== undefined && { 'x-sandbox-token': token }),
    ...(hasBody && { 'content-type': 'application/json' }),
  }
  const sent = request(target, { method, headers, ...(hasBody && { body: JSON.stringify(input) }) })
  const response = await sent.catch((error: unknown) => {
    throw error instanceof TypeError && error.message === 'fetch failed' ? new NothingAnswers(url, error) : error
  })
  if (!response.headers.has(requestHeader))
    throw new Refused(0, `The server at ${url} is not the control plane of a sandbox; check the URL`)
  if (response.ok) return response
  throw new Refused(response.status, String((await readAnswer(response)).message))
}

/** A redirect would send the token to another server. */
const fetchElsewhere = (target: URL, init: RequestInit) => fetch(target, { ...init, redirect: 'manual' })

/** An empty segment, or one of dots, would lead to another path. */
const segmentOf = (value: unknown) => encodeURIComponent(String(value)).replace(/^\.{0,2}$/, '%00')

/** Only the responses of a sandbox have it. */
const requestHeader = 'x-sandbox-request'

const readAnswer = async (response: Response) =>
  parseOrThrow(await response.text()) as { message?: unknown; data?: unknown; unanswered?: unknown }

/** Subscribes at once, so that nothing after the call is missed. */
export function follow<Item>(
  target: ControlServer,
  key: string,
  query: object | undefined,
  itemOf: (data: object, event: string) => Item,
): AsyncIterableIterator<Item, undefined> {
  const opened = send(target, key, [query])
  const reading = opened.then(({ body }) => body?.getReader()) // Safari cannot iterate a stream
  reading.catch(() => undefined) // the first `next()` rejects with it
  const items = itemsIn(reading, itemOf)
  const finish = items.return.bind(items)
  return Object.assign(items, {
    async return() {
      // A generator only returns after its next item, which may never come.
      await reading.then((reader) => reader?.cancel()).catch(() => undefined)
      return finish(undefined)
    },
  })
}

/** The items of server-sent events. */
async function* itemsIn<Item>(
  reading: Promise<ReadableStreamDefaultReader<Uint8Array> | undefined>,
  itemOf: (data: object, event: string) => Item,
): AsyncGenerator<Item, undefined> {
  const reader = await reading
  if (!reader) return
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const events = (text + decoder.decode(read.value, { stream: true })).split('\n\n')
      text = events.pop() ?? ''
      for (const one of events) {
        const [, event = '', data] = /^event: (\w+)\ndata: (.*)$/.exec(one) ?? []
        if (data !== undefined) yield itemOf(parseOrThrow(data) as object, event)
      }
    }
  } finally {
    await reader.cancel()
  }
}

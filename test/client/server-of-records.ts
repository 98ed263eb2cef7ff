import type { IncomingMessage } from 'node:http'
import { clientFor, serverThat } from './harness.ts'

export interface Answers {
  /** The data of the answer to each create, in this order. */
  readonly created: object[]
  /** The data that a read or an empty update shows; a status where there is none. */
  readonly shown: Readonly<Record<string, Shown | ((request: IncomingMessage) => Shown)>>
}

/** With a status beside the data, that of the answer. */
type Shown = object | 404 | 400 | { readonly status: number; readonly data: object }

/** A client of a server with these answers, and the run in whose name they can be. */
export async function clientOf(answers: (run: string) => Answers) {
  const url = await serverThat((request, answer) => {
    const { method, url: path = '' } = request
    const { created, shown } = given
    const named = shown[path.replace(/\?.*/, '').split('/').at(-1) ?? ''] ?? {}
    const found = method === 'POST' ? (created.shift() ?? {}) : typeof named === 'function' ? named(request) : named
    const { status, data } =
      typeof found === 'number' ? { status: found, data: undefined } : { status: 200, data: found, ...found }
    answer.writeHead(status, { 'content-type': 'application/json' })
    answer.end(JSON.stringify({ success: status === 200, message: 'Done', data }))
  })
  const client = clientFor(url)
  const given = answers(client.mint.run)
  const asked = () => client.sent.map(({ method, url: sent }) => `${method} ${sent.split('/').at(-1)}`)
  return { ...client, asked }
}

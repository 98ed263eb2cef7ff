import { routes } from './generated/routes.ts'
import { NothingAnswers } from './nothing-answers.ts'
import { isOptions, queryFrom } from './options.ts'
import { Refused } from './refused.ts'
import type { ControlAsked, ControlData, ControlId } from './types.ts'

/** Asks a sandbox elsewhere to carry out an operation of its control plane; rejects with a Refused. */
export interface Ask {
  <Id extends ControlId>(id: Id, asked?: Partial<ControlAsked<Id>>): Promise<ControlData<Id>>
  /** The same, for an answer that is a document of its own, without the envelope. */
  whole(id: ControlId, asked?: AnyAsked): Promise<unknown>
  /** The same, for an answer that is read while it comes. */
  stream(id: ControlId, asked?: AnyAsked): Promise<Response>
}

export interface Address {
  /** Where the sandbox is, such as `http://127.0.0.1:4010`. */
  readonly url: string
  /** The control token, if the sandbox requires one. */
  readonly token?: string
}

interface AnyAsked {
  readonly path?: object
  readonly query?: object
  readonly body?: unknown
}

export function createAsk(address: Address): Ask {
  if (!isAddress(address)) throw new TypeError(`control() takes ${formOfAddress}`)
  const { url, token } = address
  const open = async (id: ControlId, { path = {}, query = {}, body }: AnyAsked = {}) => {
    const { method, path: written } = routes[id]
    return fetch(targetOf(url, written, path, query), {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : { 'x-sandbox-token': token }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: jsonOf(body) }),
    }).catch((error: unknown) => {
      throw error instanceof TypeError && error.message === 'fetch failed' ? new NothingAnswers(url, error) : error
    })
  }
  const send = async (id: ControlId, asked?: AnyAsked) => {
    const answer = await open(id, asked)
    const told = await readAnswer(answer, url)
    if (!answer.ok) throw new Refused(answer.status, String(told.message))
    return told
  }
  const stream = async (id: ControlId, asked?: AnyAsked) => {
    const answer = await open(id, asked)
    if (!answer.ok) throw new Refused(answer.status, String((await readAnswer(answer, url)).message))
    return answer
  }
  const ask = async (id: ControlId, asked?: AnyAsked) => (await send(id, asked)).data
  return Object.assign(ask as Ask, { whole: send, stream })
}

const formOfAddress = 'the address of a sandbox, such as { url: "http://127.0.0.1:4010" }, and its token as a text'

function isAddress(address: unknown): boolean {
  if (!isOptions(address)) return false
  const { url, token = '' } = address as Partial<Record<keyof Address, unknown>>
  return /^https?:\/\//i.test(String(url)) && URL.canParse(String(url)) && typeof token === 'string'
}

function targetOf(url: string, written: string, path: object, query: object): URL {
  const values = new Map(Object.entries(path))
  const filled = written.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(values.get(name)))
  if (!isOptions(query)) throw new Refused(400, 'the query must be a JSON object')
  const target = new URL(filled, url)
  for (const [name, value] of Object.entries(queryFrom(query))) target.searchParams.append(name, String(value))
  return target
}

/** What would lead elsewhere, or cannot be written, becomes the name of nothing. */
const segmentOf = (value: unknown) =>
  typeof value === 'string' && !/^\.{0,2}$|\p{Surrogate}/u.test(value) ? encodeURIComponent(value) : '%00'

function jsonOf(body: unknown): string {
  try {
    const text: unknown = JSON.stringify(body, (_, value: unknown) => {
      if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError()
      return value
    })
    if (typeof text === 'string') return text
  } catch {
    // Such as of an object that holds itself.
  }
  throw new Refused(400, 'the body must hold values of JSON')
}

async function readAnswer(answer: Response, url: string): Promise<{ message?: unknown; data?: never }> {
  const text = await answer.text()
  try {
    return JSON.parse(text) as { message?: unknown; data?: never }
  } catch {
    throw new Refused(answer.status, `What answers at ${url} is not the control plane of a sandbox; check the URL`)
  }
}

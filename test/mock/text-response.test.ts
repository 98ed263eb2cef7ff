import { describe, expect, it } from 'vitest'
import { TextResponse } from '../../mock/http/text-response.ts'

const text = '{"name":"Ada Lovelace, Gräfin – 💡"}'
const init = { status: 201, headers: { 'content-type': 'application/json; charset=utf-8', 'x-sandbox-assumed': 'a' } }

/** The methods that read a body, and their results. */
const readings: Readonly<Record<string, (response: Response) => unknown>> = {
  text: (response) => response.text(),
  json: (response) => response.json(),
  arrayBuffer: async (response) => Buffer.from(await response.arrayBuffer()).toString(),
  blob: async (response) => (await response.blob()).text(),
  bytes: async (response) => Buffer.from((await call(response, 'bytes')) as Uint8Array).toString(),
  formData: (response) => call(response, 'formData'),
  body: async (response) => new Response(response.body).text(),
  clone: async (response) => [await response.clone().text(), response.bodyUsed],
}
const names = Object.keys(readings)

describe('a response with a known text', () => {
  it('is a response, with a head like any other', () => {
    const response = new TextResponse(text, init)
    const other = new Response(text, init)
    expect(response).toBeInstanceOf(Response)
    for (const name of ['status', 'statusText', 'ok', 'type', 'url', 'redirected', 'bodyUsed'] as const) {
      expect([name, response[name]]).toEqual([name, other[name]])
    }
    expect([...response.headers]).toEqual([...other.headers])
  })

  it('can be read in every way that Node knows', () => {
    const head = ['constructor', 'headers', 'ok', 'redirected', 'status', 'statusText', 'type', 'url', 'bodyUsed']
    const known = Object.getOwnPropertyNames(Response.prototype)
    expect(known.filter((name) => !head.includes(name)).toSorted()).toEqual(names.toSorted())
  })

  it.each(names.flatMap((first) => names.map((second) => [first, second] as const)))(
    'gives %s, and after that %s, what any response gives',
    async (first, second) => {
      expect(await readTwice(new TextResponse(text, init), first, second)).toEqual(
        await readTwice(new Response(text, init), first, second),
      )
    },
  )
})

async function readTwice(response: Response, ...ways: readonly string[]) {
  const given: unknown[] = []
  for (const way of ways) {
    const read = Promise.resolve(response).then((asked) => readings[way]?.(asked))
    given.push(await read.catch((error: unknown) => (error as Error).name), response.bodyUsed)
  }
  return given
}

function call(response: Response, name: string): Promise<unknown> {
  return (Reflect.get(response, name) as () => Promise<unknown>).call(response)
}

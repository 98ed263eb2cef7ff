import type { Fetch } from './fuzz-run.ts'

type Change = (answer: Response, text: string) => Response

const changed =
  (change: Change) =>
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    const answer = await fetch(input, init)
    return change(answer, await answer.text())
  }

const as = (status: number, text: string, contentType = 'application/json') =>
  new Response(text, { status, headers: { 'content-type': contentType } })

/** Broken servers, and the complaint that each must cause. */
export const broken: readonly { server: string; fetch: (fetch: Fetch) => Fetch; complaint: string }[] = [
  {
    server: 'throws on null',
    fetch: (fetch) => async (input, init) =>
      typeof init?.body === 'string' && /\bnull\b/.test(init.body)
        ? as(500, '{"success":false,"message":"Internal server error"}')
        : fetch(input, init),
    complaint: 'a server error',
  },
  {
    server: 'shows what it deleted',
    fetch: changed((answer, text) => as(answer.status, text.replace(/(deleted")}$/, '$1,"data":{}}'))),
    complaint: 'data where none is shown',
  },
  {
    server: 'accepts a product without a price',
    fetch: (fetch) => async (input, init) => {
      const isProduct = input instanceof URL && init?.method === 'POST' && input.pathname === '/api/products'
      const answer = await fetch(input, init)
      return isProduct && answer.status === 400
        ? as(201, '{"success":true,"message":"Product created","data":{"_id":"1","name":"Engine","unitPrice":0}}')
        : answer
    },
    complaint: 'an invalid body that is accepted',
  },
  {
    server: 'creates a record for what it refuses',
    fetch: (fetch) => async (input, init) => {
      const answer = await fetch(input, init)
      const headers = { 'x-api-key': 'acme-key', 'content-type': 'application/json' }
      if (answer.status === 400)
        await fetch('/api/products', { method: 'POST', headers, body: '{"name":"Engine","unitPrice":1}' })
      return answer
    },
    complaint: 'a refusal that changes records',
  },
  {
    server: 'never answers a delete',
    fetch: (fetch) => (input, init) => (init?.method === 'DELETE' ? new Promise(() => undefined) : fetch(input, init)),
    complaint: 'no answer in time',
  },
]

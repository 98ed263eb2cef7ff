import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../mock/create-sandbox.ts'
import { picture, formOf, open } from './forms.ts'
import { sendRaw } from './raw.ts'
import { whatsapp as template } from './template-calls.ts'

describe('a form over the wire', () => {
  const boundary = 'X-BOUNDARY'
  const lines = [
    ...Object.entries(template).flatMap(([name, value]) => [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${name}"`,
      '',
      value,
    ]),
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="a.png"',
    'Content-Type: image/png',
    '',
    'PNG'.repeat(200),
  ]
  const whole = [...lines, `--${boundary}--`, ''].join('\r\n')
  const type = `multipart/form-data; boundary=${boundary}`

  interface Raw {
    readonly body: string
    readonly contentType?: string
    readonly chunked?: boolean
  }

  /** The status of the answer, and whether its envelope says that it succeeded. */
  async function send({ url }: Sandbox, { body, contentType = type, chunked = false }: Raw) {
    const length = Buffer.byteLength(body)
    const answer = await sendRaw(
      url,
      [
        'POST /api/templates HTTP/1.1',
        'Host: localhost',
        'x-api-key: acme-key',
        `Content-Type: ${contentType}`,
        chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
      ],
      chunked ? `${length > 0 ? `${length.toString(16)}\r\n${body}\r\n` : ''}0\r\n\r\n` : body,
    )
    return [answer.status, (JSON.parse(answer.body) as { success: boolean }).success]
  }

  it('is refused in the envelope when it is cut off at any byte', async () => {
    const { sandbox, kept } = await open({ port: 0 })
    const lastDash = whole.lastIndexOf('-')
    const cuts = Array.from({ length: Math.ceil(lastDash / 64) }, (_, at) => at * 64)
    for (const cut of [...cuts, lastDash]) {
      const body = whole.slice(0, cut)
      for (const chunked of [false, true])
        expect([cut, await send(sandbox, { body, chunked })]).toEqual([cut, [400, false]])
    }
    expect(await kept()).toEqual([])
    expect(await send(sandbox, { body: whole })).toEqual([201, true])
  })

  const named = (disposition: string) => `--${boundary}\r\n${disposition}\r\n\r\nx\r\n`
  it.each([
    ['has no boundary', { body: whole, contentType: 'multipart/form-data' }],
    [
      'has a boundary that is too long',
      { body: whole, contentType: `multipart/form-data; boundary=${'x'.repeat(300)}` },
    ],
    ['has another boundary', { body: whole, contentType: 'multipart/form-data; boundary=other' }],
    ['is empty', { body: '' }],
    ['is not a form', { body: 'hello' }],
    ['is JSON', { body: JSON.stringify(template) }],
    ['has a part without a name', { body: named('Content-Disposition: form-data') + whole }],
    ['has a part that is named __proto__', { body: named('Content-Disposition: form-data; name="__proto__"') + whole }],
    [
      'has a file that is named __proto__',
      { body: named('Content-Disposition: form-data; name="__proto__"; filename="x"') + whole },
    ],
    ['has too many parts', { body: named('X: y').repeat(1_010) + whole }],
  ])('is refused when it %s', async (_, raw) => {
    const { sandbox, kept } = await open({ port: 0 })
    expect(await send(sandbox, raw)).toEqual([400, false])
    expect(await kept()).toEqual([])
  })

  it('may be followed by an epilogue', async () => {
    const { sandbox } = await open({ port: 0 })
    expect(await send(sandbox, { body: `before\r\n${whole}\r\nafter` })).toEqual([201, true])
  })

  it('is accepted as fetch sends a FormData', async () => {
    const { sandbox, kept } = await open({ port: 0 })
    const answer = await fetch(new URL('/api/templates', sandbox.url), {
      method: 'POST',
      headers: { 'x-api-key': 'acme-key' },
      body: formOf({ ...template, headerType: 'image', file: picture() }),
    })
    expect(answer.status).toBe(201)
    expect(await kept()).toHaveLength(1)
  })
})

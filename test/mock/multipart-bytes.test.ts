import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../mock/create-sandbox.ts'
import { picture, formOf, open } from './forms.ts'
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
    readonly length?: number
    readonly chunked?: boolean
  }

  /** The raw answer, which must come within two seconds after the last byte that was sent. */
  function sendRaw(sandbox: Sandbox, { body, contentType = type, length, chunked = false }: Raw): Promise<string> {
    const { port, hostname } = new URL(sandbox.url)
    const head = [
      'POST /api/templates HTTP/1.1',
      `Host: ${hostname}:${port}`,
      'x-api-key: acme-key',
      `Content-Type: ${contentType}`,
      chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${length ?? Buffer.byteLength(body)}`,
      'Connection: close',
    ]
    const framed = chunked ? `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n` : body
    return new Promise((resolve, reject) => {
      let answer = ''
      const socket = connect({ port: Number(port), host: hostname, timeout: 2_000 }, () => {
        socket.write(`${head.join('\r\n')}\r\n\r\n${framed}`)
        if (length !== undefined) socket.end()
      })
      socket.on('data', (data) => (answer += data.toString()))
      socket.on('close', () => {
        resolve(answer)
      })
      socket.on('timeout', () => {
        socket.destroy(new Error('no answer within two seconds'))
      })
      socket.on('error', reject)
    })
  }

  const outcome = (answer: string) => {
    const [head = '', body = '{}'] = answer.split('\r\n\r\n')
    return [Number(head.split(' ')[1]), (JSON.parse(body) as { success: boolean }).success]
  }

  it('is refused in the envelope when it is cut off at any byte', async () => {
    const { sandbox, kept } = await open({ port: 0 })
    const lastDash = whole.lastIndexOf('-')
    const cuts = Array.from({ length: Math.ceil(lastDash / 64) }, (_, at) => at * 64)
    for (const cut of [...cuts, lastDash]) {
      const body = whole.slice(0, cut)
      const answers = [await sendRaw(sandbox, { body }), await sendRaw(sandbox, { body, chunked: true })]
      expect({ cut, answers: answers.map(outcome) }).toEqual({
        cut,
        answers: [
          [400, false],
          [400, false],
        ],
      })
    }
    expect(await kept()).toEqual([])
    expect(outcome(await sendRaw(sandbox, { body: whole }))).toEqual([201, true])
  })

  it('leaves the server running when the client hangs up in the middle', async () => {
    const { sandbox, kept } = await open({ port: 0 })
    for (let cut = 0; cut < whole.length; cut += 64) {
      const answer = await sendRaw(sandbox, { body: whole.slice(0, cut), length: whole.length })
      expect({ cut, answer: answer === '' ? [400, false] : outcome(answer) }).toEqual({ cut, answer: [400, false] })
    }
    expect(await kept()).toEqual([])
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
    expect(outcome(await sendRaw(sandbox, raw))).toEqual([400, false])
    expect(await kept()).toEqual([])
  })

  it('may be followed by an epilogue', async () => {
    const { sandbox } = await open({ port: 0 })
    expect(outcome(await sendRaw(sandbox, { body: `before\r\n${whole}\r\nafter` }))).toEqual([201, true])
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

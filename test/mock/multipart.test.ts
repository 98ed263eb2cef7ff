import { describe, expect, it } from 'vitest'
import { whatsapp as template, everything } from './template-requests.ts'
import type { Sandbox } from '../../mock/create-sandbox.ts'
import { sendRaw } from './raw-http.ts'
import { openSandbox, type ApiResponse } from './helpers.ts'

describe('a template sent as a form', () => {
  it('is stored with its fields in the types of the document, and without its file', async () => {
    const { send, kept } = await open()
    const header = { isHeader: 'true', headerType: 'image', file: picture(), variables: ['a', 'b'], footer: 'Bye' }
    const { status, body } = await send(formOf({ ...template, ...header, templateButtons: JSON.stringify(buttons) }))
    expect([status, body.data]).toEqual([
      201,
      { _id: body.data._id, templateType: 'whatsapp', name: template.name, status: 'pending' },
    ])
    expect(await kept()).toEqual([
      {
        ...template,
        _id: body.data._id,
        status: 'pending',
        isHeader: true,
        headerType: 'image',
        variables: ['a', 'b'],
        footer: 'Bye',
        templateButtons: buttons,
      },
    ])
  })

  it('can be updated', async () => {
    const { call, send } = await open()
    const { body: made } = await call('createTemplate', { body: template })
    const form = formOf({ templateType: 'whatsapp', content: 'Gone', file: picture() })
    const { status, body } = await send(form, { id: made.data._id, method: 'PUT' })
    expect([status, body.data]).toEqual([200, { ...template, _id: made.data._id, status: 'pending', content: 'Gone' }])
  })

  it('counts as an update when it has a file only, and not when it has nothing', async () => {
    const { sandbox, call, send } = await open({ assume: { whatsappAfterUpdate: 'pendingAgain' } })
    const { body: made } = await call('createTemplate', { body: template })
    const to = { id: made.data._id as string, method: 'PUT' }
    const statusAfter = async (fields: Record<string, string | File>) => {
      await sandbox.templates.approve(to.id)
      return (await send(formOf({ templateType: 'whatsapp', ...fields }), to)).body.data.status as string
    }
    expect(await statusAfter({ file: picture() })).toBe('pending')
    expect(await statusAfter({})).toBe('approved')
  })

  it('is recognised by its fields and its file when its key is repeated', async () => {
    const { send, kept } = await open()
    const headers = { 'idempotency-key': 'once' }
    const first = await send(formOf({ ...template, file: picture() }), { headers })
    const again = await send(formOf({ ...template, file: picture() }), { headers })
    const other = await send(formOf({ ...template, file: new File([new Uint8Array(70_000).fill(1)], 'x.png') }), {
      headers,
    })
    expect([again.body, other.status]).toEqual([first.body, 400])
    expect(await kept()).toHaveLength(1)
  })

  const empty = { isHeader: '', headerType: '', headerText: '', footer: '', variables: '', templateButtons: '' }

  it('takes an empty field for one that was not filled in', async () => {
    const { send, kept } = await open()
    const { status, assumed } = await send(formOf({ ...template, ...empty, file: new File([], '') }))
    expect([status, assumed]).toEqual([201, expect.stringContaining('emptyFormField')])
    expect(await kept()).toEqual([{ ...template, _id: expect.any(String), status: 'pending' }])
    expect((await send(formOf({ ...template, uniqueName: 'another', content: '' }))).status).toBe(400)
  })

  it.each(Object.entries(empty))('emptyFormField=sent: an empty %s is judged as it came', async (field, value) => {
    const { send, kept } = await open({ assume: { emptyFormField: 'sent' } })
    const { status, assumed } = await send(formOf({ ...template, [field]: value }))
    expect(assumed).toContain('emptyFormField')
    const isText = ['headerText', 'footer', 'variables'].includes(field)
    expect(status).toBe(isText ? 201 : 400)
    expect(await kept()).toMatchObject(isText ? [{ [field]: field === 'variables' ? [''] : '' }] : [])
  })

  it('is refused when it would be refused as JSON', async () => {
    const { send, kept } = await open()
    const bodies = [
      { category: 'PIGEON' },
      { isHeader: 'perhaps' },
      { templateType: 'sms' },
      { name: ['a', 'b'] },
      { name: '' },
    ]
    const answers = await Promise.all(bodies.map((body) => send(formOf({ ...template, ...body }))))
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
    expect(await kept()).toEqual([])
  })

  it('is refused for another type than whatsapp, and JSON cannot hold its file', async () => {
    const { call, send, kept } = await open()
    const sms = await send(formOf({ templateType: 'sms', name: 'Hours' }))
    expect([sms.status, sms.body.message]).toEqual([400, expect.stringContaining('templateType must be whatsapp')])
    const json = await call('createTemplate', { body: { ...template, file: 'PNG' } })
    expect([json.status, json.assumed]).toEqual([201, expect.arrayContaining(['unlistedFields'])])
    expect(await kept()).toEqual([{ ...template, _id: json.body.data._id, status: 'pending' }])
  })

  it.each([
    ['not JSON', 'not json'],
    ['not a list', '{"type":"URL"}'],
    ['a list of other things', '["Thanks"]'],
    ['nested too deep', '['.repeat(5000) + ']'.repeat(5000), 'templateButtons must not be nested'],
    ['reaching for a prototype', '[{"__proto__":{"admin":true}}]'],
  ])('is refused with buttons that are %s', async (_, templateButtons, complaint = 'templateButtons') => {
    const { send, kept } = await open()
    const { status, body } = await send(formOf({ ...template, templateButtons }))
    expect([status, body.message]).toEqual([400, expect.stringContaining(complaint)])
    expect(await kept()).toEqual([])
  })

  it.each([
    ['kept', 201, { colour: 'teal', sketch: '' }],
    ['dropped', 201, {}],
    ['refused', 400, undefined],
  ] as const)('follows unlistedFields=%s', async (choice, status, unlisted) => {
    const { send, kept } = await open({ assume: { unlistedFields: choice } })
    const sent = await send(formOf({ ...template, colour: 'teal', sketch: picture() }))
    expect([sent.status, sent.assumed]).toEqual([status, expect.stringContaining('unlistedFields')])
    const [first] = await kept()
    const { colour, sketch } = first ?? {}
    expect(
      first && { ...(colour === undefined ? {} : { colour }), ...(sketch === undefined ? {} : { sketch }) },
    ).toEqual(unlisted)
  })
})

describe('the size of a form', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => String(at))
  it.each([
    ['41 fields', { ...template, variables: many(34) }, 400],
    ['40 fields', { ...template, variables: many(33) }, 201],
    ['two files', { ...template, file: picture(), sketch: picture() }, 400],
    ['a field above 64 KiB', { ...template, content: 'x'.repeat(64 * 1024 + 1) }, 400],
    ['a field of 64 KiB', { ...template, content: 'x'.repeat(64 * 1024) }, 201],
    ['a file of 16 MiB', { ...template, file: new File([new Uint8Array(16 * 1024 * 1024)], 'x') }, 201],
    ['a file above 16 MiB', { ...template, file: new File([new Uint8Array(16 * 1024 * 1024 + 1)], 'x') }, 400],
  ])('with %s is answered %i', async (_, fields, status) => {
    const { send, kept } = await open()
    const sent = await send(formOf(fields))
    expect([sent.status, sent.body.success]).toEqual([status, status < 400])
    expect(await kept()).toHaveLength(status < 400 ? 1 : 0)
  })
})

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

const picture = () => new File([new Uint8Array(70_000)], '../../etc/passwd', { type: 'image/png' })
const buttons = [{ type: 'QUICK_REPLY', text: 'Thanks' }]

function formOf(fields: Record<string, string | File | readonly string[]>): FormData {
  const form = new FormData()
  for (const [name, values] of Object.entries(fields)) {
    for (const value of typeof values === 'string' || values instanceof File ? [values] : values)
      form.append(name, value)
  }
  return form
}

/** A sandbox, and functions that send it forms and read what it stores. */
async function open(options: Parameters<typeof openSandbox>[0] = {}) {
  const { sandbox, call } = await openSandbox({ ...options, assume: { templateFields: 'allSent', ...options.assume } })
  const send = async (form: FormData, { id = '', method = 'POST', headers = {} } = {}) => {
    const answer = await sandbox.fetch(`/api/templates${id && `/${id}`}`, {
      method,
      headers: { 'x-api-key': 'acme-key', ...headers },
      body: form,
    })
    const body: ApiResponse['body'] = await answer.json()
    return { status: answer.status, body, assumed: answer.headers.get('x-sandbox-assumed') }
  }
  const kept = async () => (await call('listTemplates', { query: everything })).body.data as Record<string, unknown>[]
  return { sandbox, call, send, kept }
}

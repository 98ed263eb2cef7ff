import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { NotAllowed, StepFailed } from '../../../contracts/client/errors.ts'
import { toCurl } from '../../../contracts/client/exchange.ts'
import { ada, ok } from './helpers.ts'
import { clientFor, key, observed, readAll, serverThatSays } from './helpers.ts'
import { serverThat } from '../../for-one-test.ts'

describe('A server', () => {
  it('that hangs causes a timeout', async () => {
    const { client } = clientFor(await serverThat(() => undefined), { wanted: { timeout: 0.2 } })
    await expect(client.call('updateContact', ada)).rejects.toThrow('updateContact: no response within 0.2 seconds')
  })

  it('that breaks off in the middle of an answer is reported as such', async () => {
    const url = await serverThat((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      answer.write('{"success":', () => answer.destroy())
    })
    const { observer, missing } = observed()
    const { client } = clientFor(url, { observer })
    await expect(client.call('updateContact', ada)).rejects.toThrow(StepFailed)
    expect(missing).toMatchObject([{ message: 'the response broke off', how: 'cut' }])
  })

  it('that gives no answer three times in a row gets no more requests', async () => {
    const { client, sent } = clientFor('http://127.0.0.1:1')
    for (let i = 0; i < 3; i++) await expect(client.call('updateContact', ada)).rejects.toThrow('ECONNREFUSED')
    await expect(client.call('updateContact', ada)).rejects.toThrow(NotAllowed)
    expect(sent.length).toBe(3)
    expect(client.stopped).toEqual({
      reason: '127.0.0.1:1 gives no responses: connect ECONNREFUSED 127.0.0.1:1',
      unreachable: true,
    })
  })
})

describe('A request', () => {
  it('goes to the documented method and path with the key, which the curl line does not show', async () => {
    const heard: unknown[] = []
    const url = await serverThat((request, answer) => {
      heard.push([request.method, request.url, request.headers['x-api-key']])
      answer.writeHead(500, { 'content-type': 'text/html' }).end()
    })
    const { observer, exchanges } = observed()
    const { client } = clientFor(url, { observer })
    await client.call('updateContact', { path: { contactId: "../a'b" }, body: { firstName: "O'Neil $(id) `id`" } })
    expect(heard).toEqual([['PUT', "/api/contacts/..%2Fa'b", key]])
    const [curl] = exchanges.map(toCurl)
    expect(curl).toContain('-H "x-api-key: $CRM_API_KEY"')
    expect(curl).toContain(`--data-binary '{"firstName":"O'\\''Neil $(id) \`id\`"}'`)
    expect(JSON.stringify(exchanges)).not.toContain(key)
  })

  it('with a form and a file can be sent again from a shell', async () => {
    const heard: string[] = []
    const url = await serverThat((request, answer) => {
      void readAll(request).then((body) => {
        heard.push(body.toString('latin1'))
        answer.end('{}')
      })
    })
    const { observer, exchanges } = observed()
    const { client } = clientFor(url, { observer })
    const file = new File([new Uint8Array([0, 1, 2, 255])], 'header.png', { type: 'image/png' })
    const form = { name: "O'Neil @file", file }
    await client.call('createTemplate', { form })
    const [curl = ''] = exchanges.map(toCurl)
    expect(curl).toMatch(/^printf %s \S+ \| base64 -d \| curl /)
    await promisify(execFile)('sh', ['-c', curl], { env: { ...process.env, CRM_API_KEY: key } })
    for (const body of heard) {
      expect(body).toContain('name="name"\r\n\r\nO\'Neil @file\r\n')
      expect(body).toMatch(/name="file"; filename="header.png"\r\nContent-Type: image\/png\r\n\r\n\0\x01\x02\xff\r\n/i)
    }
    expect(heard).toHaveLength(2)
  })

  it.each([
    ['nobody', 'nobody', [undefined, undefined]],
    ['a wrong key', { key: 'wrong' }, ['wrong', undefined]],
    ['a wrong token', { token: 'wrong' }, [undefined, 'Bearer wrong']],
  ] as const)('can come from %s', async (_, caller, credentials) => {
    const heard: unknown[] = []
    const url = await serverThat((request, answer) => {
      heard.push([request.headers['x-api-key'], request.headers.authorization])
      answer.end()
    })
    await clientFor(url).client.call('updateContact', { ...ada, caller })
    expect(heard).toEqual([credentials])
  })

  it('is not sent without the credential of its caller', async () => {
    const { client, sent } = clientFor(await serverThatSays(200, ok))
    await expect(client.call('updateContact', { ...ada, caller: 'otherTeam' })).rejects.toThrow(
      'needs the key of a second team, in CRM_OTHER_API_KEY',
    )
    expect(sent).toEqual([])
  })
})

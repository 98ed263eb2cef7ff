import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import { describe, expect, it } from 'vitest'
import { contactsOf, crm, headers, intercepting, otherServer } from './intercepting.ts'

describe('what a client does', () => {
  it('sends forms and streams', async () => {
    const sandbox = await intercepting(crm)
    const form = new FormData()
    for (const [name, value] of Object.entries(template)) form.set(name, value)
    form.set('headerMediaType', 'image')
    form.set('headerMedia', new Blob([pixel], { type: 'image/png' }), 'cog.png')
    const key = { 'x-api-key': 'demo-key' }
    const sent = await fetch(`${crm}/api/templates`, { method: 'POST', headers: key, body: form })
    expect(await sent.json()).toMatchObject({ success: true })
    const byAxios = await axios.postForm(
      `${crm}/api/templates`,
      { ...template, uniqueName: 'by_axios' },
      { headers: key },
    )
    expect(byAxios.status).toBe(201)

    const parts = new ReadableStream({
      start(controller) {
        for (const part of ['{"firstName":"Ada",', '"lastName":"Lovelace"}']) controller.enqueue(Buffer.from(part))
        controller.close()
      },
    })
    const streamed = await fetch(`${crm}/api/contacts`, {
      method: 'POST',
      headers,
      body: parts,
      duplex: 'half',
    } as object)
    expect(streamed.status).toBe(201)
    expect(await contactsOf(sandbox)).toBe(1)
  })

  it('follows redirects to the origin and away from it', async () => {
    const other = await otherServer(`${crm}/openapi.json`)
    await intercepting(crm)
    expect(((await (await fetch(other.url)).json()) as { openapi: string }).openapi).toMatch(/^3/)
    expect((await axios.get<{ openapi: string }>(other.url)).data.openapi).toMatch(/^3/)
  })

  it('gives up, before an answer and while it comes', async () => {
    const sandbox = await intercepting(crm)
    await expect(fetch(`${crm}/openapi.json`, { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
    const controller = new AbortController()
    const answer = await fetch(`${crm}/openapi.json`, { signal: controller.signal })
    controller.abort()
    await expect(answer.text()).rejects.toThrow('aborted')
    const byAxios = axios.get(`${crm}/openapi.json`, { signal: AbortSignal.abort() })
    await expect(byAxios).rejects.toThrow('canceled')
    expect((await sandbox.fetch('/openapi.json')).status).toBe(200)
  })

  it('keeps its connection', async () => {
    await intercepting(crm)
    const agent = new https.Agent({ keepAlive: true })
    const ports = new Set<number | undefined>()
    for (let nth = 0; nth < 3; nth++) {
      const asked = https.request(`${crm}/openapi.json`, { agent })
      const [answer] = (await once(asked.end(), 'response')) as [IncomingMessage]
      ports.add(answer.socket.localPort)
      await text(answer)
      await new Promise(setImmediate) // the socket is free again one turn after the end
    }
    expect(ports.size).toBe(1)
    agent.destroy()
  })
})

const template = {
  templateType: 'whatsapp',
  name: 'Cog',
  uniqueName: 'cog',
  content: 'A cog for {{1}}',
  category: 'UTILITY',
  language: 'en_US',
  provider: 'whatsapp-provider',
}

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

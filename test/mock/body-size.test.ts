import { describe, expect, it } from 'vitest'
import type { WrittenChoices } from '../../spec/choices.ts'
import { openFurnished } from './furnished.ts'
import { openSandbox } from './harness.ts'
import { sendRaw } from './raw.ts'

const engine = { name: 'Difference engine', unitPrice: 1200 }
const refusal = { success: false, message: expect.any(String) as string }

describe('the size of a body', () => {
  const mebibyte = 1024 * 1024
  const ofSize = (bytes: number, filler = 'x') => {
    const empty = JSON.stringify({ ...engine, description: '' })
    const room = bytes - Buffer.byteLength(empty)
    const width = Buffer.byteLength(filler)
    const text = filler.repeat(Math.floor(room / width)) + 'x'.repeat(room % width)
    return JSON.stringify({ ...engine, description: text })
  }
  const ask = async (bytes: number, assume: WrittenChoices = {}, filler?: string) => {
    const { sendJson } = await openFurnished(assume)
    return sendJson('createProduct', ofSize(bytes, filler))
  }

  const sizes: [choice: string, bytes: number, status: number, relies: boolean][] = [
    ['oneMiB', mebibyte, 201, false],
    ['oneMiB', mebibyte + 1, 400, true],
    ['tenMiB', mebibyte + 1, 201, true],
    ['tenMiB', 10 * mebibyte, 201, true],
    ['tenMiB', 10 * mebibyte + 1, 400, true],
    ['none', 11 * mebibyte, 201, true],
  ]
  it.each(sizes)('bodyLimit=%s: %i bytes are answered %i', async (bodyLimit, bytes, status, relies) => {
    const answer = await ask(bytes, { bodyLimit } as WrittenChoices)
    expect(answer.status).toBe(status)
    expect(answer.assumed.includes('bodyLimit')).toBe(relies)
    if (status === 400) expect(answer.body.message).toMatch(/^the body must not be larger than (1|10) MiB$/)
  })

  it('is counted in bytes, not in characters', async () => {
    expect((await ask(mebibyte, {}, '機')).status).toBe(201)
    expect((await ask(mebibyte + 1, {}, '機')).status).toBe(400)
  })

  it('is counted in chunks too, and a body that is too large is refused before all of it is read', async () => {
    const { sandbox } = await openSandbox({ port: 0 })
    const head = [
      'POST /api/products HTTP/1.1',
      'Host: localhost',
      'x-api-key: acme-key',
      'content-type: application/json',
    ]
    const chunk = `40000\r\n${' '.repeat(0x40000)}\r\n`
    const chunked = await sendRaw(sandbox.url, [...head, 'transfer-encoding: chunked'], `${chunk.repeat(5)}0\r\n\r\n`)
    const announced = await sendRaw(sandbox.url, [...head, `content-length: ${mebibyte + 1}`])
    expect([chunked.status, announced.status]).toEqual([400, 400])
  })

  it('bodyLimit=none refuses a body that is longer than the longest string, instead of failing', async () => {
    const { sandbox } = await openSandbox({ port: 0, assume: { bodyLimit: 'none' } })
    const { status, body } = await sendRaw(sandbox.url, [
      'POST /api/products HTTP/1.1',
      'Host: localhost',
      'x-api-key: acme-key',
      'content-type: application/json',
      `content-length: ${2 ** 30}`,
    ])
    expect([status, JSON.parse(body)]).toEqual([
      400,
      { success: false, message: 'the body is larger than this server can hold' },
    ])
  })

  it.each([401, 400])('answers %i to a client that is still sending a body that is too large', async (status) => {
    const { sandbox } = await openSandbox({ port: 0 })
    const answer = await fetch(`${sandbox.url}/api/products`, {
      method: 'POST',
      headers: { 'x-api-key': status === 401 ? 'nobody' : 'acme-key', 'content-type': 'application/json' },
      body: 'x'.repeat(20 * mebibyte),
    })
    expect([answer.status, await answer.json()]).toEqual([status, refusal])
  })
})

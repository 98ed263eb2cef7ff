import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { controlDocument } from '../../mock/control/document.ts'
import { describedOperations, document } from '../../spec/document.ts'
import { createSandbox } from '../../index.ts'
import { openSandbox } from './helpers.ts'
import { sendRaw } from './raw-http.ts'

type Shown = typeof document & { info: { description: string }; servers: unknown }

it('the page /docs shows all operations of the document, and sends its requests to this sandbox', async () => {
  const { sandbox } = await openSandbox()
  const shown = (await (await sandbox.fetch('/docs/json')).json()) as typeof document & { servers: unknown }
  expect(Object.keys(shown.paths)).toEqual(Object.keys(document.paths))
  expect(shown.servers).toEqual([{ url: '/', description: 'This sandbox' }])
})

it('the operations and the control plane have a page each, which link to each other', async () => {
  const { sandbox } = await openSandbox()
  const shown = (await (await sandbox.fetch('/docs/control/json')).json()) as Shown
  expect(Object.keys(shown.paths)).toEqual(Object.keys((await controlDocument()).paths))
  expect(shown.servers).toEqual([{ url: '/', description: 'This sandbox' }])
  const service = (await (await sandbox.fetch('/docs/json')).json()) as Shown
  expect(service.info.description).toContain('](/docs/control)')
  expect(shown.info.description).toContain('](/docs)')
})

it('the document describes every operation and parameter of the control plane', async () => {
  for (const { operationId, description, parameters } of describedOperations(await controlDocument()) as Described[])
    for (const part of [{ description }, ...parameters])
      expect(part, `${operationId} ${JSON.stringify(part)}`).toHaveProperty('description', expect.stringMatching(/\.$/))
})

type Described = ReturnType<typeof describedOperations>[number] & { description?: string }

it('the page /docs links the register of assumptions', async () => {
  const { sandbox } = await openSandbox()
  const shown = (await (await sandbox.fetch('/docs/json')).json()) as { info: { description: string } }
  const [, link = ''] = /\]\((\/[^)]+)\)/.exec(shown.info.description) ?? []
  const register = await sandbox.fetch(link)
  expect(register.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(register.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await register.text()).toContain('newContactStatus')
})

it.each([
  ['the key of the loaded world', { world: 'two-teams' }, '`acme-key`'],
  ['no key to a client that needs the control token', { controlToken: 'token-of-this-test' }, 'the key of a team. '],
] as const)('the page /docs shows %s', async (_, options, text) => {
  await using sandbox = await createSandbox(options)
  const shown = (await (await sandbox.fetch('/docs/json')).json()) as { info: { description: string } }
  expect(shown.info.description).toContain(text)
  expect(shown.info.description.includes('-key`')).toBe(text.includes('-key`'))
})

it('the page /docs has no example Idempotency-Key, which every request would share', async () => {
  const { sandbox } = await openSandbox()
  const shown = await (await sandbox.fetch('/docs/json')).text()
  expect(shown).toContain('"name":"Idempotency-Key"')
  expect(shown).not.toContain('createContact-1')
})

it('the page /docs allows connections to this sandbox only', async () => {
  const { sandbox } = await openSandbox()
  const page = await sandbox.fetch('/docs')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
})

it.each(['/docs', '/docs/control'])('the sandbox serves everything that the page %s loads', async (page) => {
  const { sandbox } = await openSandbox()
  const html = await (await sandbox.fetch(page)).text()
  const loaded = [...html.matchAll(/<(?:script|link) [^>]*(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url)
  expect(loaded.length).toBeGreaterThan(4)
  for (const url of loaded) {
    expect(url.startsWith(`${page}/static/`)).toBe(true)
    expect((await sandbox.fetch(url)).status).toBe(200)
  }
})

it.each(['/console', '/docs/static/swagger-ui.css'])('a browser asks whether %s changed', async (path) => {
  const { sandbox } = await openSandbox({ port: 0 })
  const { headers } = await fetch(sandbox.url + path)
  expect(headers.get('cache-control')).toBe('no-cache')
  const again = await fetch(sandbox.url + path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const changed = await fetch(sandbox.url + path, { headers: { 'if-none-match': '"another"' } })
  expect([changed.status, (await changed.text()).length > 500]).toEqual([200, true])
})

it('the sandbox publishes the document with the address that it is served from', async () => {
  const { sandbox } = await openSandbox({ port: 0 })
  const { port } = new URL(sandbox.url)
  const file = new URL('../../spec/generated/openapi.json', import.meta.url)
  const [before, after] = readFileSync(file, 'utf8').split('http://127.0.0.1:4010')
  for (const address of [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
    const published = await fetch(`${address}/openapi.json`)
    expect(published.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await published.text()).toBe([before, address, after].join(''))
  }
})

it.each([
  '/docs/nowhere',
  '/docs/static/../../package.json',
  '/docs/static/..%2f..%2fpackage.json',
  '/docs/static/%2e%2e/package.json',
  '/docs/static/%00',
  '/favicon.ico',
])('the sandbox serves nothing else: %s', async (path) => {
  const { sandbox } = await openSandbox({ port: 0 })
  const { status, body } = await sendRaw(sandbox.url, [`GET ${path} HTTP/1.1`, 'Host: localhost'])
  expect([status, body]).toEqual([404, '{"success":false,"message":"Resource not found"}'])
})

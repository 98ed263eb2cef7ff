import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../../index.ts'

const assets = readdirSync('dist/console/assets')

/** Chromium asks for it at each address. */
const html = { accept: 'text/html,application/xhtml+xml' }

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await createSandbox({ port: 0 })
  return () => sandbox.close()
})

it('has at most 120 KB of assets when compressed, and no source map', () => {
  const sizes = assets.map((name) => gzipSync(readFileSync(`dist/console/assets/${name}`)).length)
  expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(120 * 1024)
  expect(assets.filter((name) => name.endsWith('.map'))).toEqual([])
})

it('has no inline script or style', () => {
  const page = readFileSync('dist/console/index.html', 'utf8')
  expect(page).not.toMatch(/<style|<script(?![^>]* src=)|\sstyle=|\son\w+=/i)
})

it.each(['/', '/console', '/console/demo/requests', ...assets.map((name) => `/console/assets/${name}`)])(
  'is served with a strict policy: %s',
  async (path) => {
    const { status, headers } = await fetch(sandbox.url + path, { headers: html })
    expect(status).toBe(200)
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const policy = headers.get('content-security-policy')?.split('; ')
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]),
    )
    expect(policy?.join('; ')).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|\*|http:/)
  },
)

it('answers a client that wants JSON at / with JSON', async () => {
  const response = await fetch(`${sandbox.url}/`, { headers: { accept: '*/*' } })
  expect(response.headers.get('content-type')).toContain('application/json')
  await response.json()
})

describe('the folder of the assets', () => {
  it.each([
    'unknown.js',
    '',
    '../index.html',
    '..%2findex.html',
    '%2e%2e/%2e%2e/package.json',
    '%2e%2e%2f%2e%2e%2fpackage.json',
    '..%5c..%5cpackage.json',
    '..%00/index.html',
    '%00',
    '%',
    '%ff',
    '....//....//package.json',
    '/etc/passwd',
    '%2fetc%2fpasswd',
  ])('is not left by the path %j', async (path) => {
    const { status, body } = await getAsWritten(`/console/assets/${path}`)
    expect([400, 404]).toContain(status)
    expect(JSON.parse(body)).toMatchObject({ success: false })
  })
})

/** `fetch` would resolve the dots. */
function getAsWritten(path: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(sandbox.url)
    const sent = request({ hostname, port, path, headers: html }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode, body }))
    })
    sent.on('error', reject).end()
  })
}

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../index.ts'

// Each of these ends with the test that starts it.

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox(options)
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** A server on a free port of this machine. */
export async function serverThat(answers: RequestListener): Promise<string> {
  const server = createServer(answers).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function newFile(name: string, text: string): string {
  const path = join(newFolder(), name)
  writeFileSync(path, text)
  return path
}

/** A POST with this body, as a team. */
export const postAs = (apiKey: string, body: unknown, headers: object = {}) => ({
  method: 'POST',
  headers: { 'x-api-key': apiKey, 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

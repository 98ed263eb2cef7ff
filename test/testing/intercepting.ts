import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createSandbox, type Sandbox } from '../../index.ts'

export const crm = 'https://crm.invalid'
export const headers = { 'x-api-key': 'demo-key', 'content-type': 'application/json' }
export const ada = JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace' })

export async function intercepting(intercept: string, world = 'empty'): Promise<Sandbox> {
  const sandbox = await createSandbox({ intercept, world })
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** A server that has nothing to do with the sandbox; it may redirect. */
export async function otherServer(location?: string) {
  let requests = 0
  const server = http.createServer(({ method = '', url = '', headers: { host = '' } }, response) => {
    requests++
    if (location !== undefined) response.writeHead(302, { location })
    response.end(`${method} ${url} of ${host}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}/`,
    host,
    get requests() {
      return requests
    },
  }
}

export async function contactsOf(sandbox: Sandbox): Promise<number> {
  const { teams } = await sandbox.world()
  return teams.flatMap(({ contacts = [] }) => contacts).length
}

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

export async function serverThat(answers: RequestListener): Promise<string> {
  const server = createServer(answers).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that answers everything alike. */
export const answering = (status: number, text: string, type = 'application/json') =>
  serverThat((_, response) => {
    response.writeHead(status, { 'content-type': type }).end(text)
  })

/** How many records of each kind the team demo has. */
export function countRecords(url: string): Promise<number[]> {
  const kinds = ['contacts', 'companies', 'products', 'deals', 'quotes', 'templates', 'conversations']
  return Promise.all(
    kinds.map(async (kind) => {
      const answer = await fetch(`${url}/_sandbox/teams/demo/${kind}?limit=1`)
      return ((await answer.json()) as { data: { total: number } }).data.total
    }),
  )
}

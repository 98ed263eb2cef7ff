// A server of the tests that was written from the specification alone, each response 200 ms after its request: prints the
// seconds that a whole run of `verify` and one of `learn` take with their defaults, and the requests, as JSON.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createViteServer } from 'vitest/node'

const vite = await createViteServer({ configFile: false, logLevel: 'silent', server: { middlewareMode: true } })
const { otherTarget, startOtherServer } = await vite.ssrLoadModule('/test/contracts/other-server/server.ts')
const ledgers = mkdtempSync(join(tmpdir(), 'crm-sandbox-bench-'))

for (const name of ['verify', 'learn']) {
  const { url, service, close } = await startOtherServer({ approvedTemplate: true })
  let requests = 0
  const answer = service.answer.bind(service)
  service.answer = async (request) => {
    requests++
    await sleep(200)
    return answer(request)
  }
  const { wanted, credentials } = otherTarget(url)
  const { emailProvider, smsProvider, whatsappProvider } = wanted
  const options = { 'base-url': url, 'email-provider': emailProvider, 'sms-provider': smsProvider, ledgers }
  const args = Object.entries({ ...options, 'whatsapp-provider': whatsappProvider }).flatMap(([key, value]) => [
    `--${key}`,
    value,
  ])
  const { team, otherTeam, admin, agent } = credentials
  const env = { CRM_API_KEY: team, CRM_OTHER_API_KEY: otherTeam, CRM_ADMIN_TOKEN: admin, CRM_AGENT_TOKEN: agent }
  const began = performance.now()
  const child = execFile(process.execPath, ['dist/cli.js', name, ...args], { env: { ...process.env, ...env } })
  child.stdout.resume()
  const [exitCode] = await once(child, 'exit')
  console.log(JSON.stringify({ name, requests, exitCode, seconds: (performance.now() - began) / 1000 }))
  await close()
}
rmSync(ledgers, { recursive: true })
await vite.close()

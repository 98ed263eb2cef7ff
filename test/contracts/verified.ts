import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SandboxOptions } from '../../index.ts'
import { startOwnTarget } from '../../own-target.ts'
import { cli } from '../docs/desk.ts'

/** Runs the command on a sandbox with these options, with all credentials and providers. */
export async function verified(options: SandboxOptions, ...args: string[]): Promise<{ code: number; stdout: string }> {
  const own = await startOwnTarget(options)
  const { wanted, credentials } = own
  const { baseUrl = '', emailProvider = '', smsProvider = '', whatsappProvider = '' } = wanted
  const ledgers = mkdtempSync(join(tmpdir(), 'ledgers-'))
  const target = ['--base-url', baseUrl, '--ledgers', ledgers, '--pipeline-id', 'sales', '--stage-id', 'talking']
  const channels = ['--email-provider', emailProvider, '--sms-provider', smsProvider]
  const providers = [...channels, '--whatsapp-provider', whatsappProvider]
  const env = {
    PATH: process.env.PATH,
    CRM_API_KEY: credentials.team,
    CRM_OTHER_API_KEY: credentials.otherTeam,
    CRM_ADMIN_TOKEN: credentials.admin,
    CRM_AGENT_TOKEN: credentials.agent,
  }
  try {
    const command = [cli, 'verify', ...target, ...providers, ...args]
    const { stdout } = await promisify(execFile)(process.execPath, command, { env })
    return { code: 0, stdout }
  } catch (error) {
    const { code, stdout } = error as { code: unknown; stdout: string }
    if (typeof code !== 'number') throw error
    return { code, stdout }
  } finally {
    await own.stop()
    rmSync(ledgers, { recursive: true })
  }
}

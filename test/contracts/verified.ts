import type { SandboxOptions } from '../../index.ts'
import { startOwnTarget } from '../../own-target.ts'
import { run } from './command.ts'
import { folder } from './harness.ts'
import { type Ended } from '../cli/command.ts'

/** What the command says of a sandbox with these options, when it is given all that it can use. */
export async function verified(options: SandboxOptions, ...args: string[]): Promise<Ended> {
  const { wanted, credentials, stop } = await startOwnTarget(options)
  const { baseUrl = '', emailProvider = '', smsProvider = '', whatsappProvider = '' } = wanted
  const providers = ['--email-provider', emailProvider, '--sms-provider', smsProvider]
  const target = [
    ...providers,
    '--whatsapp-provider',
    whatsappProvider,
    '--pipeline-id',
    'sales',
    '--stage-id',
    'talking',
  ]
  const variables = {
    CRM_API_KEY: credentials.team ?? '',
    CRM_OTHER_API_KEY: credentials.otherTeam ?? '',
    CRM_ADMIN_TOKEN: credentials.admin ?? '',
    CRM_AGENT_TOKEN: credentials.agent ?? '',
  }
  try {
    return await run(['verify', '--base-url', baseUrl, '--ledgers', folder(), ...target, ...args], variables)
  } finally {
    await stop()
  }
}

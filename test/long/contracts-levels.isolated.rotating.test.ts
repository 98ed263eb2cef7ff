import { expect, it } from 'vitest'
import { startOwnTarget } from '../../cli/own-target.ts'
import { run } from '../contracts/command.ts'
import { inTier, sampleOf } from '../tier.ts'
import { newFolder } from '../for-one-test.ts'

const people = ['ada', 'grace', 'mary', 'joan'].flatMap((name) => ['--email-to', `${name}@example.com`])
const numbers = [123, 124, 125, 126].flatMap((end) => ['--phone-to', `+14155550${end}`])

const levels = ['read', 'write', 'platform', 'send']

// To this machine 0.0.0.0 is itself, but by its name it is a host like any other.
it.each(sampleOf(levels, inTier({ test: 2, nightly: levels.length })))(
  'a run up to %s can find a server conformant',
  async (upTo) => {
    const own = await startOwnTarget({ allowHosts: ['0.0.0.0'] })
    const { baseUrl = '', emailProvider = '', smsProvider = '', whatsappProvider = '' } = own.wanted
    const host = `0.0.0.0:${new URL(baseUrl).port}`
    const reach = ['--up-to', upTo, '--confirm-host', host, '--rate', '100', ...people, ...numbers]
    const providers = [
      ['--email-provider', emailProvider, '--sms-provider', smsProvider, '--whatsapp-provider', whatsappProvider],
      ['--pipeline-id', 'sales', '--stage-id', 'talking', '--ledgers', newFolder()],
    ].flat()
    const { team = '', otherTeam = '', admin = '', agent = '' } = own.credentials
    const env = { CRM_API_KEY: team, CRM_OTHER_API_KEY: otherTeam, CRM_ADMIN_TOKEN: admin, CRM_AGENT_TOKEN: agent }
    try {
      const { code, stdout } = await run(['verify', '--base-url', `http://${host}`, ...reach, ...providers], env)
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Verdict: conformant.') as string,
      })
    } finally {
      await own.stop()
    }
  },
)

it('nothing judged is not conformant', async () => {
  const own = await startOwnTarget()
  try {
    const args = ['verify', '--base-url', own.wanted.baseUrl ?? '', '--up-to', 'read', '--only', 'companies']
    const { code, stdout } = await run([...args, '--ledgers', newFolder()], { CRM_API_KEY: own.credentials.team ?? '' })
    expect(stdout).toContain('Nothing was judged: every check was skipped or inconclusive.')
    expect(code).toBe(3)
  } finally {
    await own.stop()
  }
})

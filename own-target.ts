import type { StartedTarget } from './contracts/index.ts'
import { loadWorld } from './fixtures/load-world.ts'
import type { World } from './fixtures/world.ts'
import { createSandbox, type SandboxOptions, type TeamInWorld } from './index.ts'

/** Starts a sandbox to verify: two teams, an admin and an agent, and every provider. */
export async function startOwnTarget(options: SandboxOptions = {}): Promise<StartedTarget> {
  const world = options.world ?? withApproved(await loadWorld('two-teams'))
  const sandbox = await createSandbox({ port: 0, ...options, world })
  const [team, otherTeam] = (await sandbox.world()).teams
  const token = async (role: string) => {
    const answer = await sandbox.fetch('/_sandbox/tokens', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ teamId: team?._id, role }),
    })
    return ((await answer.json()) as { data: { token: string } }).data.token
  }
  return {
    wanted: {
      baseUrl: sandbox.url,
      emailProvider: providerOf(team, 'email'),
      smsProvider: providerOf(team, 'sms'),
      whatsappProvider: providerOf(team, 'whatsapp'),
      pipelineId: 'sales',
      stageId: 'talking',
    },
    credentials: {
      team: team?.apiKeys[0] ?? '',
      otherTeam: otherTeam?.apiKeys[0] ?? '',
      admin: await token('admin'),
      agent: await token('agent'),
    },
    stop: () => sandbox.close(),
  }
}

/** Its id and its address. */
function providerOf(team: TeamInWorld | undefined, channel: string): string | undefined {
  const provider = team?.providers?.find((one) => one.channel === channel)
  return provider && `${provider._id},${provider.address}`
}

/** Some promises are about an approved WhatsApp template, and none is approved during a run. */
function withApproved({ teams: [team, ...others] }: World): World {
  if (!team) return { teams: [] }
  const approved = {
    _id: '66f0a1b2c3d4e5f6aaaa7009',
    templateType: 'whatsapp',
    name: 'Order has left',
    uniqueName: 'order_has_left',
    content: 'Your order {{1}} has left',
    category: 'UTILITY',
    language: 'en_US',
    provider: 'whatsapp-provider',
    status: 'approved',
  } as const
  return { teams: [{ ...team, templates: [...(team.templates ?? []), approved] }, ...others] }
}

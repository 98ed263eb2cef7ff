import type { StartedTarget } from './contracts/index.ts'
import { loadWorld } from './fixtures/load-world.ts'
import type { World } from './fixtures/world.ts'
import { createSandbox } from './index.ts'

/** A sandbox of our own to be verified: two teams, an admin and an agent, and every provider. */
export async function startOwnTarget(): Promise<StartedTarget> {
  const sandbox = await createSandbox({ port: 0, world: withApproved(await loadWorld('two-teams')) })
  const [team, otherTeam] = await sandbox.teams()
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
      emailProvider: 'email-provider,hello@acme.example.com',
      smsProvider: 'sms-provider,+14155550100',
      whatsappProvider: 'whatsapp-provider,+14155550101',
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

/** The platform approves no template while a run lasts, and some promises are about one that it has approved. */
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

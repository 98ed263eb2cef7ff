import type { StartedTarget } from '../contracts/index.ts'
import { loadWorld } from '../fixtures/load-world.ts'
import type { World } from '../fixtures/world.ts'
import type { SandboxOptions } from '../index.ts'
import { withSandboxSettings } from '../contracts/client/target/sandbox-settings.ts'
import type { Send } from '../contracts/client/transport.ts'
import type { TemplateRecord } from '../fixtures/records.ts'
import type { OldTemplate, StartSandbox as StartComparedSandbox } from '../contracts/compare/side.ts'
import type { StartSandbox } from './sweep/sweep.ts'
import { createSandbox, type Sandbox } from '../mock/create-sandbox.ts'
import { choicesIn } from './load-profile.ts'
import { marksFor } from './marks.ts'
import type { AssumptionName } from '../spec/assumptions.ts'
import type { WrittenChoices } from '../spec/choices.ts'

/** Starts a sandbox to verify: two teams, an admin and an agent, and every provider. */
export async function startOwnTarget(options: Omit<SandboxOptions, 'profile' | 'faults'> = {}): Promise<StartedTarget> {
  const { world = withApproved(await loadWorld('two-teams')) } = options
  const initial = typeof world === 'string' ? await loadWorld(world) : world
  // Of the variables of a sandbox only the choices apply: the run makes records, which belong in no store of the user.
  const assume = { ...choicesIn(process.env), ...options.assume }
  return targetOf(await createSandbox({ port: 0, ...options, assume, world: initial }, marksFor(process.env)))
}

/** The sandbox reports its keys, tokens and providers. */
async function targetOf(sandbox: Sandbox, baseUrl = sandbox.url, send?: Send): Promise<StartedTarget> {
  const wanted = { baseUrl, pipelineId: 'sales', stageId: 'talking' }
  const settings = await withSandboxSettings({ wanted, credentials: {} }, true, process.pid, send)
  return { ...settings, stop: () => sandbox.close() }
}

/** Starts a sandbox with the choices of a profile. */
export async function startWithProfile(assume: WrittenChoices): Promise<StartedTarget> {
  const world = withApproved(await loadWorld('two-teams'))
  return targetOf(await createSandbox({ port: 0, world, assume }))
}

/** Starts sandboxes in process for `compare`, on a store; their two teams have the templates of the server. */
export const startSandboxOn =
  (store: string): StartComparedSandbox =>
  async (assume, templates) => {
    const { teams } = await loadWorld('two-teams')
    const of = ['team', 'otherTeam'] as const
    const world = {
      teams: teams.map((team, at) => ({
        ...team,
        templates: templates.filter((one) => one.of === of[at]).map(standIn),
      })),
    }
    const sandbox = await createSandbox({ world, assume, store })
    const send: Send = async ({ url, method, headers, body }) => {
      const { pathname, search } = new URL(url)
      const content = body && ((headers['content-type'] ?? '').includes('multipart') ? body : body.toString())
      const answer = await sandbox.fetch(`${sandbox.url}${pathname}${search}`, {
        method,
        headers,
        ...(content ? { body: content } : {}),
      })
      return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() }
    }
    return { ...(await targetOf(sandbox, 'http://127.0.0.1', send)), send }
  }

export const startComparedSandbox = startSandboxOn('memory')

/** A template with a known type and status, and placeholder content. */
function standIn({ _id, templateType, status }: OldTemplate, index: number): TemplateRecord {
  return {
    _id,
    templateType: templateType as TemplateRecord['templateType'],
    name: `Template ${index}`,
    uniqueName: `template_${index}`,
    content: 'Hello',
    language: 'en',
    category: 'UTILITY',
    provider: `${templateType}-provider`,
    status: status as TemplateRecord['status'],
    ...(templateType === 'email' ? { subject: 'Hello' } : {}),
  }
}

/** Starts a sandbox for the tests of a user, with all credentials of its world. */
export const startForTests: StartSandbox = async ({ world, assume }) => {
  const relied = new Set<AssumptionName>()
  let isUsed = false
  const sandbox = await createSandbox(
    { port: 0, world: await loadWorld(world), assume },
    { onUse: () => (isUsed = true), onRelied: (name) => relied.add(name) },
  )
  const variables = await variablesOf(sandbox)
  isUsed = false
  return { variables, relied: () => (isUsed ? relied : undefined), stop: () => sandbox.close() }
}

/** The address and the credentials for the tests of a user; undefined for those that the world lacks. */
export async function variablesOf(sandbox: Sandbox) {
  const [team, otherTeam] = await sandbox.teams()
  const tokenOf = async (role: 'admin' | 'agent') => {
    const [user] = team ? (await sandbox.records(team._id, 'users', { where: { role }, limit: 1 })).records : []
    if (!team || !user) return undefined
    return (await sandbox.tokens.sign({ teamId: team._id, userId: user._id, role, expiresIn: oneDay })).token
  }
  return {
    CRM_BASE_URL: sandbox.url,
    CRM_API_KEY: team?.apiKeys[0],
    CRM_OTHER_API_KEY: otherTeam?.apiKeys[0],
    CRM_ADMIN_TOKEN: await tokenOf('admin'),
    CRM_AGENT_TOKEN: await tokenOf('agent'),
  }
}

const oneDay = 24 * 60 * 60

/** Adds an approved WhatsApp template and a contact group, which no operation creates and some promises need. */
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
  return { teams: [{ ...team, groups: ['group-1'], templates: [...(team.templates ?? []), approved] }, ...others] }
}

import { randomUUID } from 'node:crypto'
import { fieldsOf } from '../answer.ts'
import type { Credentials, Who } from './credentials.ts'
import type { Settings } from './target-file.ts'
import { isOnLoopback } from './target.ts'
import { undiciTransport } from '../transport.ts'

type Ask = (method: string, path: string, body?: object) => Promise<unknown>

/**
 * Adds what the control plane of a sandbox on this machine tells, where the operator gave nothing. Only if the sandbox
 * `mayChange`, it signs tokens, which adds a user, and makes a second team where there is none.
 */
export async function withSandboxSettings(
  { wanted, credentials }: Settings,
  mayChange = credentials.team === undefined,
): Promise<Settings> {
  const { baseUrl = '' } = wanted
  if (!URL.canParse(baseUrl) || !isOnLoopback(new URL(baseUrl))) return { wanted, credentials }
  try {
    const told = await withControlPlane(baseUrl, (ask) => tellFrom(ask, credentials, mayChange))
    return { wanted: { ...told.wanted, ...wanted }, credentials: { ...told.credentials, ...credentials } }
  } catch {
    // It is no sandbox, or its control plane is closed.
    return { wanted, credentials }
  }
}

/**
 * Adds what a run of this process got from the control plane, which is gone with it, where these callers have no
 * credential: the key of the second team that it made, and new tokens.
 */
export async function withSettingsOfRun(pid: number, callers: readonly Who[], settings: Settings): Promise<Settings> {
  const { wanted, credentials } = settings
  const { baseUrl = '' } = wanted
  if (callers.every((caller) => credentials[caller] !== undefined) || !isOnLoopback(new URL(baseUrl))) return settings
  const teams = await withControlPlane(baseUrl, teamsOf).catch(() => [])
  const made = teams.filter((team) => fieldsOf(team).name === nameOfSecondTeam(pid))
  const otherTeam = made.flatMap(keysOf).find(isOfARun)
  const known = { wanted, credentials: { ...(otherTeam === undefined ? {} : { otherTeam }), ...credentials } }
  return callers.some((caller) => known.credentials[caller] === undefined) ? withSandboxSettings(known, true) : known
}

/** Deletes the team that was made so that there are two; no other. */
export async function removeSecondTeam({ wanted: { baseUrl = '' }, credentials }: Settings): Promise<void> {
  const { otherTeam = '' } = credentials
  if (!isOfARun(otherTeam)) return
  await withControlPlane(baseUrl, async (ask) => {
    for (const team of await teamsOf(ask)) if (keysOf(team).includes(otherTeam)) await ask('DELETE', pathOf(team))
  }).catch(() => undefined) // a sandbox that has ended has no teams
}

/** How the key begins of a team that is made for a run. Another run uses it for nothing. */
const beginning = 'second-team-of-a-run-'
const isOfARun = (key: string) => key.startsWith(beginning)

const nameOfSecondTeam = (pid: number) => `Second team of a run, by process ${pid}`

/** The first request makes a sandbox load its control plane, which takes a busy machine a while. In milliseconds. */
const timeToAnswer = 5_000

async function withControlPlane<Value>(baseUrl: string, act: (ask: Ask) => Promise<Value>): Promise<Value> {
  const transport = undiciTransport(new URL(baseUrl).origin)
  try {
    return await act(async (method, path, body) => {
      const { status, text } = await transport.send(
        {
          method,
          url: new URL(`/_sandbox${path}`, baseUrl).href,
          headers: { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) },
          ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}),
        },
        timeToAnswer,
      )
      return status < 300 ? fieldsOf(JSON.parse(text)).data : undefined
    })
  } finally {
    await transport.close()
  }
}

async function tellFrom(ask: Ask, given: Credentials<string>, mayChange: boolean): Promise<Settings> {
  const withKeys = (await teamsOf(ask)).filter((team) => keysOf(team).length > 0 && !keysOf(team).some(isOfARun))
  const withKey = (wanted: string) => withKeys.find((team) => keysOf(team).includes(wanted))
  const own = given.team === undefined ? withKeys[0] : withKey(given.team)
  if (own === undefined) return { wanted: {}, credentials: {} }
  const [key = ''] = keysOf(own)
  const known = given.otherTeam === undefined ? withKeys.find((team) => team !== own) : withKey(given.otherTeam)
  const second = known ?? (mayChange && given.otherTeam === undefined ? await makeSecondTeam(ask) : undefined)
  const [other] = keysOf(second)
  const otherTeam = other === undefined ? {} : { otherTeam: other }
  const tokens = mayChange ? { ...(await tokenOf('admin')), ...(await tokenOf('agent')) } : {}
  const { emailProvider, smsProvider, whatsappProvider } = providersOf(second)
  const others = {
    otherEmailProvider: emailProvider,
    otherSmsProvider: smsProvider,
    otherWhatsappProvider: whatsappProvider,
  }
  return { wanted: { ...providersOf(own), ...others }, credentials: { team: key, ...otherTeam, ...tokens } }

  async function tokenOf(role: string) {
    const { token } = fieldsOf(await ask('POST', '/tokens', { teamId: fieldsOf(own).teamId, role }))
    return typeof token === 'string' ? { [role]: token } : {}
  }
}

async function makeSecondTeam(ask: Ask): Promise<unknown> {
  const team = { name: nameOfSecondTeam(process.pid), apiKey: `${beginning}${randomUUID()}` }
  return ask('GET', pathOf(await ask('POST', '/teams', team)))
}

async function teamsOf(ask: Ask): Promise<unknown[]> {
  const listed = [await ask('GET', '/teams')].flat().filter((team) => typeof fieldsOf(team).teamId === 'string')
  return Promise.all(listed.map(async (team) => ask('GET', pathOf(team))))
}

const pathOf = (team: unknown) => `/teams/${encodeURIComponent(String(fieldsOf(team).teamId))}`

const keysOf = (team: unknown) => [fieldsOf(team).apiKeys].flat().filter((key) => typeof key === 'string')

function providersOf(team: unknown): Settings['wanted'] {
  const providers = [fieldsOf(team).providers].flat().map(fieldsOf)
  const find = (wanted: string) => {
    const { id, address } = providers.find(({ channel }) => channel === wanted) ?? {}
    return typeof id === 'string' && typeof address === 'string' ? `${id},${address}` : undefined
  }
  const all = { emailProvider: find('email'), smsProvider: find('sms'), whatsappProvider: find('whatsapp') }
  return Object.fromEntries(Object.entries(all).filter(([, provider]) => provider !== undefined))
}

import { parseJson } from '../../../lib/json.ts'
import { fieldsOf } from '../answer.ts'
import { CannotRun } from '../errors.ts'
import { type Send, NoResponse, undiciTransport } from '../transport.ts'
import type { Credentials } from './credentials.ts'
import type { Settings } from './target-file.ts'
import { isOnLoopback, readTls, type TargetOptions } from './target.ts'

/** Sends a request to the control plane. Returns the data of the answer, if it is a success. */
type AskSandbox = (method: string, path: string, body?: object) => Promise<unknown>

/**
 * Adds the keys and providers of a sandbox on this machine, where the operator gave none. If the run `mayChange` the
 * sandbox, it also signs tokens, and creates a second team if there is none. With the process id of a killed run, the
 * second team is the team that the killed run created.
 */
export async function withSandboxSettings(
  { wanted, credentials }: Settings,
  mayChange = true,
  pid = process.pid,
  send?: Send,
): Promise<Settings> {
  const { baseUrl = '' } = wanted
  if (!URL.canParse(baseUrl) || !isOnLoopback(new URL(baseUrl))) return { wanted, credentials }
  try {
    const found = await withControlPlane(wanted, (ask) => settingsFrom(ask, credentials, mayChange, keyOf(pid)), send)
    return { wanted: { ...found.wanted, ...wanted }, credentials: { ...found.credentials, ...credentials } }
  } catch (error) {
    // Without a key, no other request would report this.
    if (error instanceof NoResponse && credentials.team === undefined)
      throw new CannotRun(`${new URL(baseUrl).origin} cannot be reached: ${error.message}.`, { option: 'baseUrl' })
    // The server is no sandbox.
    return { wanted, credentials }
  }
}

/** Deletes the second team if a run created it. */
export async function removeSecondTeam({ wanted, credentials }: Settings): Promise<void> {
  const { otherTeam = '' } = credentials
  if (!isOfARun(otherTeam)) return
  await withControlPlane(wanted, async (ask) => {
    for (const team of await teamsOf(ask)) if (keysOf(team).includes(otherTeam)) await ask('DELETE', pathOf(team))
  }).catch(() => undefined) // the sandbox has ended
}

/** The prefix of the key of a team that a run created. Other runs do not use such a team. */
const prefix = 'second-team-of-a-run-'
const isOfARun = (key: string) => key.startsWith(prefix)
const keyOf = (pid: number) => `${prefix}${pid}`

async function withControlPlane<Value>(
  wanted: TargetOptions,
  act: (ask: AskSandbox) => Promise<Value>,
  own?: Send,
): Promise<Value> {
  const { baseUrl = '' } = wanted
  const transport = undiciTransport(new URL(baseUrl).origin, readTls(wanted))
  const send = own ?? transport.send
  const token = process.env.CRM_SANDBOX_CONTROL_TOKEN
  const ask: AskSandbox = async (method, path, body) => {
    const url = new URL(`/_sandbox${path}`, baseUrl).href
    const headers = {
      accept: 'application/json',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(token ? { 'x-sandbox-token': token } : {}),
    }
    const content = body ? { body: Buffer.from(JSON.stringify(body)) } : {}
    const { status, text } = await send({ method, url, headers, ...content }, 5_000)
    return status < 300 ? fieldsOf(parseJson(text)).data : undefined
  }
  try {
    return await act(ask)
  } finally {
    await transport.close()
  }
}

async function settingsFrom(
  ask: AskSandbox,
  credentials: Credentials,
  mayChange: boolean,
  ownKey: string,
): Promise<Settings> {
  const all = (await teamsOf(ask)).filter((team) => keysOf(team).length > 0)
  const teams = all.filter((team) => !keysOf(team).some(isOfARun))
  const withKey = (key: string) => all.find((team) => keysOf(team).includes(key))
  const own = credentials.team === undefined ? teams[0] : withKey(credentials.team)
  if (own === undefined) return { wanted: {}, credentials: {} }
  const found = withKey(ownKey) ?? teams.find((team) => team !== own)
  const known = credentials.otherTeam === undefined ? found : withKey(credentials.otherTeam)
  const second =
    known ?? (mayChange && credentials.otherTeam === undefined ? await createSecondTeam(ask, ownKey) : undefined)
  const tokenOf = async (role: 'admin' | 'agent') =>
    mayChange && credentials[role] === undefined
      ? fieldsOf(await ask('POST', '/tokens', { teamId: fieldsOf(own).teamId, role, createUser: false })).token
      : undefined
  return {
    wanted: withoutUndefined({
      emailProvider: providerOf(own, 'email'),
      smsProvider: providerOf(own, 'sms'),
      whatsappProvider: providerOf(own, 'whatsapp'),
      otherEmailProvider: providerOf(second, 'email'),
      otherSmsProvider: providerOf(second, 'sms'),
      otherWhatsappProvider: providerOf(second, 'whatsapp'),
    }),
    credentials: withoutUndefined({
      team: keysOf(own)[0],
      otherTeam: keysOf(second)[0],
      admin: await tokenOf('admin'),
      agent: await tokenOf('agent'),
    }),
  }
}

const withoutUndefined = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

async function createSecondTeam(ask: AskSandbox, apiKey: string): Promise<unknown> {
  return ask('GET', pathOf(await ask('POST', '/teams', { name: 'Second team of a run', apiKey })))
}

async function teamsOf(ask: AskSandbox): Promise<unknown[]> {
  const listed = [await ask('GET', '/teams')].flat().filter((team) => typeof fieldsOf(team).teamId === 'string')
  return Promise.all(listed.map(async (team) => ask('GET', pathOf(team))))
}

const pathOf = (team: unknown) => `/teams/${encodeURIComponent(String(fieldsOf(team).teamId))}`

const keysOf = (team: unknown) => [fieldsOf(team).apiKeys].flat().filter((key) => typeof key === 'string')

/** The id and the address of a provider. */
function providerOf(team: unknown, channel: string): string | undefined {
  const providers = [fieldsOf(team).providers].flat().map(fieldsOf)
  const { id, address } = providers.find((provider) => provider.channel === channel) ?? {}
  return typeof id === 'string' && typeof address === 'string' ? `${id},${address}` : undefined
}

import { fieldsOf } from '../answer.ts'
import type { Credentials } from './credentials.ts'
import type { Settings } from './target-file.ts'
import { isOnLoopback } from './target.ts'
import { undiciTransport } from '../undici-transport.ts'

type Ask = (method: string, path: string, body?: object) => Promise<unknown>

/**
 * Adds what the control plane of a sandbox on this machine tells, where the operator gave nothing. Without `wantsTokens`
 * nothing changes there: to sign a token adds a user.
 */
export async function withSandboxSettings(
  { wanted, credentials }: Settings,
  wantsTokens = credentials.team === undefined,
): Promise<Settings> {
  const { baseUrl = '' } = wanted
  if (!URL.canParse(baseUrl) || !isOnLoopback(new URL(baseUrl))) return { wanted, credentials }
  const transport = undiciTransport(new URL(baseUrl).origin)
  const ask: Ask = async (method, path, body) => {
    const { status, text } = await transport.send(
      {
        method,
        url: new URL(`/_sandbox${path}`, baseUrl).href,
        headers: { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}),
      },
      1000,
    )
    return status < 300 ? fieldsOf(JSON.parse(text)).data : undefined
  }
  try {
    const told = await tellFrom(ask, credentials, wantsTokens)
    return { wanted: { ...told.wanted, ...wanted }, credentials: { ...told.credentials, ...credentials } }
  } catch {
    // It is no sandbox, or its control plane is closed.
    return { wanted, credentials }
  } finally {
    await transport.close()
  }
}

async function tellFrom(ask: Ask, given: Credentials<string>, wantsTokens: boolean): Promise<Settings> {
  const listed = [await ask('GET', '/teams')].flat().filter((team) => typeof fieldsOf(team).teamId === 'string')
  const teams = await Promise.all(listed.map(async (team) => ask('GET', `/teams/${idOf(team)}`)))
  const keysOf = (team: unknown) => [fieldsOf(team).apiKeys].flat().filter((key) => typeof key === 'string')
  const withKeys = teams.filter((team) => keysOf(team).length > 0)
  const own = given.team === undefined ? withKeys[0] : withKeys.find((team) => keysOf(team).includes(given.team ?? ''))
  if (own === undefined) return { wanted: {}, credentials: {} }
  const [key = ''] = keysOf(own)
  const second = withKeys.find((team) => team !== own)
  const [other] = keysOf(second)
  const otherTeam = other === undefined ? {} : { otherTeam: other }
  // To sign a token adds a user, which who names a team of their own may not expect.
  const tokens = wantsTokens ? { ...(await tokenOf('admin')), ...(await tokenOf('agent')) } : {}
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

const idOf = (team: unknown) => encodeURIComponent(String(fieldsOf(team).teamId))

function providersOf(team: unknown): Settings['wanted'] {
  const providers = [fieldsOf(team).providers].flat().map(fieldsOf)
  const find = (wanted: string) => {
    const { id, address } = providers.find(({ channel }) => channel === wanted) ?? {}
    return typeof id === 'string' && typeof address === 'string' ? `${id},${address}` : undefined
  }
  const all = { emailProvider: find('email'), smsProvider: find('sms'), whatsappProvider: find('whatsapp') }
  return Object.fromEntries(Object.entries(all).filter(([, provider]) => provider !== undefined))
}

import type { Sandbox } from './create-sandbox.ts'
import { version } from './version.ts'

/** What `serve` prints when it has started: a command to try, an API key, and the URLs. */
export async function bannerOf(sandbox: Sandbox, showToken: boolean): Promise<string> {
  const { url, listening, controlToken } = sandbox
  const [team] = await sandbox.teams()
  const key = team?.apiKeys[0]
  const lines = [
    ['try', key === undefined ? makeTeam(url) : tryOut(url, key)],
    ['key', key === undefined ? 'none yet: the world has no team with a key' : `${key} (team ${team?.name ?? ''})`],
    ['docs', `${url}/docs`],
    ['control', `${url}/_sandbox/health`],
    ['token', controlToken !== undefined && showToken ? `${controlToken} (opens /_sandbox)` : undefined],
  ]
  const shown = lines.flatMap(([name = '', words]) => (words === undefined ? [] : [`  ${name.padEnd(8)} ${words}`]))
  const where = listening?.reach === 'everyNetwork' ? `on all interfaces (${listening.address})` : 'on'
  return [`crm-sandbox ${version} listens ${where} ${url}`, '', ...shown, '', ''].join('\n')
}

const tryOut = (url: string, key: string) =>
  `curl ${url}/api/contacts -H ${quoted(`x-api-key: ${key}`)} ${json} -d '{"firstName":"Ada","lastName":"Lovelace"}'`

const makeTeam = (url: string) => `curl ${url}/_sandbox/teams ${json} -d '{}'`

const json = "-H 'content-type: application/json'"

/** Quotes a text for a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

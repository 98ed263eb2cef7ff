import type { TeamOnFile } from '../fixtures/world.ts'
import { quote, quoteForShell } from '../lib/text.ts'
import type { Listening } from '../mock/http/listening.ts'
import type { CountOfChoices } from '../mock/core/choices-in-force.ts'
import { version } from '../lib/version.ts'

type NamedChoice = readonly [name: string, choice: string]

/** The facts about a started sandbox that `serve` prints. */
export interface Started {
  readonly url: string
  readonly listening: Listening | undefined
  /** The file of the certificate that clients must trust, if the sandbox made one. */
  readonly ca: string | undefined
  /** The generated token of the control plane; a token from the operator is never printed. */
  readonly controlToken: string | undefined
  /** The name or file of the initial data. */
  readonly world: string
  readonly store: string
  /** Whether the records were in the store already. */
  readonly isStored: boolean
  /** How many choices come from where. */
  readonly choices: CountOfChoices
  /** The choices of the profile that differ from the assumed ones. */
  readonly learned: readonly NamedChoice[]
  /** The choices that were made by hand. */
  readonly chosen: readonly NamedChoice[]
  readonly teams: readonly TeamOnFile[]
}

/** For people: a command to try, what this sandbox is, the keys, and the URLs. */
export function bannerOf(started: Started): string {
  const { url, listening, ca, controlToken, teams } = started
  const curl = ca === undefined ? 'curl' : `curl --cacert ${/^[\w./-]+$/.test(ca) ? ca : quoteForShell(ca)}`
  const [key] = teams.flatMap(({ apiKeys }) => apiKeys)
  const lines = [
    ['try', `${curl} ${key === undefined ? makeTeam(url) : tryOut(url, key)}`],
    ...keyLines(teams),
    ['world', started.isStored ? `as the store has it; a reset loads ${started.world}` : started.world],
    ['store', started.store],
    ['choices', countInWords(started.choices)],
    ...choiceLines('learned', started.learned),
    ...choiceLines('assumed', started.chosen),
    ['console', `${url}/console`],
    ['docs', `${url}/docs`],
    ['control', `${url}/_sandbox/health`],
    ...(ca === undefined ? [] : [['ca', `${ca} (clients must trust it)`]]),
    ...(controlToken === undefined ? [] : [['token', `${controlToken} (opens /_sandbox)`]]),
  ]
  const where = listening?.reach === 'everyNetwork' ? `on all interfaces (${listening.address})` : 'on'
  const shown = lines.map(([name = '', words = '']) => `  ${name.padEnd(8)} ${words}`)
  return [`crm-sandbox ${version} listens ${where} ${url}`, '', ...shown, '', ''].join('\n')
}

export function bannerAsJson(started: Started): string {
  const { url, ca, controlToken, world, store, choices: origins, learned, chosen, teams } = started
  const withKeys = teams.map(({ _id, name, apiKeys }) => ({ teamId: _id, name, apiKeys }))
  const assumptions = Object.fromEntries([...learned, ...chosen])
  const known = { url, console: `${url}/console`, ca, version, pid: process.pid, controlToken, world, store }
  return `${JSON.stringify({ ...known, choices: origins, assumptions, teams: withKeys })}\n`
}

const countInWords = ({ learned, chosen, assumed }: CountOfChoices) =>
  `${learned} learned, ${chosen} chosen by hand, ${assumed} assumed`

const choiceLines = (title: string, choices: readonly NamedChoice[]) =>
  choices.map(([name, choice], at) => [at === 0 ? title : '', `${name}=${choice}`])

const mostKeys = 10

function keyLines(teams: readonly TeamOnFile[]): string[][] {
  const keys = teams.flatMap(({ name, apiKeys }) => apiKeys.map((key) => `${key} (team ${plainOrQuoted(name)})`))
  if (keys.length === 0) return [['key', 'none yet: the world has no team with a key']]
  const shown = keys.slice(0, mostKeys).map((key, at) => [at === 0 ? 'key' : '', key])
  const others = keys.length - shown.length
  return others === 0 ? shown : [...shown, ['', `and ${others} more: crm-sandbox ctl teams list shows the teams`]]
}

/** A world may call a team anything; what a terminal would act on is escaped. */
const plainOrQuoted = (name: string) => (/^[\p{L}\p{N}\p{P}\p{S} ]{1,60}$/u.test(name) ? name : quote(name))

const tryOut = (url: string, key: string) =>
  `${url}/api/contacts -H ${quoteForShell(`x-api-key: ${key}`)} ${json} -d '{"firstName":"Ada","lastName":"Lovelace"}'`

const makeTeam = (url: string) => `${url}/_sandbox/teams ${json} -d '{}'`

const json = "-H 'content-type: application/json'"

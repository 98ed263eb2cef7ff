import { type Effect, effects } from '../../spec/effects.ts'
import { CannotVerify } from '../../contracts/judge/outcome.ts'
import { Secret } from './secret.ts'

/** The server that is verified, and how far the run may go with it. */
export interface Target {
  readonly origin: string
  /** With its port, as `--confirm-host` must repeat it. */
  readonly host: string
  /** On this machine, where nobody else is disturbed. */
  readonly loopback: boolean
  readonly upTo: Effect
  readonly credentials: Credentials<Secret>
  readonly providers: Providers
  readonly recipients: Recipients
  readonly places: Places
  /** Requests a second. */
  readonly rate: number
  /** Milliseconds that an answer may take. */
  readonly timeout: number
}

/** Whose credential goes with a request: the team's key, the key of a second team, a token of an admin or an agent. */
export type Who = keyof typeof variables
export type Credentials<Value> = Readonly<Partial<Record<Who, Value>>>

/** Where each credential is found, and what the curl lines call it. */
export const variables = {
  team: 'CRM_API_KEY',
  otherTeam: 'CRM_OTHER_API_KEY',
  admin: 'CRM_ADMIN_TOKEN',
  agent: 'CRM_AGENT_TOKEN',
} as const

/** A sending provider, as far as it is known. */
export interface Provider {
  readonly id?: string
  readonly address?: string
}

export type Providers = Readonly<Partial<Record<'email' | 'sms' | 'whatsapp', Provider>>>

export interface Recipients {
  readonly email: readonly string[]
  readonly phone: readonly string[]
}

/** What no operation creates, and some fields name; a pipeline and a stage only where the operator has named them. */
export interface Places {
  readonly group: string
  readonly pipeline: string | undefined
  readonly stage: string | undefined
}

/** As it is written on the command line, in variables or in a target file; whoever comes first has said it. */
export interface Wanted {
  readonly baseUrl?: string | undefined
  readonly upTo?: string | undefined
  readonly confirmHost?: string | undefined
  readonly emailProvider?: string | undefined
  readonly smsProvider?: string | undefined
  readonly whatsappProvider?: string | undefined
  readonly emailTo?: readonly string[] | undefined
  readonly phoneTo?: readonly string[] | undefined
  readonly groupId?: string | undefined
  readonly pipelineId?: string | undefined
  readonly stageId?: string | undefined
  readonly rate?: string | number | undefined
  readonly timeout?: string | number | undefined
}

export function targetFrom(wanted: Wanted, credentials: Credentials<string>): Target {
  const { origin, host, hostname } = addressFrom(wanted.baseUrl ?? '')
  const loopback = isLoopback(hostname)
  return {
    origin,
    host,
    loopback,
    upTo: reachFrom(wanted, host, loopback),
    credentials: keptSecret(credentials),
    providers: providersFrom(wanted),
    recipients: { email: wanted.emailTo ?? [], phone: wanted.phoneTo ?? [] },
    places: {
      group: wanted.groupId ?? 'group-1',
      pipeline: wanted.pipelineId,
      stage: wanted.stageId,
    },
    rate: amountFrom('rate', wanted.rate, loopback ? Infinity : 2, 100),
    timeout: 1000 * amountFrom('timeout', wanted.timeout, 10, 600),
  }
}

/** What must not be read in any report: the credentials, and the people whom the operator named. */
export function secretsOf({ credentials, recipients }: Target): string[] {
  const revealed = Object.values(credentials).map((secret) => secret.reveal())
  return [...revealed, ...recipients.email, ...recipients.phone]
}

/** A target as plain data, for a worker; and back. */
export const plainTarget = (target: Target) => ({
  ...target,
  credentials: Object.fromEntries(Object.entries(target.credentials).map(([who, secret]) => [who, secret.reveal()])),
})
export type PlainTarget = ReturnType<typeof plainTarget>
export const targetOf = (plain: PlainTarget): Target => ({ ...plain, credentials: keptSecret(plain.credentials) })

function keptSecret(credentials: Credentials<string>): Credentials<Secret> {
  const given = Object.entries(credentials).filter(([, value]) => value !== '')
  for (const [who, value] of given) {
    if (!/^[!-~]+$/.test(value)) throw new CannotVerify(`${variables[who as Who]} holds what no header can carry.`)
  }
  return Object.fromEntries(given.map(([who, value]) => [who, new Secret(value)]))
}

function addressFrom(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new CannotVerify('The base URL must be an http or https address, such as https://crm.example.com.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new CannotVerify('The base URL must hold no user and no password; credentials come from the environment.')
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new CannotVerify('The base URL must end after the host: only the host name of the service ever changes.')
  }
  return url
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** Whether an operation of this effect is within a reach. */
export function isWithin(effect: Effect, reach: Effect): boolean {
  return effects.indexOf(effect) <= effects.indexOf(reach)
}

function reachFrom({ upTo, confirmHost }: Wanted, host: string, loopback: boolean): Effect {
  const reach = upTo === undefined ? (loopback ? 'send' : 'read') : effects.find((known) => known === upTo)
  if (!reach) throw new CannotVerify(`--up-to must be one of ${effects.join(', ')}.`)
  if (confirmHost !== undefined && confirmHost !== host) {
    throw new CannotVerify(`--confirm-host names another host than the base URL, which is ${host}.`)
  }
  if (!loopback && reach !== 'read' && confirmHost === undefined) {
    throw new CannotVerify(`To go further than reading on ${host}, confirm that it is meant: --confirm-host ${host}.`)
  }
  return reach
}

function providersFrom({ emailProvider, smsProvider, whatsappProvider }: Wanted): Providers {
  const written = { email: emailProvider, sms: smsProvider, whatsapp: whatsappProvider }
  const given = Object.entries(written).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(given.map(([channel, text]) => [channel, providerFrom(text)]))
}

/** `email-provider`, `hello@example.com`, or both with a comma between them. */
function providerFrom(text: string): Provider {
  const parts = text.split(',').map((part) => part.trim())
  const address = parts.find((part) => /@|^\+/.test(part))
  const id = parts.find((part) => part !== address && part !== '')
  return { ...(id === undefined ? {} : { id }), ...(address === undefined ? {} : { address }) }
}

function amountFrom(name: string, written: string | number | undefined, usual: number, most: number): number {
  const amount = written === undefined ? usual : Number(written)
  if (amount > 0 && (amount <= most || written === undefined)) return amount
  throw new CannotVerify(`--${name} must be a number above 0 and at most ${most}.`)
}

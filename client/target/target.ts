import { readText } from '../../shared/files.ts'
import { Redactor } from '../../shared/redactor.ts'
import { type Effect, effects } from '../../spec/types.ts'
import { CannotRun } from '../errors.ts'
import { domainOfExamples } from '../mint.ts'
import { type Credentials, keepSecret, revealAll, type Secret } from './credentials.ts'

/** The server that a run is about, and how far the run may go with it. */
export interface Target {
  /** Where the paths begin: the origin, with the prefix that a gateway may put before them. */
  readonly origin: string
  /** With its port, as `--confirm-host` must repeat it. */
  readonly host: string
  /** On this machine, where nobody else is disturbed. */
  readonly loopback: boolean
  readonly upTo: Effect
  readonly credentials: Credentials<Secret>
  readonly providers: Providers
  /** What the second team has, where it has others. */
  readonly ofOtherTeam: { readonly providers: Providers; readonly places: Partial<Places> }
  readonly recipients: Recipients
  readonly places: Places
  /** Where the e-mail addresses are that a run makes up. */
  readonly emailDomain: string
  /** A picture that the service can fetch, if the operator named one. */
  readonly mediaUrl?: string
  /** Requests a second. */
  readonly rate: number
  /** Milliseconds that an answer may take. */
  readonly timeout: number
  /** Added to every request, such as what a gateway in front of the service wants. */
  readonly headers: Readonly<Record<string, string>>
  readonly tls: Tls
}

/** How the certificate of the server is checked. */
export interface Tls {
  /** Certificates that are trusted besides those that the system trusts, in PEM. */
  readonly ca?: string
  readonly insecure: boolean
}

/** A sending provider, as far as it is known. */
interface Provider {
  readonly id?: string
  readonly address?: string
}

type Providers = Readonly<Partial<Record<'email' | 'sms' | 'whatsapp', Provider>>>

interface Recipients {
  readonly email: readonly string[]
  readonly phone: readonly string[]
}

/** Records that no operation creates, and some fields name; a pipeline and a stage only if the operator named them. */
interface Places {
  readonly group: string
  readonly pipeline: string | undefined
  readonly stage: string | undefined
}

/** A target as it is written on the command line, in variables or in a target file. */
export interface TargetOptions {
  readonly baseUrl?: string | undefined
  readonly upTo?: string | undefined
  readonly confirmHost?: string | undefined
  readonly emailProvider?: string | undefined
  readonly smsProvider?: string | undefined
  readonly whatsappProvider?: string | undefined
  readonly otherEmailProvider?: string | undefined
  readonly otherSmsProvider?: string | undefined
  readonly otherWhatsappProvider?: string | undefined
  readonly otherPipelineId?: string | undefined
  readonly otherStageId?: string | undefined
  readonly emailTo?: readonly string[] | undefined
  readonly phoneTo?: readonly string[] | undefined
  readonly emailDomain?: string | undefined
  readonly mediaUrl?: string | undefined
  readonly groupId?: string | undefined
  readonly pipelineId?: string | undefined
  readonly stageId?: string | undefined
  readonly rate?: string | number | undefined
  readonly timeout?: string | number | undefined
  readonly ca?: string | undefined
  readonly insecure?: boolean | undefined
  readonly header?: readonly string[] | undefined
}

export function createTarget(options: TargetOptions, credentials: Credentials<string>): Target {
  checkPlaces(options)
  const { origin, host, hostname, pathname } = readBaseUrl(options.baseUrl ?? '')
  const loopback = isLoopback(hostname)
  return {
    origin: `${origin}${pathname.replace(/\/+$/, '')}`,
    host,
    loopback,
    upTo: readReach(options, host, loopback),
    credentials: keepSecret(credentials),
    providers: readProviders(options),
    ofOtherTeam: {
      providers: readProviders({
        emailProvider: options.otherEmailProvider,
        smsProvider: options.otherSmsProvider,
        whatsappProvider: options.otherWhatsappProvider,
      }),
      places: {
        ...(options.otherPipelineId === undefined ? {} : { pipeline: options.otherPipelineId }),
        ...(options.otherStageId === undefined ? {} : { stage: options.otherStageId }),
      },
    },
    recipients: { email: (options.emailTo ?? []).map(readEmail), phone: (options.phoneTo ?? []).map(readPhone) },
    places: {
      group: options.groupId ?? 'group-1',
      pipeline: options.pipelineId,
      stage: options.stageId,
    },
    emailDomain: readDomain(options.emailDomain ?? domainOfExamples),
    ...(options.mediaUrl === undefined ? {} : { mediaUrl: readMediaUrl(options.mediaUrl) }),
    rate: readNumber('rate', options.rate, loopback ? Infinity : 2, 0.01, 100),
    timeout: 1000 * readNumber('timeout', options.timeout, 10, 0.001, 600),
    headers: Object.fromEntries((options.header ?? []).map(readHeader)),
    tls: readTls(options),
  }
}

/** A target as plain data, for a worker. */
export type PlainTarget = Omit<Target, 'credentials'> & { readonly credentials: Credentials<string> }

export const toPlain = (target: Target): PlainTarget => ({ ...target, credentials: revealAll(target.credentials) })
export const fromPlain = (plain: PlainTarget): Target => ({ ...plain, credentials: keepSecret(plain.credentials) })

function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new CannotRun('The base URL must be an http or https address, such as https://crm.example.com.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new CannotRun('The base URL must hold no user and no password; credentials come from the environment.')
  }
  if (/\/api\/*$/.test(url.pathname) || url.search !== '' || url.hash !== '') {
    throw new CannotRun('The base URL must end where the paths of the service begin, before /api.')
  }
  return url
}

/** Whether only this machine can be meant. */
export const isOnLoopback = ({ hostname }: URL) => isLoopback(hostname)

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** Whether an operation of this effect is within a reach. */
export function isWithin(effect: Effect, reach: Effect): boolean {
  return effects.indexOf(effect) <= effects.indexOf(reach)
}

function readReach({ upTo, confirmHost }: TargetOptions, host: string, loopback: boolean): Effect {
  const reach = upTo === undefined ? (loopback ? 'send' : 'read') : effects.find((known) => known === upTo)
  if (!reach) throw new CannotRun(`--up-to must be one of ${effects.join(', ')}.`)
  if (confirmHost !== undefined && confirmHost !== host) {
    throw new CannotRun(`--confirm-host names another host than the base URL, which is ${host}.`)
  }
  if (!loopback && reach !== 'read' && confirmHost === undefined) {
    throw new CannotRun(`To go further than reading on ${host}, confirm that it is meant: --confirm-host ${host}.`)
  }
  return reach
}

/** Our own headers say who asks and what is sent, so that none of them may be replaced. */
const ourHeaders = ['x-api-key', 'authorization', 'idempotency-key', 'content-type', 'content-length', 'accept', 'host']

function readHeader(text: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([\w-]+):\s*([\t -~]*)$/.exec(text) ?? []
  if (name === '') throw new CannotRun('--header must be a name and a value, such as: --header "x-tenant: staging".')
  if (ourHeaders.includes(name.toLowerCase()))
    throw new CannotRun(`--header must not set ${name}: a run sets it itself.`)
  return [name.toLowerCase(), value.trim()]
}

function readTls({ ca, insecure = false }: TargetOptions): Tls {
  const text =
    ca === undefined ? undefined : readText(ca, `The certificates ${ca}`, (sentence) => new CannotRun(sentence))
  if (text !== undefined && !text.includes('-----BEGIN CERTIFICATE-----'))
    throw new CannotRun(`The certificates ${ca} must be in PEM, as BEGIN CERTIFICATE begins it.`)
  return { insecure, ...(text === undefined ? {} : { ca: text }) }
}

type ProviderOptions = Pick<TargetOptions, 'emailProvider' | 'smsProvider' | 'whatsappProvider'>

function readProviders({ emailProvider, smsProvider, whatsappProvider }: ProviderOptions): Providers {
  const written = { email: emailProvider, sms: smsProvider, whatsapp: whatsappProvider }
  const given = Object.entries(written).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(given.map(([channel, text]) => [channel, readProvider(text)]))
}

/** `email-provider`, `hello@example.com`, or both with a comma between them. */
function readProvider(text: string): Provider {
  const parts = text.split(',').map((part) => part.trim())
  const isAddress = (part: string) => /@|^\+/.test(part)
  const address = parts.find(isAddress)
  const id = parts.find((part) => !isAddress(part))
  if (parts.includes('') || parts.length > (id === undefined || address === undefined ? 1 : 2)) {
    throw new CannotRun(
      `"${text}" is no provider: give its id, its address, or both, such as prov-1,hello@example.com.`,
    )
  }
  return { ...(id === undefined ? {} : { id }), ...(address === undefined ? {} : { address }) }
}

function readEmail(text: string): string {
  if (/^[^\s@,]+@[^\s@,]+$/.test(text)) return text
  throw new CannotRun('--email-to must be an e-mail address, such as ada@example.com.')
}

function readPhone(text: string): string {
  if (/^\+[1-9]\d{4,14}$/.test(text)) return text
  throw new CannotRun('--phone-to must be a number in E.164, such as +12025550123.')
}

function readMediaUrl(text: string): string {
  if (URL.canParse(text) && new URL(text).protocol === 'https:') return text
  throw new CannotRun('--media-url must be the https address of a picture, such as https://cdn.example.com/logo.png.')
}

function readDomain(text: string): string {
  if (/^[a-z0-9][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/i.test(text)) return text.toLowerCase()
  throw new CannotRun('--email-domain must be a domain, such as test.example.com.')
}

/** An empty name would be sent as one that the server does not have. */
function checkPlaces({ groupId, pipelineId, stageId, otherPipelineId, otherStageId }: TargetOptions): void {
  const places = { groupId, pipelineId, stageId, otherPipelineId, otherStageId }
  const [empty] = Object.entries(places).find(([, id]) => id?.trim() === '') ?? []
  if (empty === undefined) return
  const flag = empty.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw new CannotRun(`--${flag} must not be empty.`)
}

function readNumber(
  name: string,
  written: string | number | undefined,
  fallback: number,
  lowest: number,
  highest: number,
): number {
  if (written === undefined) return fallback
  const number = String(written).trim() === '' ? NaN : Number(written)
  if (number >= lowest && number <= highest) return number
  throw new CannotRun(`--${name} must be a number from ${lowest} to ${highest}.`)
}

/** Hides the credentials of a target, of its gateway and of a proxy, and the people whom the operator named. */
export function redactorFor({ credentials, headers, recipients }: Target): (text: string) => string {
  const gateway = Object.values(headers).flatMap(secretsIn)
  const people = [...recipients.email, ...recipients.phone]
  return new Redactor([...Object.values(revealAll(credentials)), ...gateway, ...proxyPasswords(), ...people]).redact
}

/** The value of a header, the parts that a server may repeat alone, and the password of basic authentication. */
function secretsIn(value: string): string[] {
  const encoded = /^Basic +([\w+/=-]+)$/i.exec(value)?.[1] ?? ''
  const decoded = Buffer.from(encoded, 'base64').toString()
  return [value, ...value.split(/[\s,;=]+/), decoded, decoded.slice(decoded.indexOf(':') + 1)]
}

/** Alone, and with the user as basic authentication encodes them. */
function proxyPasswords(): string[] {
  const proxies = ['http_proxy', 'https_proxy'].flatMap((name) => [process.env[name], process.env[name.toUpperCase()]])
  return proxies.flatMap((proxy = '') => {
    if (!URL.canParse(proxy)) return []
    const { username, password } = new URL(proxy)
    const decoded = decodeURIComponent(password)
    return password === '' ? [] : [decoded, `${decodeURIComponent(username)}:${decoded}`]
  })
}

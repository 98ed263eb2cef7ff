import { readText } from '../../../lib/files.ts'
import { file, listOf, number, onOff, oneOf, text, type ValueOf } from '../../../lib/option-schemas.ts'
import { Redactor } from '../../../lib/redactor.ts'
import { type Effect, effects } from '../../../spec/types.ts'
import { CannotRun } from '../errors.ts'
import { domainOfExamples } from '../mint.ts'
import { type Credentials, readCredentials } from './credentials.ts'

/** The server of a run, and the limits that the operator set. */
export interface Target {
  /** The origin, with the prefix of a gateway. */
  readonly origin: string
  /** With its port, as `--confirm-host` must repeat it. */
  readonly host: string
  /** The server is on this machine, so no other person uses it. */
  readonly loopback: boolean
  readonly upTo: Effect
  readonly credentials: Credentials
  readonly providers: Providers
  /** The providers and places of the second team, where they differ. */
  readonly ofOtherTeam: { readonly providers: Providers; readonly places: Partial<Places> }
  readonly recipients: Readonly<Record<'email' | 'phone', readonly string[]>>
  readonly places: Places
  /** The domain of the e-mail addresses that a run generates. */
  readonly emailDomain: string
  /** A picture that the service can fetch. */
  readonly mediaUrl?: string
  /** Requests a second. */
  readonly rate: number
  /** Checks, stories and probes that run beside each other. */
  readonly concurrency: number
  /** In milliseconds. */
  readonly timeout: number
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
  readonly tls: Tls
}

export interface Tls {
  /** Additional trusted certificates in PEM. */
  readonly ca?: string
  readonly insecure: boolean
}

interface Provider {
  readonly id?: string
  readonly address?: string
}

type Providers = Readonly<Partial<Record<'email' | 'sms' | 'whatsapp', Provider>>>

/** Records that no operation creates; a pipeline, a stage and an approved WhatsApp template only if the operator named them. */
interface Places {
  readonly group: string
  readonly pipeline: string | undefined
  readonly stage: string | undefined
  readonly template: string | undefined
}

/** The options of a target, as they are written on the command line, in variables or in a target file. */
export const targetOptions = {
  baseUrl: text('url', 'the server', { variable: 'CRM_BASE_URL' }),
  upTo: oneOf<string>(effects, 'reach', 'the most that the run may do (default send on this machine, read elsewhere)'),
  confirmHost: text('host', 'the host of the server again, to allow more than read beyond this machine'),
  emailProvider: text('id,address', 'the e-mail provider: its id, its address, or both'),
  smsProvider: text('id,number', 'the SMS provider'),
  whatsappProvider: text('id,number', 'the WhatsApp provider'),
  otherEmailProvider: text('id,address', 'the e-mail provider of the second team, if it differs'),
  otherSmsProvider: text('id,number', 'the SMS provider of the second team, if it differs'),
  otherWhatsappProvider: text('id,number', 'the WhatsApp provider of the second team, if it differs'),
  otherPipelineId: text('id', 'a pipeline of the second team, if its pipelines differ'),
  otherStageId: text('id', 'a stage of that pipeline'),
  emailTo: listOf(text('address', 'a recipient of e-mail from a server beyond this machine; repeatable')),
  phoneTo: listOf(text('number', 'a recipient of SMS and WhatsApp messages from such a server; repeatable')),
  emailDomain: text('domain', 'the domain of the addresses that the run makes up (default example.com)'),
  mediaUrl: text('url', 'the URL of a picture that the server can fetch (default a URL without a picture)'),
  groupId: text('id', 'a contact group that the team has'),
  pipelineId: text('id', 'a pipeline that the team has'),
  stageId: text('id', 'a stage of that pipeline'),
  whatsappTemplate: text('id', 'an approved WhatsApp template that the team has (default one that it lists)'),
  header: listOf(text('text', 'a header for every request, such as "x-tenant: staging"; repeatable')),
  ca: file('also trust the certificates in this file (PEM)'),
  insecure: onOff('do not check the certificate of the server'),
  rate: number<string | number>('requests a second (default 2 beyond this machine)'),
  concurrency: number<string | number>(
    'how many checks, stories, or questions of learn, run beside each other (default 8 on this machine, else 1)',
  ),
  timeout: text<string | number>('seconds', 'the longest wait for a response (default 10)'),
}

type AllTargetOptions = typeof targetOptions

export type TargetOptions = { readonly [Name in keyof AllTargetOptions]?: ValueOf<AllTargetOptions[Name]> | undefined }

export const optionNames = Object.keys(targetOptions) as (keyof AllTargetOptions)[]

/** The options that a target file may contain. The host is confirmed on the command line only. */
export const optionsOnFile = optionNames.filter((name) => name !== 'confirmHost')

export const isList = (option: string) => 'items' in targetOptions[option as keyof AllTargetOptions]

export function createTarget(options: TargetOptions, credentials: Credentials): Target {
  checkForms(options)
  const {
    baseUrl = '',
    emailTo = [],
    phoneTo = [],
    emailDomain = domainOfExamples,
    mediaUrl,
    rate,
    concurrency,
    timeout,
  } = options
  const { origin, host, hostname, pathname } = readBaseUrl(baseUrl)
  const loopback = isLoopback(hostname)
  const { otherPipelineId: pipeline, otherStageId: stage } = options
  return {
    origin: `${origin}${pathname.replace(/\/+$/, '')}`,
    host,
    loopback,
    upTo: readReach(options, host, loopback),
    credentials: readCredentials(credentials),
    providers: readProviders(options.emailProvider, options.smsProvider, options.whatsappProvider),
    ofOtherTeam: {
      providers: readProviders(options.otherEmailProvider, options.otherSmsProvider, options.otherWhatsappProvider),
      places: {
        ...(pipeline === undefined ? {} : { pipeline }),
        ...(stage === undefined ? {} : { stage }),
        template: undefined,
      },
    },
    recipients: { email: emailTo, phone: phoneTo },
    places: {
      group: options.groupId ?? 'group-1',
      pipeline: options.pipelineId,
      stage: options.stageId,
      template: options.whatsappTemplate,
    },
    emailDomain: emailDomain.toLowerCase(),
    ...(mediaUrl === undefined ? {} : { mediaUrl }),
    rate: readNumber('rate', rate, loopback ? Infinity : 2, 0.01, 100),
    concurrency: Math.floor(readNumber('concurrency', concurrency, loopback ? 8 : 1, 1, 64)),
    timeout: 1000 * readNumber('timeout', timeout, 10, 0.001, 600),
    headers: Object.fromEntries((options.header ?? []).map(readHeader)),
    tls: readTls(options),
  }
}

/** The forms of options, and the rule that a message names. */
const forms: Partial<Record<keyof TargetOptions, readonly [form: RegExp, rule: string]>> = {
  emailTo: [/^[^\s@,]+@[^\s@,]+$/, 'be an e-mail address, such as ada@example.com'],
  phoneTo: [/^\+[1-9]\d{4,14}$/, 'be a number in E.164, such as +12025550123'],
  emailDomain: [/^[a-z0-9][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/i, 'be a domain, such as test.example.com'],
  mediaUrl: [/^https:\/\/[^\s/]/i, 'be the https address of a picture, such as https://cdn.example.com/logo.png'],
}

function checkForms(options: TargetOptions): void {
  for (const [name, [form, rule]] of Object.entries(forms)) {
    const values = [options[name as keyof TargetOptions]].flat().filter((value) => value !== undefined)
    if (!values.every((value) => form.test(String(value))))
      throw new CannotRun((nameOf) => `${nameOf(name)} must ${rule}.`)
  }
}

function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isOrigin || /\/api\/*$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    throw new CannotRun(
      'The base URL must be an http or https address without credentials, query or /api, such as https://crm.example.com.',
      { option: 'baseUrl' },
    )
  return url
}

export const isOnLoopback = ({ hostname }: URL) => isLoopback(hostname)

const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** Whether `--up-to` allows an operation with this effect. */
export const isWithin = (effect: Effect, reach: Effect) => effects.indexOf(effect) <= effects.indexOf(reach)

function readReach({ upTo, confirmHost }: TargetOptions, host: string, loopback: boolean): Effect {
  const reach = upTo === undefined ? (loopback ? 'send' : 'read') : effects.find((known) => known === upTo)
  if (!reach) throw new CannotRun((nameOf) => `${nameOf('upTo')} must be one of ${effects.join(', ')}.`)
  if (confirmHost !== undefined && confirmHost !== host)
    throw new CannotRun((nameOf) => `${nameOf('confirmHost')} names another host than the base URL, which is ${host}.`)
  if (!loopback && reach !== 'read' && confirmHost === undefined)
    throw new CannotRun(`To do more than read on ${host}, confirm the host: --confirm-host ${host}.`)
  return reach
}

/** The headers that the client sets itself. */
const ownHeaders = ['x-api-key', 'authorization', 'idempotency-key', 'content-type', 'content-length', 'accept', 'host']

function readHeader(text: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([\w-]+):\s*([\t -~]*)$/.exec(text) ?? []
  if (name === '')
    throw new CannotRun(
      (nameOf) => `${nameOf('header')} must be a name and a value, such as: --header "x-tenant: staging".`,
    )
  if (ownHeaders.includes(name.toLowerCase()))
    throw new CannotRun((nameOf) => `${nameOf('header')} must not set ${name}: a run sets it itself.`)
  return [name.toLowerCase(), value.trim()]
}

export function readTls({ ca: path, insecure = false }: TargetOptions): Tls {
  if (path === undefined) return { insecure }
  const ca = readText(path, `The certificates ${path}`, (sentence) => new CannotRun(sentence, { option: 'ca' }))
  if (!ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new CannotRun(`The certificates ${path} must be in PEM, as BEGIN CERTIFICATE begins it.`, { option: 'ca' })
  return { insecure, ca }
}

function readProviders(...[email, sms, whatsapp]: readonly (string | undefined)[]): Providers {
  const options = Object.entries({ email, sms, whatsapp })
  return Object.fromEntries(
    options.flatMap(([channel, text]) => (text === undefined ? [] : [[channel, readProvider(text)]])),
  )
}

/** `email-provider`, `hello@example.com`, or both with a comma between them. */
function readProvider(text: string): Provider {
  const parts = text.split(',').map((part) => part.trim())
  const address = parts.find((part) => /@|^\+/.test(part))
  const id = parts.find((part) => part !== address && part !== '' && !/@|^\+/.test(part))
  const provider = { ...(id === undefined ? {} : { id }), ...(address === undefined ? {} : { address }) }
  if (parts.includes('') || parts.length !== Object.keys(provider).length)
    throw new CannotRun(
      `"${text}" is no provider: give its id, its address, or both, such as prov-1,hello@example.com.`,
    )
  return provider
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
  throw new CannotRun((nameOf) => `${nameOf(name)} must be a number from ${lowest} to ${highest}.`)
}

/** Hides the credentials of the target and of its gateway, and the recipients that the operator named. */
export function redactorFor({ credentials, headers, recipients }: Target): (text: string) => string {
  const gateway = Object.values(headers).flatMap((value) => [value, ...value.split(/[\s,;=]+/)])
  return new Redactor([...Object.values(credentials), ...gateway, ...recipients.email, ...recipients.phone]).redact
}

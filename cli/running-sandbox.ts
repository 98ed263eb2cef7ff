import { rootCertificates } from 'node:tls'
import type { Command } from 'commander'
import { readText } from '../lib/files.ts'
import { once } from '../lib/async.ts'
import { withPeriod } from '../lib/text.ts'
import { UserError } from '../lib/user-error.ts'
import { type ControlServer, NothingAnswers, Refused } from '../mock/testing/control-requests.ts'
import { isServerUrl } from '../mock/testing/team.ts'
import { addOptions, SchemaOption } from './command-options.ts'
import { file, text } from '../lib/option-schemas.ts'

export const tokenHelp = 'The control token, if the sandbox requires one, is read from CRM_SANDBOX_CONTROL_TOKEN.'

/** Adds `--url` and `--ca`, for a command that asks a running sandbox. */
export function addUrlOption(command: Command): void {
  command.addOption(
    new SchemaOption('url', text('url', 'the URL of the sandbox', { variable: 'CRM_SANDBOX_URL' })).default(
      process.env.CRM_SANDBOX_URL ?? 'http://127.0.0.1:4010',
    ),
  )
  addOptions(command, { ca: file('also trust the certificates in this file (PEM)') })
}

/** The sandbox at the URL of the option, with the control token of the environment. */
export function addressOf(url: string, ca?: string): ControlServer {
  if (!isServerUrl(url))
    throw new UserError((nameOf) => `${nameOf('url')} must be a URL without a path, such as http://127.0.0.1:4010.`)
  const token = process.env.CRM_SANDBOX_CONTROL_TOKEN
  const trusted = ca === undefined ? {} : { fetch: fetchTrusting(readText(ca, `The certificates ${ca}`, userError)) }
  return { url, ...(token === undefined ? {} : { token }), ...trusted }
}

const userError = (sentence: string) => new UserError(sentence)

function fetchTrusting(ca: string): NonNullable<ControlServer['fetch']> {
  const agent = once(async () => {
    const { Agent } = await import('undici')
    return new Agent({ connect: { ca: [...rootCertificates, ca] } })
  })
  return async (url, init) => {
    // The types of Node describe the undici that Node contains.
    const { fetch } = (await import('undici')) as unknown as { fetch: (url: URL, init: object) => Promise<Response> }
    return fetch(url, { ...init, redirect: 'manual', dispatcher: await agent() })
  }
}

/** Turns a refusal of the sandbox, or a missing response, into an error of the user. Returns any other error unchanged. */
export function sentenceFor(error: unknown, url: string): unknown {
  if (error instanceof Refused && error.status === 401)
    return new UserError(`The sandbox at ${url} requires its control token, in CRM_SANDBOX_CONTROL_TOKEN.`)
  if (error instanceof Refused) return new UserError(withPeriod(error.message))
  if (error instanceof NothingAnswers) return new UserError(`${error.message}.`)
  // As fetch fails while it reads; a TypeError without a cause is a bug.
  return error instanceof TypeError && error.cause !== undefined
    ? new UserError(`The sandbox at ${url} has ended.`)
    : error
}

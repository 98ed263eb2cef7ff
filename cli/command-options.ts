import { type Command, InvalidArgumentError, Option } from 'commander'
import { onEndOfNpm } from './npm.ts'
import { effects } from '../spec/types.ts'

/** Adds the value of an option that is repeated. */
export const collect = (text: string, before: readonly string[] = []) => [...before, text]

/** An option whose environment variable its help names, and perhaps its default before. */
export class OptionWithVariable extends Option {
  readonly variable: string

  constructor(flags: string, words: string, variable: string, usual?: string) {
    super(flags, `${words} (${usual === undefined ? '' : `default ${usual}; `}${variable})`)
    this.variable = variable
  }
}

/** The options of a command that sends requests to a server: the server, the allowed effects, and the connection. */
export function addTargetOptions(command: Command, purpose: string): Command {
  return command
    .addOption(new OptionWithVariable('--base-url <url>', `the server to ${purpose}`, 'CRM_BASE_URL'))
    .option('--target <file>', 'a YAML file, readable by its owner alone, with these options and the credentials')
    .addOption(
      new Option(
        '--up-to <reach>',
        'the most that the run may do (default send on this machine, read elsewhere)',
      ).choices(effects),
    )
    .option('--confirm-host <host>', 'the host of the server again, to allow more than read beyond this machine')
    .option('--email-provider <id,address>', 'the e-mail provider: its id, its address, or both')
    .option('--sms-provider <id,number>', 'the SMS provider')
    .option('--whatsapp-provider <id,number>', 'the WhatsApp provider')
    .option('--other-email-provider <id,address>', 'the e-mail provider of the second team, if it differs')
    .option('--other-sms-provider <id,number>', 'the SMS provider of the second team, if it differs')
    .option('--other-whatsapp-provider <id,number>', 'the WhatsApp provider of the second team, if it differs')
    .option('--other-pipeline-id <id>', 'a pipeline of the second team, if its pipelines differ')
    .option('--other-stage-id <id>', 'a stage of that pipeline')
    .option('--email-to <address>', 'a recipient of e-mail from a server beyond this machine; repeatable', collect)
    .option('--phone-to <number>', 'a recipient of SMS and WhatsApp messages from such a server; repeatable', collect)
    .option('--email-domain <domain>', 'the domain of the addresses that the run makes up (default example.com)')
    .option('--media-url <url>', 'the URL of a picture that the server can fetch (default a URL without a picture)')
    .option('--group-id <id>', 'a contact group that the team has')
    .option('--pipeline-id <id>', 'a pipeline that the team has')
    .option('--stage-id <id>', 'a stage of that pipeline')
    .option('--header <text>', 'a header for every request, such as "x-tenant: staging"; repeatable', collect)
    .option('--ca <file>', 'also trust the certificates in this file (PEM)')
    .option('--insecure', 'do not check the certificate of the server')
    .option('--rate <number>', 'requests a second (default 2 beyond this machine)')
    .option('--timeout <seconds>', 'the longest wait for a response (default 10)')
    .option('--ledgers <folder>', 'the folder for the ledgers, which record what runs create (default .crm-sandbox)')
}

/** The help of such a command about credentials. */
export const credentialsHelp = `
Credentials are read from the environment or from the file of --target, never from arguments:
  CRM_API_KEY        the key of a team
  CRM_OTHER_API_KEY  the key of a second team, to check that teams are separated
  CRM_ADMIN_TOKEN    a bearer token of an admin
  CRM_AGENT_TOKEN    a bearer token of an agent

Where they are missing, a sandbox on this machine is asked for its keys, tokens and providers, with CRM_SANDBOX_CONTROL_TOKEN if it
requires a token. HTTPS_PROXY, HTTP_PROXY and NO_PROXY set a proxy.`

export function readWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, such as 7.')
  return Number(text)
}

const cleaningUp = 'the run ends and cleans up. To stop at once, interrupt again; verify --clean then cleans up.'

/** The first signal, or the end of the npm that started it, ends the run as `what` says; the second signal exits at once. */
export function abortOnSignals(write: (text: string) => void, what = cleaningUp): AbortSignal {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(2)
    write(`\nInterrupted: ${what}\n`)
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  onEndOfNpm(() => {
    if (!controller.signal.aborted) stop()
  })
  return controller.signal
}

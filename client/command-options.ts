import { type Command, InvalidArgumentError, Option } from 'commander'
import { collect } from '../shared/command.ts'
import { effects } from '../spec/types.ts'

/** The options of a command that asks a server: which one, how far to go, and how. */
export function addTargetOptions(command: Command, purpose: string): Command {
  return command
    .option('--base-url <url>', `the server to ${purpose} (CRM_BASE_URL)`)
    .option('--target <file>', 'a YAML file, readable by its owner alone, with these options and the credentials')
    .addOption(
      new Option('--up-to <reach>', 'how far to go (default send on this machine, read elsewhere)').choices(effects),
    )
    .option('--confirm-host <host>', 'repeat the host, to go further than read beyond this machine')
    .option('--email-provider <id,address>', 'the e-mail provider: its id, its address, or both')
    .option('--sms-provider <id,number>', 'the SMS provider')
    .option('--whatsapp-provider <id,number>', 'the WhatsApp provider')
    .option('--other-email-provider <id,address>', 'that of the second team, where it has another')
    .option('--other-sms-provider <id,number>', 'the same for SMS')
    .option('--other-whatsapp-provider <id,number>', 'the same for WhatsApp')
    .option('--other-pipeline-id <id>', 'a pipeline of the second team, where it has others')
    .option('--other-stage-id <id>', 'a stage of that pipeline')
    .option('--email-to <address>', 'a person who may get e-mail beyond this machine; repeatable', collect)
    .option('--phone-to <number>', 'a person who may get SMS and WhatsApp messages there; repeatable', collect)
    .option('--email-domain <domain>', 'where the addresses are that the run makes up (default example.com)')
    .option('--media-url <url>', 'a picture that the service can fetch (default an address without one)')
    .option('--group-id <id>', 'a contact group that the team has')
    .option('--pipeline-id <id>', 'a pipeline that the team has')
    .option('--stage-id <id>', 'a stage of that pipeline')
    .option('--header <text>', 'a header for every request, such as "x-tenant: staging"; repeatable', collect)
    .option('--ca <file>', 'trust the certificates in this file (PEM) too')
    .option('--insecure', 'do not check the certificate of the server')
    .option('--rate <number>', 'requests a second (default 2 beyond this machine)')
    .option('--timeout <seconds>', 'how long an answer may take (default 10)')
    .option('--ledgers <folder>', 'where runs record what they make (default .crm-sandbox)')
}

/** Where the credentials come from, for the help of such a command. */
export const credentialsHelp = `
Credentials are read from the environment or from the file of --target, never from arguments:
  CRM_API_KEY        the key of a team
  CRM_OTHER_API_KEY  the key of a second team, to see that teams are kept apart
  CRM_ADMIN_TOKEN    a bearer token of an admin
  CRM_AGENT_TOKEN    a bearer token of an agent

A sandbox on this machine tells its keys, tokens and providers itself, where none are given. A proxy is taken from
HTTPS_PROXY, HTTP_PROXY and NO_PROXY.`

export function readWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, such as 7.')
  return Number(text)
}

const cleaningUp = 'the run ends and cleans up. To stop at once, interrupt again; verify --clean then cleans up.'

/** The first signal ends the run as `what` says; the second exits at once. */
export function abortOnSignals(write: (text: string) => void, what = cleaningUp): AbortSignal {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(2)
    write(`\nInterrupted: ${what}\n`)
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return controller.signal
}

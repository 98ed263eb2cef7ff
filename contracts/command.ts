import type { CommanderError } from 'commander'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { effects } from '../spec/effects.ts'
import type { Residue } from '../client/ledger/clean.ts'
import type { ReportFiles } from './reports/files.ts'
import type { StartTarget, VerifyOptions } from './verify.ts'

interface Flags extends VerifyOptions {
  readonly clean?: string
  readonly reportJunit?: string
  readonly reportJson?: string
  readonly reportHtml?: string
  readonly reportMarkdown?: string
}

const help = `
Credentials are read from the environment or from the file of --target, never from arguments:
  CRM_API_KEY        the key of a team
  CRM_OTHER_API_KEY  the key of a second team, to see that teams are kept apart
  CRM_ADMIN_TOKEN    a bearer token of an admin
  CRM_AGENT_TOKEN    a bearer token of an agent

It ends with 0 when every promise is kept, 1 when one is broken, 2 when the run itself failed, 3 when too little ran to
tell, and 4 when records may be left behind; the worst is told.

Examples:
  $ crm-sandbox verify
  $ crm-sandbox verify --base-url http://127.0.0.1:4010 --email-provider email-provider --only contacts
  $ crm-sandbox verify --base-url https://staging.example.com --up-to write --confirm-host staging.example.com
  $ crm-sandbox verify --clean .crm-sandbox/contract-k3x9.jsonl`

/** Adds the command `verify`; without a base URL it verifies what `startTarget` starts. */
export function addVerify(program: Command, startTarget: StartTarget): void {
  const command = program
    .command('verify')
    .description('Hold a server to every promise of the specification; without --base-url, a sandbox of its own.')
    .option('--base-url <url>', 'the server (CRM_BASE_URL)')
    .option('--target <file>', 'a YAML file, readable by its owner alone, with these options and the credentials')
    .addOption(
      new Option('--up-to <reach>', 'how far to go (default send on this machine, read elsewhere)').choices(effects),
    )
    .option('--confirm-host <host>', 'the host once more, to go further than read beyond this machine')
    .option('--email-provider <id,address>', 'what may send e-mail: its id, its address, or both')
    .option('--sms-provider <id,number>', 'what may send SMS')
    .option('--whatsapp-provider <id,number>', 'what may send WhatsApp messages')
    .option('--email-to <address>', 'who may get e-mail beyond this machine; repeatable', several)
    .option('--phone-to <number>', 'who may get SMS and WhatsApp messages there; repeatable', several)
    .option('--group-id <id>', 'a contact group that the team has')
    .option('--pipeline-id <id>', 'a pipeline that the team has')
    .option('--stage-id <id>', 'a stage of that pipeline')
    .option('--only <words>', 'a group, a promise, or how promises begin; repeatable', several)
    .option('--operation <id>', 'only what is promised of this operation; repeatable', several)
    .option('--seed <number>', 'run the checks in another order, the same for the same number', wholeNumber)
    .option('--rate <number>', 'requests a second (default 2 beyond this machine)')
    .option('--timeout <seconds>', 'how long an answer may take (default 10)')
    .option('--known <file>', 'deviations to let pass, each with promise, reason and expires')
    .option('--ledgers <folder>', 'where runs write down what they make (default .crm-sandbox)')
    .option('--clean <ledger>', 'only delete what a run has left behind that was killed')
    .option('--report-junit <file>', 'write JUnit XML')
    .option('--report-json <file>', 'write JSON')
    .option('--report-html <file>', 'write a page')
    .option('--report-markdown <file>', 'write a summary for a CI job')
    .addHelpText('after', help)
    .action(async (flags: Flags) => {
      process.exitCode = await run(flags, startTarget)
    })
  // 1 is for a broken promise.
  command.exitOverride((error: CommanderError) => process.exit(error.exitCode === 0 ? 0 : 2))
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, such as 7.')
  return Number(text)
}

const several = (text: string, before: readonly string[] = []) => [...before, text]

async function run({ clean, ...flags }: Flags, startTarget: StartTarget): Promise<number> {
  const { cleanLedger, CannotVerify, prepareReports, verify, writeReports } = await import('./index.ts')
  const { progressOn, summaryOf } = await import('./reports/terminal.ts')
  const write = (text: string) => process.stdout.write(text)
  try {
    if (clean !== undefined) return told(await cleanLedger(clean, flags), write)
    prepareReports(filesOf(flags))
    const options = { ...flags, startTarget, signal: interrupted(), progress: progressOn(write) }
    const report = await verify(options)
    write(summaryOf(report))
    writeReports(report, filesOf(flags))
    return report.exitCode
  } catch (error) {
    // A mistake of ours shows its stack; whatever it is, no promise is broken by it.
    const why = error instanceof CannotVerify ? error.message : `the run itself failed: ${stackOf(error)}`
    process.stderr.write(`error: ${why}\n`)
    return 2
  }
}

const stackOf = (error: unknown) => (error instanceof Error ? error.stack : String(error))

function told(residue: readonly Residue[], write: (text: string) => void): number {
  for (const { kind, what, why } of residue) write(`left: ${kind} ${what} (${why})\n`)
  if (residue.length === 0) write('Everything that the run made is deleted.\n')
  return residue.length === 0 ? 0 : 4
}

function filesOf({ reportJunit, reportJson, reportHtml, reportMarkdown }: Omit<Flags, 'clean'>): ReportFiles {
  return { junit: reportJunit, json: reportJson, html: reportHtml, markdown: reportMarkdown }
}

/** The first signal ends the checks and cleans up; the second leaves the ledger to `--clean`. */
function interrupted(): AbortSignal {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(2)
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return controller.signal
}

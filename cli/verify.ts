import { type Command, InvalidArgumentError } from 'commander'
import {
  abortOnSignals,
  addOptions,
  addReportOptions,
  addTargetOptions,
  credentialsHelp,
  readWholeNumber,
} from './command-options.ts'
import { file, listOf, number, onOff, text } from '../lib/option-schemas.ts'
import { type ReportFlags, reportFilesOf } from '../contracts/reports/files.ts'
import { endMisuse, runCommand } from './command.ts'
import { painterFor } from '../contracts/reports/paint.ts'
import { plainLines } from '../lib/text.ts'
import type { Cleaned } from '../contracts/client/clean.ts'
import type { StartTarget } from '../contracts/client/run.ts'
import type { VerifyOptions } from '../contracts/verify.ts'

interface Flags extends VerifyOptions, ReportFlags {
  readonly clean?: string
  readonly list?: boolean
  readonly dryRun?: boolean
}

const help = `${credentialsHelp} In a GitHub workflow, broken promises become annotations.

Exit codes: 0 every promise is kept, 1 a promise is broken, 2 the run itself failed, 3 too little could be judged,
4 records may be left behind. When several apply, the most severe wins: 2, then 1, then 4, then 3.

Examples:
  $ crm-sandbox verify
  $ crm-sandbox verify --base-url http://127.0.0.1:4010 --email-provider email-provider --only contacts --strict
  $ crm-sandbox verify --base-url https://staging.example.com --up-to write --confirm-host staging.example.com
  $ crm-sandbox verify --only contacts --exclude contact.delete --list
  $ crm-sandbox verify --base-url https://10.0.0.7 --insecure --header 'x-tenant: staging' --strict --bail
  $ crm-sandbox verify --base-url http://127.0.0.1:4010 --story report.json --only contact.updateKeepsTheRest
  $ crm-sandbox verify --clean .crm-sandbox/contract-k3x9.jsonl`

/** Adds the command `verify`; without a base URL it verifies what `startTarget` starts. */
export function addVerify(program: Command, startTarget: StartTarget): void {
  const command = addTargetOptions(program.command('verify'), 'verify')
    .description('Check a server against every promise of the specification; without --base-url, check a new sandbox.')
    .addHelpText('after', help)
    .action((flags: Flags) => runCommand(command, () => run(flags, startTarget)))
  addOptions(command, {
    only: listOf(text('words', 'the promises to check: a group, an id, or the beginning of ids; repeatable')),
    operation: listOf(text('id', 'check only the promises about this operation; repeatable')),
    exclude: listOf(text('words', 'the promises to leave out, in the same words; repeatable')),
    list: onOff('only list the selected promises, and send nothing', { conflicts: ['dryRun'] }),
    dryRun: onOff('only list the requests of each check, as if each succeeded, and send nothing'),
    strict: onOff('for your own server: end with 1 for a warning, and with 3 when a promise was skipped'),
    situations: text(
      'which',
      'short stories of many situations after the checks: off, pairs (the default for a whole run on this machine), or how many of them',
      { read: readSituations },
    ),
    story: file('a JSON report, or a finding in it: only repeat its requests (with --only, those of that promise)', {
      conflicts: ['list', 'dryRun', 'clean', 'situations'],
    }),
    bail: onOff('end with the first broken promise'),
    seed: number('run the checks in a random order; the same number gives the same order', { read: readWholeNumber }),
    known: file('a list of known deviations, each with promise, reason and expires'),
    clean: text('ledger', 'only delete the records that a killed run left behind', { format: 'path' }),
  })
  endMisuse(addReportOptions(command, ['junit', 'json', 'html', 'markdown']))
}

function readSituations(text: string): NonNullable<VerifyOptions['situations']> {
  if (text === 'off' || text === 'pairs') return text
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be off, pairs or a number of stories.')
}

const nothingNew = 'it looks at the responses to the requests of other checks, and of stories'

async function run(
  { clean, list = false, dryRun = false, ...flags }: Flags,
  startTarget: StartTarget,
): Promise<number> {
  const { cleanUp, listRequests, prepareReports, verify, writeReports } = await import('../contracts/index.ts')
  const { progressOn, toAnnotations, toDocument } = await import('../contracts/reports/report-forms.ts')
  const { toTerminal } = await import('../contracts/reports/terminal.ts')
  const { listPromises, readSelection } = await import('../contracts/selection.ts')
  const write = (text: string) => process.stdout.write(text)
  const paint = painterFor(process.stdout.isTTY, process.env)
  if (list) return listPromises(readSelection(flags.only, flags.operation, flags.exclude), write)
  if (dryRun) {
    const cost = await listRequests({ ...flags, startTarget }, ({ promise, reason = nothingNew }, requests) => {
      const lines = requests.length === 0 ? [`nothing: ${reason}`] : requests
      write(plainLines(`${promise}\n${lines.map((line) => `  ${line.split('\n')[0] ?? ''}\n`).join('')}`))
    })
    write(`\nA run, with its stories: ${cost}\n`)
    return 0
  }
  if (clean !== undefined) return await reportCleaned(clean, await cleanUp(clean, flags), write)
  const files = reportFilesOf(flags)
  prepareReports(files)
  const options = { ...flags, startTarget, signal: abortOnSignals(write), progress: progressOn(write, paint) }
  const report = await verify(options)
  write(toTerminal(toDocument(report), paint))
  if (process.env.GITHUB_ACTIONS === 'true') write(toAnnotations(report))
  writeReports(report, files)
  return report.exitCode
}

async function reportCleaned(ledger: string, { residue, stays }: Cleaned, write: (text: string) => void) {
  const { allDeleted, describeStays } = await import('../contracts/client/clean.ts')
  for (const { kind, what, why } of residue) write(plainLines(`left: ${kind} ${what} (${why})\n`))
  for (const what of describeStays(stays)) write(`stays: ${what}\n`)
  if (residue.length === 0) write(`${allDeleted(stays)}\n`)
  else write(plainLines(`Try again, or delete ${ledger} once you have looked for what is left: then runs can start.\n`))
  return residue.length === 0 ? 0 : 4
}

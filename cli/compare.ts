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
import type { StartTarget } from '../contracts/client/run.ts'
import { prepareReports, type ReportFlags, reportFilesOf } from '../contracts/reports/files.ts'
import { endMisuse, runCommand } from './command.ts'
import { painterFor } from '../contracts/reports/paint.ts'
import type { WrittenChoices } from '../spec/choices.ts'
import type { CompareOptions } from '../contracts/compare/compare.ts'
import type { StartSandbox } from '../contracts/compare/side.ts'

interface Flags extends Omit<CompareOptions, 'profile' | 'undetermined' | 'startSandbox' | 'seed'>, ReportFlags {
  readonly profile?: string
  readonly seed?: number
}

/** Starts a server to compare, for a run without a base URL. */
type StartServer = (profile: WrittenChoices) => ReturnType<StartTarget>

const help = `${credentialsHelp}

Exit codes: 0 no difference, 1 a difference, 2 the run itself failed, 3 too little was compared, 4 records may be left
behind. When several apply, the most severe wins: 2, then 1, then 4, then 3.

Examples:
  $ crm-sandbox compare --steps 100 --seed 7
  $ crm-sandbox compare --base-url http://127.0.0.1:4010 --profile staging.yaml
  $ crm-sandbox compare --base-url https://staging.example.com --up-to write --confirm-host staging.example.com --profile staging.yaml --steps 200`

/** Adds the command `compare`; `startSandbox` starts the sandboxes that a server is compared with. */
export function addCompare(program: Command, startServer: StartServer, startSandbox: StartSandbox): void {
  const command = addTargetOptions(program.command('compare'), 'compare')
    .description('Send the same short stories to a server and a sandbox, and report where they differ.')
    .addHelpText('after', help)
    .action((flags: Flags) => runCommand(command, () => run(flags, startServer, startSandbox)))
  addOptions(command, {
    profile: file('the choices of the sandbox, as learn writes them (default the assumed choices)'),
    steps: number('the number of requests', { default: 1000, read: readSteps }),
    seed: number('send the same requests as the run with this seed (default a random seed)', { read: readWholeNumber }),
    wording: onOff('also compare the texts of messages'),
    ignore: listOf(text('field', 'a field of responses to leave out, or null for each that is null; repeatable')),
  })
  endMisuse(addReportOptions(command, ['json', 'markdown']))
}

function readSteps(text: string): number {
  const steps = readWholeNumber(text)
  if (steps === 0) throw new InvalidArgumentError('It must be at least 1.')
  return steps
}

async function run(flags: Flags, startServer: StartServer, startSandbox: StartSandbox): Promise<number> {
  const { profile, ...options } = flags
  const [{ compare, exitCodeOf }, { progressOn, toDocument, toPlainData }, { readProfileFile }] = await Promise.all([
    import('../contracts/compare/compare.ts'),
    import('../contracts/compare/report.ts'),
    import('../contracts/learn/profile.ts'),
  ])
  const [{ toTerminal }, { writeReportFiles }] = await Promise.all([
    import('../contracts/reports/terminal.ts'),
    import('../contracts/reports/write.ts'),
  ])
  const write = (text: string) => process.stdout.write(text)
  const files = reportFilesOf(flags)
  const seed = flags.seed ?? Math.floor(Math.random() * 1e6)
  const { choices = {}, undetermined } = profile === undefined ? {} : readProfileFile(profile)
  prepareReports(files)
  const comparison = await compare({
    ...options,
    seed,
    profile: choices,
    undetermined,
    startTarget: () => startServer(choices),
    startSandbox,
    signal: abortOnSignals(write),
    progress: progressOn(write, { ...options, seed }),
  })
  write(toTerminal(toDocument(comparison), painterFor(process.stdout.isTTY, process.env)))
  writeReportFiles(files, { json: toPlainData(comparison), document: toDocument(comparison) })
  return exitCodeOf(comparison)
}

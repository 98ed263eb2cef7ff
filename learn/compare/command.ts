import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { abortOnSignals, addTargetOptions, credentialsHelp, readWholeNumber } from '../../client/command-options.ts'
import { CannotRun } from '../../client/errors.ts'
import type { StartTarget } from '../../client/reach-target.ts'
import { prepareReportFiles, writeReportFiles } from '../../client/report-files.ts'
import { endMisuse, failed, printFailure } from '../../shared/failed-command.ts'
import { painterFor } from '../../shared/paint.ts'
import { UnreadableChoice } from '../../spec/choices.ts'
import type { Profile } from '../../spec/profile.ts'
import type { CompareOptions } from './compare.ts'
import type { StartTwin } from './twin.ts'

interface Flags extends Omit<CompareOptions, 'profile' | 'untold' | 'startTwin' | 'seed'> {
  readonly profile?: string
  readonly seed?: number
  readonly reportJson?: string
  readonly reportMarkdown?: string
}

/** Starts a server to compare, for a run without a base URL. */
type StartServer = (profile: Profile) => ReturnType<StartTarget>

const help = `${credentialsHelp}

Exit codes: 0 the same, 1 different, 2 the run itself failed, 3 too little was compared, 4 records may be left behind. When
several apply, the most severe wins: 2, then 1, then 4, then 3.

Examples:
  $ crm-sandbox compare --steps 100 --seed 7
  $ crm-sandbox compare --base-url http://127.0.0.1:4010 --profile staging.yaml
  $ crm-sandbox compare --base-url https://staging.example.com --up-to write --confirm-host staging.example.com --profile staging.yaml --steps 200`

/** Adds the command `compare`; `startTwin` starts the sandboxes that a server is compared with. */
export function addCompare(program: Command, startServer: StartServer, startTwin: StartTwin): void {
  const command = addTargetOptions(program.command('compare'), 'compare')
    .description('Take the same random walk through a server and a sandbox, and report where they differ.')
    .option('--profile <file>', 'what the sandbox does, as learn wrote it (default what is assumed)')
    .option('--steps <number>', 'how many requests to make', readSteps, 500)
    .option('--seed <number>', 'take the same walk as before (default a new one)', readWholeNumber)
    .option('--wording', 'compare the texts of messages too')
    .option('--report-json <file>', 'write JSON')
    .option('--report-markdown <file>', 'write a summary for a CI job')
    .addHelpText('after', help)
    .action(async (flags: Flags) => {
      process.exitCode = await run(flags, startServer, startTwin)
    })
  endMisuse(command)
}

function readSteps(text: string): number {
  const steps = readWholeNumber(text)
  if (steps === 0) throw new InvalidArgumentError('It must be at least 1.')
  return steps
}

async function run(flags: Flags, startServer: StartServer, startTwin: StartTwin): Promise<number> {
  const { profile, reportJson, reportMarkdown, ...options } = flags
  const [{ compare, exitCodeOf }, { progressOn, summarize, toJson, toMarkdown }, { readWholeProfile }, { untoldIn }] =
    await Promise.all([import('./compare.ts'), import('./report.ts'), import('../profile.ts'), import('./untold.ts')])
  const write = (text: string) => process.stdout.write(text)
  const files = { json: reportJson, markdown: reportMarkdown }
  const seed = flags.seed ?? Math.floor(Math.random() * 1e6)
  try {
    const learned = profile === undefined ? { choices: {} } : await readWholeProfile(profile)
    const untold = profile === undefined ? undefined : untoldIn(readFileSync(profile, 'utf8'))
    prepareReportFiles(files)
    const comparison = await compare({
      ...options,
      seed,
      profile: learned,
      untold,
      startTarget: () => startServer(learned),
      startTwin,
      signal: abortOnSignals(write),
      progress: progressOn(write, { ...options, seed }),
    })
    write(summarize(comparison, painterFor(process.stdout.isTTY, process.env)))
    writeReportFiles(comparison, { json: toJson, markdown: toMarkdown }, files)
    return exitCodeOf(comparison)
  } catch (error) {
    printFailure(error, !(error instanceof CannotRun || error instanceof UnreadableChoice))
    return failed
  }
}

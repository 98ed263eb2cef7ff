import { availableParallelism } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'
import { CannotRun } from '../../contracts/client/errors.ts'
import { prepareReports, type ReportFlags, reportFilesOf } from '../../contracts/reports/files.ts'
import { readDuration } from '../../lib/time.ts'
import { assumeVariable } from '../marks.ts'
import { addOptions, addReportOptions } from '../command-options.ts'
import { file, listOf, number, onOff, text, type ValuesOf } from '../../lib/option-schemas.ts'
import { endMisuse, failed, printFailure, runCommand } from '../command.ts'
import { painterFor } from '../../contracts/reports/paint.ts'
import { readChoices } from '../../spec/choices.ts'
import type { StartSandbox } from './sweep.ts'

export const otherNames = listOf(
  text('ours=yours', 'another name for a variable, such as CRM_BASE_URL=API_ROOT; repeatable'),
  { format: 'pairs' },
)

const schemas = {
  env: otherNames,
  world: text('name or file', 'initial data: demo, two-teams, empty, or a JSON or YAML file', {
    default: 'demo',
    format: 'nameOrPath',
  }),
  profile: file('choices that hold in each run, as learn writes them; sweep does not vary them'),
  only: listOf(text('words', 'the assumptions to vary: a name, or the beginning of names; repeatable')),
  bail: onOff('end with the first choice that makes the tests fail'),
  atOnce: number('the number of parallel runs (default one for every two cores)', { read: readCount }),
  timeout: text('duration', 'the longest time of a run (default 10m, then ten times the first run)', {
    read: readTimeout,
  }),
}

interface Flags extends ValuesOf<typeof schemas>, ReportFlags {
  readonly world: string
}

/** The variables for each run of the command. */
const ofSweep = ['CRM_BASE_URL', 'CRM_API_KEY', 'CRM_OTHER_API_KEY', 'CRM_ADMIN_TOKEN', 'CRM_AGENT_TOKEN']

const help = `
Each run of the command has a new sandbox: two runs have the default choices, and then one run has each other choice of
each assumption that the command relied on. It gets these variables:
  CRM_BASE_URL       the address of the sandbox
  CRM_API_KEY        the key of a team
  CRM_OTHER_API_KEY  the key of a second team, if the world has one (two-teams)
  CRM_ADMIN_TOKEN    a bearer token of an admin
  CRM_AGENT_TOKEN    a bearer token of an agent

Tests that start sandboxes of their own, with createSandbox or with serve, need no change: choices reach them by the
variable CRM_SANDBOX_ASSUME. A choice in their code has precedence, and sweep does not vary it.

The command runs without a shell; only a single text, such as 'npm run build && npm test', runs in a shell.

Exit codes: 0 the tests depend on no guess, 1 they depend on some, 2 the sweep failed, or the command fails with the default
choices, or is flaky, 130 interrupted.

Examples:
  $ crm-sandbox sweep -- npm test
  $ crm-sandbox sweep --env CRM_BASE_URL=API_ROOT --env CRM_API_KEY=API_TOKEN -- npx vitest run
  $ crm-sandbox sweep --only contact --bail --timeout 2m -- npm test
  $ crm-sandbox sweep --profile staging.yaml --at-once 4 --report-markdown sweep.md -- npm test`

/** Adds the command `sweep`, which tests with sandboxes that `startSandbox` starts. */
export function addSweep(program: Command, startSandbox: StartSandbox): void {
  const command = program
    .command('sweep')
    .argument('[command...]', 'the tests, with their options')
    .description('Find the assumptions that your tests depend on: run the tests with each other choice.')
    .addHelpText('after', help)
    .passThroughOptions()
    .action((words: readonly string[], flags: Flags) =>
      runCommand(command, () => run(command, words, flags, startSandbox)),
    )
  addOptions(command, schemas)
  endMisuse(addReportOptions(command, ['json', 'markdown']))
}

const halfTheCores = () => Math.max(1, Math.floor(availableParallelism() / 2))

function readCount(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 99.')
  return Number(text)
}

function readTimeout(text: string): number {
  const milliseconds = readDuration(text)
  const most = 2 ** 31 - 1 // what a timer can wait
  if (milliseconds !== undefined && milliseconds >= 1 && milliseconds <= most) return milliseconds
  throw new InvalidArgumentError('It must be a duration such as 90s or 15m, of at most 24 days.')
}

async function run(
  command: Command,
  words: readonly string[],
  flags: Flags,
  startSandbox: StartSandbox,
): Promise<number> {
  const [{ CommandFails, sweep }, { readProfileFile }, { printOutput, progressOn, toDocument }] = await Promise.all([
    import('./sweep.ts'),
    import('../../contracts/learn/profile.ts'),
    import('./report.ts'),
  ])
  const { toTerminal } = await import('../../contracts/reports/terminal.ts')
  const { writeReportFiles } = await import('../../contracts/reports/write.ts')
  const { atOnce = halfTheCores() } = flags
  const files = reportFilesOf(flags)
  const write = (text: string) => process.stdout.write(text)
  const paint = painterFor(process.stdout.isTTY, process.env)
  const interrupt = stopOnSignals()
  try {
    const profile = flags.profile === undefined ? {} : readProfileFile(flags.profile).choices
    const options = {
      ...flags,
      atOnce,
      command: words,
      startSandbox,
      profile: { ...profile, ...readChoices(process.env[assumeVariable] ?? '') },
      names: readNames(flags.env),
      env: process.env,
      signal: interrupt.signal,
      progress: progressOn(write, process.stdout.isTTY, atOnce),
    }
    prepareReports(files)
    const report = await sweep(options)
    write(toTerminal(toDocument(report, false), paint))
    if (interrupt.exitCode !== undefined) return interrupt.exitCode
    writeReportFiles(files, { json: report, document: toDocument(report, true) })
    return report.exitCode
  } catch (error) {
    if (interrupt.exitCode !== undefined && error instanceof CannotRun) return interrupt.exitCode
    if (!(error instanceof CommandFails)) throw error
    printFailure(error, command)
    process.stderr.write(printOutput(error.output))
    return failed
  }
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** The first signal ends all runs; the second ends this process at once, which ends them by force. */
function stopOnSignals(): { readonly signal: AbortSignal; exitCode?: number } {
  const controller = new AbortController()
  const interrupt: ReturnType<typeof stopOnSignals> = { signal: controller.signal }
  for (const [signal, exitCode] of Object.entries(exitCodes)) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(exitCode)
      interrupt.exitCode = exitCode
      process.stderr.write('\nInterrupted: all runs are ended.\n')
      controller.abort()
    })
  }
  return interrupt
}

/** The names for our variables: the name that the command reads, and ours. */
export function readNames(texts: readonly string[] = [], ours = ofSweep): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const text of texts) {
    const [known = '', name = '', ...more] = text.split('=')
    if (more.length > 0 || !ours.includes(known) || !/^[A-Za-z_]\w*$/.test(name))
      throw new CannotRun(
        (nameOf) =>
          `${nameOf('env')} ${text} is not written as ours=yours, such as CRM_BASE_URL=API_ROOT; ours are ${ours.join(', ')}.`,
      )
    if ((names.get(name) ?? known) !== known)
      throw new CannotRun(
        (nameOf) => `${nameOf('env')} gives the name ${name} to two variables: give each a name of its own.`,
      )
    names.set(name, known)
  }
  return names
}

import { existsSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { abortOnSignals, addOptions, addReportOptions, addTargetOptions, credentialsHelp } from './command-options.ts'
import { file, listOf, onOff, text } from '../lib/option-schemas.ts'
import { CannotRun } from '../contracts/client/errors.ts'
import type { StartTarget } from '../contracts/client/run.ts'
import { orFail, prepareReports, refuseSameFile, type ReportFlags, reportFilesOf } from '../contracts/reports/files.ts'
import { checkWritable, writeWhole } from '../lib/files.ts'
import { readDuration } from '../lib/time.ts'
import { endMisuse, runCommand } from './command.ts'
import { painterFor } from '../contracts/reports/paint.ts'
import { plainLines } from '../lib/text.ts'
import type { LearnOptions } from '../contracts/learn/learn.ts'
import type { ProfileFile } from '../contracts/learn/profile.ts'
import type { LearnReport } from '../contracts/learn/report.ts'

interface Flags extends LearnOptions, ReportFlags {
  readonly profile?: string
  readonly merge?: boolean
  readonly check?: string
  readonly evidence?: string
}

const help = `${credentialsHelp}

Exit codes: 0 the run is complete, 1 the server differs from the profile of --check, 2 the run itself failed, 3 nothing was
learned, 4 records may be left behind. When several apply, the most severe wins: 2, then 1, then 4, then 3.

Examples:
  $ crm-sandbox learn
  $ crm-sandbox learn --base-url http://127.0.0.1:4010 --only contact --evidence evidence.json
  $ crm-sandbox learn --base-url https://staging.example.com --up-to write --confirm-host staging.example.com --profile staging.yaml
  $ crm-sandbox serve --profile staging.yaml
  $ crm-sandbox learn --base-url https://staging.example.com --check staging.yaml`

/** Adds the command `learn`; without a base URL it asks what `startTarget` starts. */
export function addLearn(program: Command, startTarget: StartTarget, version: string): void {
  const command = addTargetOptions(program.command('learn'), 'ask')
    .description(
      'Find out which choices a server has made where the specification is silent; without --base-url, ask a new sandbox.',
    )
    .addHelpText('after', help)
    .action((flags: Flags) => runCommand(command, () => run(flags, startTarget, version)))
  addOptions(command, {
    only: listOf(text('words', 'the assumptions to ask about: a name, or the beginning of names; repeatable')),
    operation: listOf(text('id', 'ask only about assumptions that this operation relies on; repeatable')),
    patience: text(
      'duration',
      'the longest wait for delayed effects, such as a bulk send (default 2s on this machine, 60s elsewhere)',
      { read: readPatience },
    ),
    profile: file('write the learned choices, for serve --profile'),
    merge: onOff('keep the choices in the file of --profile that this run did not learn'),
    check: file('ask about the choices of a profile again; exit code 1 if the server differs'),
    evidence: file('write the requests and responses behind each finding, as JSON'),
  })
  endMisuse(addReportOptions(command, ['junit', 'json', 'html', 'markdown']))
}

function readPatience(text: string): number {
  const milliseconds = readDuration(text)
  const most = 86_400_000
  if (milliseconds !== undefined && milliseconds <= most) return milliseconds
  throw new InvalidArgumentError('It must be a duration such as 500ms, 90s or 15m, of at most a day.')
}

async function run(flags: Flags, startTarget: StartTarget, version: string): Promise<number> {
  const { profile, merge = false, check, evidence, ...options } = flags
  const files = reportFilesOf(flags)
  const [{ learn }, { readProfileFile, toProfile }, { hasLearned, progressOn, toDocument, toReport, writeReports }] =
    await Promise.all([
      import('../contracts/learn/learn.ts'),
      import('../contracts/learn/profile.ts'),
      import('../contracts/learn/report.ts'),
    ])
  const { toTerminal } = await import('../contracts/reports/terminal.ts')
  const write = (text: string) => process.stdout.write(text)
  if (merge && profile === undefined) throw new CannotRun('--merge needs --profile, the file to keep the rest of.')
  const older = merge && profile !== undefined ? readProfileFile(profile) : undefined
  const checked = check === undefined ? undefined : readProfileFile(check, 'check')
  refuseSameFile([profile, evidence, ...Object.values(files)])
  for (const [option, file] of Object.entries({ profile, evidence }))
    if (file !== undefined) orFail(file, checkWritable, 'file', option)
  prepareReports(files)
  const result = await learn({
    ...options,
    ...(checked ? { only: selectChecked(checked, options) } : {}),
    startTarget,
    signal: abortOnSignals(write),
    progress: progressOn(write, process.stdout.isTTY),
  })
  const report = toReport(result, checked)
  write(toTerminal(toDocument(report, result), painterFor(process.stdout.isTTY, process.env)))
  // A run that ended early, or found nothing, removes nothing that an earlier run has learned.
  const isPoor = result.stopped !== undefined || !hasLearned(result)
  if (profile !== undefined && !merge && isPoor && existsSync(profile))
    write(plainLines(`The file ${profile} is left as it was, since this run could tell less; --merge adds to it.\n`))
  else writeFile(profile, () => toProfile(result, version, older))
  writeFile(evidence, () => `${JSON.stringify(result.evidence, null, 2)}\n`)
  if (checked) write(showDifferences(report, checked))
  writeReports(report, result, files)
  return report.exitCode
}

/** Returns the entries of the profile to ask again. */
function selectChecked({ path, choices }: ProfileFile, { only = [] }: LearnOptions): readonly string[] {
  const names = Object.keys(choices).filter((name) => only.length === 0 || only.some((word) => name.startsWith(word)))
  if (names.length === 0) throw new CannotRun(`The profile ${path} names nothing to ask about.`, { option: 'check' })
  return names
}

/** Each difference came after the day on which the profile was written. */
function showDifferences({ entries }: LearnReport, { comments }: ProfileFile): string {
  const differing = entries.filter(({ outcome }) => outcome === 'differs')
  const lines = differing.map(({ name, was = '', is }) => {
    const day = /; seen (\d{4}-\d\d-\d\d)$/.exec(comments.get(name) ?? '')?.[1]
    return plainLines(
      `differs: ${name} was ${was}, and is ${is}${day === undefined ? '' : `, some time since ${day}`}\n`,
    )
  })
  return lines.join('') || 'No difference from the profile was seen.\n'
}

function writeFile(file: string | undefined, toText: () => string): void {
  if (file === undefined) return
  const write = () => writeWhole(file, toText())
  orFail(file, write, 'file')
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CannotRun } from '../../contracts/client/errors.ts'
import { assumeVariable, marksVariable, readMarks } from '../marks.ts'
import { pluralize, quoteForShell } from '../../lib/text.ts'
import { assumption, type AssumptionName, assumptionNames, type Meaning } from '../../spec/assumptions.ts'
import { namesBeginningWith, type WrittenChoices } from '../../spec/choices.ts'
import { meaningOf } from '../../contracts/learn/profile.ts'
import { type CommandLine, failedTests, readCommand, runCommand, type RunResult, showCommand } from './run-command.ts'

export interface SweepOptions {
  /** The command and its arguments; a single text may be a line for a shell. */
  readonly command: readonly string[]
  readonly startSandbox: StartSandbox
  /** The initial data of the sandboxes. */
  readonly world: string
  /** Choices in force in every run; the sweep leaves out these entries. */
  readonly profile: WrittenChoices
  /** Names of entries, or beginnings of names; all by default. */
  readonly only?: readonly string[] | undefined
  readonly atOnce: number
  /** Whether the first choice with which the command fails ends the sweep. */
  readonly bail?: boolean | undefined
  /** How long a run of the command may take, in milliseconds. */
  readonly timeout?: number | undefined
  /** The environment of the command. */
  readonly env: NodeJS.ProcessEnv
  /** More names for variables: the name that the command reads, and ours. */
  readonly names: ReadonlyMap<string, string>
  readonly signal?: AbortSignal | undefined
  readonly progress?: SweepProgress | undefined
}

export interface SweepProgress {
  began(command: string): void
  /** The command has passed twice. */
  passed(seconds: number, relied: readonly AssumptionName[], tries: number): void
  /** The command has run with a choice. */
  tried(tried: Tried, done: number, secondsLeft: number): void
}

/** A sandbox that was started for the command. */
interface StartedSandbox {
  /** The address and the credentials, as environment variables; undefined for those that the world lacks. */
  readonly variables: Readonly<Record<string, string | undefined>>
  /** The assumptions that responses relied on; undefined when the command sent no request. */
  relied(): ReadonlySet<AssumptionName> | undefined
  stop(): Promise<void>
}
export type StartSandbox = (options: {
  readonly world: string
  readonly assume: WrittenChoices
}) => Promise<StartedSandbox>

/** A choice that the command runs with. */
interface OtherChoice {
  readonly name: AssumptionName
  /** As a profile writes it. */
  readonly choice: string
}

/** A choice, and how the command ended with it. */
type Tried = OtherChoice & Omit<RunResult, 'exitCode' | 'wasKilled'> & { readonly repeat: string }

/** The guesses that the tests of a command rely on. */
export interface SweepReport {
  readonly version: 1
  readonly command: string
  /** When the sweep began, as an ISO 8601 time. */
  readonly at: string
  readonly seconds: number
  readonly verdict: string
  readonly exitCode: 0 | 1 | 2
  /** The entries of the register that the tests rely on, without those that were left out. */
  readonly relied: readonly AssumptionName[]
  readonly guesses: readonly Guess[]
  /** All choices that were tried. */
  readonly tried: readonly Omit<Tried, 'output' | 'repeat'>[]
  readonly untried: readonly OtherChoice[]
}

/** An entry of the register of which the tests need a choice. */
interface Guess {
  readonly name: AssumptionName
  readonly sentence: string
  readonly question: string
  readonly assumed: string
  readonly certainty: string
  readonly passesWith: readonly string[]
  readonly failsWith: readonly Failure[]
}

interface Failure extends Pick<Tried, 'choice' | 'how' | 'output' | 'repeat'> {
  readonly meaning: string
  /** The names of the first failed tests, if the output of the test runner has them. */
  readonly tests: readonly string[]
}

/** The command cannot be swept; its output says why. */
export class CommandFails extends CannotRun {
  readonly output: string

  constructor(sentence: string, output: string) {
    super(sentence)
    this.output = output
  }
}

const tenMinutes = 10 * 60_000

/** Runs the command with each other choice of each entry that it relies on, and reports with which it fails. */
export async function sweep(options: SweepOptions): Promise<SweepReport> {
  const { profile, only, progress, signal, timeout } = options
  const line = readCommand(options.command)
  const selected = namesBeginningWith(only)
  const startedAt = new Date()
  const command = showCommand(line)
  progress?.began(command)
  const run = (assume: WrittenChoices, limit: number) => runWith(options, line, assume, timeout ?? limit)
  const { seconds, relied } = await runTwice(() => run(profile, tenMinutes), signal)
  const swept = relied.filter((name) => selected.includes(name) && profile[name] === undefined)
  const choices = otherChoices(swept)
  progress?.passed(seconds, swept, choices.length)
  const limit = Math.max(30_000, 10 * seconds * 1_000)
  const tried = await tryAll(choices, seconds, options, ({ name, choice }) =>
    run({ ...profile, [name]: choice }, limit),
  )
  const untried = choices.filter(({ name, choice }) => !tried.some((one) => one.name === name && one.choice === choice))
  const guesses = swept.flatMap((name) => toGuess(name, tried, untried))
  const found = guesses.length === 0 ? 'no guess' : pluralize(guesses.length, 'guess', 'guesses')
  const verdict = `the tests depend on ${found}${untried.length === 0 ? '' : ', as far as it was tried'}`
  return {
    version: 1,
    command,
    at: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    verdict: signal?.aborted ? `interrupted; ${verdict}` : verdict,
    exitCode: signal?.aborted ? 2 : guesses.length > 0 ? 1 : 0,
    relied: swept,
    guesses,
    tried: tried.map(({ output: _, repeat: __, ...one }) => one),
    untried,
  }
}

/**
 * Runs the command once, with a new sandbox that makes these choices. `relied` has the assumptions that responses relied on,
 * also in sandboxes that the command started; it is undefined when the command sent no request.
 */
async function runWith(
  options: SweepOptions,
  line: CommandLine,
  assume: WrittenChoices,
  timeout: number,
): Promise<RunResult & { readonly relied: readonly AssumptionName[] | undefined; readonly repeat: string }> {
  const { startSandbox, world, env, names, signal } = options
  const marks = mkdtempSync(join(tmpdir(), 'crm-sandbox-marks-'))
  const sandbox = await startSandbox({ world, assume })
  try {
    const { variables } = sandbox
    const named = Object.fromEntries([...names].map(([name, ours]) => [name, variables[ours]]))
    const choices = Object.entries(assume).map(([name, choice]) => `${name}=${choice}`)
    const carried = { [assumeVariable]: choices.join(' '), [marksVariable]: marks }
    const result = await runCommand(line, { env: { ...env, ...variables, ...named, ...carried }, timeout, signal })
    const reliedHere = sandbox.relied()
    const sets = [reliedHere, readMarks(marks)].filter((set) => set !== undefined)
    const repeat = commandToRepeat(options, line, choices, reliedHere !== undefined)
    const relied = assumptionNames.filter((name) => sets.some((set: ReadonlySet<string>) => set.has(name)))
    return { ...result, repeat, relied: sets.length === 0 ? undefined : relied }
  } finally {
    await sandbox.stop()
    rmSync(marks, { recursive: true, force: true })
  }
}

/** The command that runs the tests with these choices. Tests that use the sandbox of the sweep run in a sweep again, which starts one. */
function commandToRepeat(
  { world, names }: SweepOptions,
  line: CommandLine,
  choices: readonly string[],
  usesSandbox: boolean,
): string {
  const variable = `${assumeVariable}=${choices.length > 1 ? quoteForShell(choices.join(' ')) : choices.join('')}`
  const isShellText = line.shell && line.args.length === 0
  const command = isShellText ? quoteForShell(line.file) : showCommand(line)
  if (!usesSandbox) return `${variable} ${isShellText ? 'sh -c ' : ''}${command}`
  const flags = [
    ...(world === 'demo' ? [] : ['--world', world]),
    ...[...names].flatMap(([yours, ours]) => ['--env', `${ours}=${yours}`]),
  ]
  return `${variable} ${showCommand({ file: 'npx', args: ['crm-sandbox', 'sweep', ...flags, '--'] })} ${command}`
}

/** Throws unless the command passes twice as it is. */
async function runTwice(run: () => ReturnType<typeof runWith>, signal: AbortSignal | undefined) {
  const results: Awaited<ReturnType<typeof runWith>>[] = []
  while (results.length < 2 && !results[0]?.how.startsWith('timed out')) {
    results.push(await run())
    if (signal?.aborted) throw new CannotRun('Interrupted before the command had passed')
  }
  const failed = results.filter(({ passed }) => !passed)
  const last = failed.at(-1)
  if (last) {
    const [first = '', second = ''] = results.map(({ passed, how }) => (passed ? 'passed' : `failed (${how})`))
    const sentence =
      failed.length === results.length
        ? `The command fails as it is (${last.how}), so no guess can be told from another.`
        : `The command is flaky: at first it ${first}, and run again it ${second}; it must pass every time.`
    throw new CommandFails(sentence, last.output)
  }
  if (results.every(({ relied }) => relied === undefined))
    throw new CannotRun(
      'The command passes, but it has asked no sandbox: let its tests ask the address in CRM_BASE_URL (other names: ' +
        '--env), or start one with createSandbox.',
    )
  const relied = new Set(results.flatMap((one) => one.relied ?? []))
  return { seconds: results.reduce((sum, { seconds }) => sum + seconds, 0) / 2, relied: [...relied] }
}

/** Two runs may compete, such as for a port, so that a failed run is repeated alone. */
async function tryAll(
  choices: readonly OtherChoice[],
  usualSeconds: number,
  { atOnce, bail = false, signal, progress }: SweepOptions,
  run: (choice: OtherChoice) => Promise<RunResult & Pick<Tried, 'repeat'>>,
): Promise<readonly Tried[]> {
  const results = new Map<OtherChoice, Tried>()
  const waiting = [...choices]
  const doubtful: OtherChoice[] = []
  let usual = usualSeconds
  const isOver = () => signal?.aborted === true || (bail && [...results.values()].some(({ passed }) => !passed))
  const tryOne = async (choice: OtherChoice, isAlone: boolean) => {
    const { passed, how, seconds, output, repeat } = await run(choice)
    if (signal?.aborted) return
    if (!passed && !isAlone) return doubtful.push(choice)
    const tried = { ...choice, passed, how, seconds, output, repeat }
    results.set(choice, tried)
    usual += (seconds - usual) / (results.size + 1)
    progress?.tried(tried, results.size, ((choices.length - results.size) * usual) / atOnce)
  }
  const lane = async () => {
    while (!isOver() && !(bail && doubtful.length > 0)) {
      const choice = waiting.shift()
      if (!choice) return
      await tryOne(choice, atOnce === 1)
    }
  }
  while (waiting.length > 0 && !isOver()) {
    await Promise.all(Array.from({ length: atOnce }, lane))
    for (const choice of doubtful.splice(0)) if (!isOver()) await tryOne(choice, true)
  }
  return choices.flatMap((choice) => results.get(choice) ?? [])
}

/** Each choice of these entries but the assumed one. */
function otherChoices(names: readonly AssumptionName[]): readonly OtherChoice[] {
  return names.flatMap((name) => {
    const { choices, assumed } = assumption(name)
    const others = Object.entries(choices).filter(([choice]) => choice !== assumed)
    return others.map(([choice, meaning]) => ({ name, choice: write(choice, meaning) }))
  })
}

/** A delay of a second: tests notice it, and tests that poll still pass. */
function write(choice: string, meaning: Meaning): string {
  if (typeof meaning === 'string') return choice
  const { unit, usual } = meaning.amount
  return `${choice}:${unit === 'milliseconds' ? 1_000 : usual}`
}

function toGuess(name: AssumptionName, all: readonly Tried[], untried: readonly OtherChoice[]): Guess[] {
  const tried = all.filter((one) => one.name === name)
  const failed = tried.filter(({ passed }) => !passed)
  if (failed.length === 0) return []
  const { question, assumed, certainty } = assumption(name)
  const passesWith = [assumed, ...tried.filter(({ passed }) => passed).map(({ choice }) => choice)]
  const failsWith = failed.map(({ choice, how, output, repeat }) => {
    return { choice, meaning: meaningOf(name, choice), how, tests: failedTests(output), repeat, output }
  })
  const sentence = untried.some((one) => one.name === name)
    ? `your tests fail if \`${name}\` is ${either(failsWith.map(({ choice }) => choice))}`
    : `your tests pass only if \`${name}\` is ${either(passesWith)}`
  return [{ name, sentence, question, assumed, certainty, passesWith, failsWith }]
}

function either(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `\`${choice}\``)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}`
}

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CannotRun } from '../../client/errors.ts'
import { codeOf } from '../../shared/files.ts'
import { assumeVariable, marksVariable, readMarks } from '../../shared/marks.ts'
import { quote } from '../../shared/text.ts'
import { type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'

/** A command of a user, as it is started. */
interface CommandLine {
  readonly file: string
  readonly args: readonly string[]
  readonly shell: boolean
}

/** How a run of the command ended. */
export interface Ended {
  readonly passed: boolean
  /** Such as `exit code 1`. */
  readonly how: string
  readonly seconds: number
  /** The end of what it printed. */
  readonly output: string
}

export interface RunOptions {
  readonly env: NodeJS.ProcessEnv
  /** How long it may take, in milliseconds. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/** One word of its own is read by a shell, when it has something in it that a shell reads. */
export function readCommand(words: readonly string[]): CommandLine {
  const [file = '', ...args] = words
  if (file.trim() === '') {
    throw new CannotRun('There is no command to run: write it after --, as in `crm-sandbox sweep -- npm test`.')
  }
  // Windows starts npm, which is a script there, with a shell only.
  const shell = (args.length === 0 && !/^[\w./@:+-]+$/.test(file)) || process.platform === 'win32'
  return { file, args, shell }
}

export const commandInWords = ({ file, args }: CommandLine) =>
  args.length === 0
    ? file
    : [file, ...args].map((word) => (/^[\w./@:=,+-]+$/.test(word) ? word : `'${word}'`)).join(' ')

/** Runs a command, each time in a process group of its own: what it has started and left behind ends with it. */
export class Runner {
  readonly #command: CommandLine
  readonly #running = new Set<ChildProcess>()

  constructor(command: CommandLine) {
    this.#command = command
  }

  async run({ env, timeout, signal }: RunOptions): Promise<Ended> {
    const { file, args, shell } = this.#command
    const startedAt = performance.now()
    const child = spawn(file, args, { env, shell, detached: ownGroups, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#running.add(child)
    const stop = stopper(child)
    let why: string | undefined
    const stopSince = (reason: string) => {
      why ??= reason
      stop.softly()
    }
    const timer = setTimeout(stopSince, timeout, `timed out after ${timeout / 1000} s`)
    const onAbort = () => {
      stopSince('interrupted')
    }
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    try {
      const { how, output } = await waitForEnd(child, file)
      const seconds = (performance.now() - startedAt) / 1000
      return { passed: why === undefined && how === 'exit code 0', how: why ?? how, seconds, output }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      stop.forget()
      this.#running.delete(child)
    }
  }

  /** Ends all that runs, at once. */
  killAll(): void {
    for (const child of this.#running) killGroup(child, 'SIGKILL')
  }
}

const ownGroups = process.platform !== 'win32'

const longestOutput = 16 * 1024

/** How long a command may take to end when it is told to, in milliseconds. */
const patience = 2_000

function waitForEnd(child: ChildProcess, file: string): Promise<{ how: string; output: string }> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-longestOutput)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      const why = codeOf(error) === 'ENOENT' ? 'there is no such command' : (codeOf(error) ?? error.message)
      reject(new CannotRun(`The command ${quote(file)} cannot be started: ${why}.`))
    })
    child.once('exit', () => {
      killGroup(child, 'SIGKILL')
      // What has left the group may hold the pipes.
      setTimeout(destroyPipes, 500, child).unref()
    })
    child.once('close', (code, signal) => {
      resolve({ how: signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`, output })
    })
  })
}

function destroyPipes({ stdout, stderr }: ChildProcess): void {
  stdout?.destroy()
  stderr?.destroy()
}

function stopper(child: ChildProcess) {
  let timer: NodeJS.Timeout | undefined
  return {
    softly() {
      killGroup(child, 'SIGTERM')
      timer ??= setTimeout(killGroup, patience, child, 'SIGKILL')
    },
    forget() {
      clearTimeout(timer)
    },
  }
}

/** The group may be gone already. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child
  if (pid === undefined) return
  try {
    if (ownGroups) process.kill(-pid, signal)
    else child.kill(signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error
  }
}

/** A sandbox that was started for the command. */
interface StartedSandbox {
  /** Its address and its credentials, as environment variables; undefined for what its world does not have. */
  readonly variables: Readonly<Record<string, string | undefined>>
  /** What was relied on, where nobody has chosen; undefined when nothing was asked. */
  relied(): ReadonlySet<AssumptionName> | undefined
  stop(): Promise<void>
}
export type StartSandbox = (options: {
  readonly world: string
  readonly assume: WrittenChoices
}) => Promise<StartedSandbox>

interface TrialOptions {
  readonly runner: Runner
  readonly startSandbox: StartSandbox
  readonly world: string
  /** What the command runs with anyway. */
  readonly env: NodeJS.ProcessEnv
  /** More names for variables: the name that the command knows, and ours. */
  readonly names: ReadonlyMap<string, string>
  readonly signal?: AbortSignal | undefined
}

interface Conditions {
  readonly assume: WrittenChoices
  /** In milliseconds. */
  readonly timeout: number
}

/** Runs the command once, with a new sandbox that made these choices. */
export async function tryOut(
  { runner, startSandbox, world, env, names, signal }: TrialOptions,
  { assume, timeout }: Conditions,
  marks?: string,
): Promise<Ended & { readonly relied: ReadonlySet<AssumptionName> | undefined }> {
  const sandbox = await startSandbox({ world, assume })
  try {
    const { variables } = sandbox
    const named = [...names].map(([name, ours]) => [name, variables[ours]] as const)
    const written = Object.entries(assume).map(([name, choice]) => `${name}=${choice}`)
    const carried = { [assumeVariable]: written.join(' '), [marksVariable]: marks }
    const all = { ...env, ...variables, ...Object.fromEntries(named), ...carried }
    const ended = await runner.run({ env: all, timeout, signal })
    return { ...ended, relied: sandbox.relied() }
  } finally {
    await sandbox.stop()
  }
}

/** The same, and what was relied on, also in sandboxes that the command itself has started. */
export async function tryAndWatch(options: TrialOptions, conditions: Conditions) {
  const marks = mkdtempSync(join(tmpdir(), 'crm-sandbox-marks-'))
  try {
    const { relied, ...ended } = await tryOut(options, conditions, marks)
    const ofOthers = readMarks(marks)
    const isUsed = relied !== undefined || ofOthers !== undefined
    const names = assumptionNames.filter((name) => relied?.has(name) === true || ofOthers?.has(name) === true)
    return { ...ended, relied: isUsed ? names : undefined }
  } finally {
    rmSync(marks, { recursive: true, force: true })
  }
}

/** A choice that the command is run with. */
export interface OtherChoice {
  readonly name: AssumptionName
  /** As a profile writes it. */
  readonly choice: string
}

/** How the command ended with a choice. */
export interface Tried extends OtherChoice, Ended {}

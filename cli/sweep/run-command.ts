import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import { constants } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import { CannotRun } from '../../contracts/client/errors.ts'
import { codeOf } from '../../lib/files.ts'
import { quote, quoteForShell } from '../../lib/text.ts'

/** A command of a user, as it is started. */
export interface CommandLine {
  readonly file: string
  readonly args: readonly string[]
  readonly shell: boolean
}

/** How a run of the command ended. */
export interface RunResult {
  readonly passed: boolean
  /** Such as `exit code 1`. */
  readonly how: string
  readonly seconds: number
  /** The end of the output. */
  readonly output: string
  /** As a shell has it: 143 for a process that SIGTERM ended. */
  readonly exitCode: number
  /** Whether it ignored the signal to end. */
  readonly wasKilled: boolean
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv
  /** How long the run may take, in milliseconds. */
  readonly timeout?: number
  /** Its reason may be the signal for the command, instead of SIGTERM. */
  readonly signal?: AbortSignal | undefined
  /** Time between this signal and SIGKILL, in milliseconds. */
  readonly gracePeriod?: number
  /** The command reads and writes what this process does, and no output is kept. */
  readonly inherits?: boolean
}

/** A single word goes to a shell if it has characters that a shell interprets. */
export function readCommand(words: readonly string[], command = 'sweep'): CommandLine {
  const [file = '', ...args] = words
  if (file.trim() === '')
    throw new CannotRun(`There is no command to run: write it after --, as in \`crm-sandbox ${command} -- npm test\`.`)
  // Windows starts npm, which is a script there, with a shell only.
  const shell = (args.length === 0 && !/^[\w./@:+-]+$/.test(file)) || process.platform === 'win32'
  return { file, args, shell }
}

export const showCommand = ({ file, args }: Omit<CommandLine, 'shell'>) =>
  args.length === 0
    ? file
    : [file, ...args].map((word) => (/^[\w./@:=,+-]+$/.test(word) ? word : quoteForShell(word))).join(' ')

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) killGroup(child, 'SIGKILL')
})

const longestOutput = 16 * 1024

/** Runs a command in a new process group, so that its child processes end with it. */
export async function runCommand(
  { file, args, shell }: CommandLine,
  { env, timeout, signal, gracePeriod = 2_000, inherits = false }: RunOptions,
): Promise<RunResult> {
  const startedAt = performance.now()
  const stdio = inherits ? 'inherit' : (['ignore', 'pipe', 'pipe'] as const)
  const options = { env, shell, detached: hasGroups, stdio: stdio as StdioOptions }
  // Only Windows has a shell and arguments.
  const child = shell ? spawn([file, ...args].map(asWordOf(args)).join(' '), options) : spawn(file, args, options)
  running.add(child)
  let reason: string | undefined
  let wasKilled = false
  let killTimer: NodeJS.Timeout | undefined
  const kill = () => {
    wasKilled = true
    killGroup(child, 'SIGKILL')
  }
  const stop = (why: string, by: NodeJS.Signals = 'SIGTERM') => {
    reason ??= why
    killGroup(child, by)
    killTimer ??= setTimeout(kill, gracePeriod)
  }
  const timer = timeout === undefined ? undefined : setTimeout(stop, timeout, `timed out after ${timeout / 1000} s`)
  const onAbort = () =>
    stop('interrupted', typeof signal?.reason === 'string' ? (signal.reason as NodeJS.Signals) : undefined)
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()
  try {
    const { how, output, exitCode } = await waitForEnd(child, file)
    const seconds = (performance.now() - startedAt) / 1000
    const passed = reason === undefined && exitCode === 0
    return { passed, how: reason ?? how, seconds, output, exitCode, wasKilled }
  } finally {
    clearTimeout(timer)
    clearTimeout(killTimer)
    signal?.removeEventListener('abort', onAbort)
    running.delete(child)
  }
}

/** A word of a command of Windows; a single text is a line already. */
const asWordOf = (args: readonly string[]) => (word: string) =>
  args.length === 0 || /^[\w./@:=,+\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`

function waitForEnd(
  child: ChildProcess,
  file: string,
): Promise<Pick<RunResult, 'output' | 'exitCode'> & { readonly how: string }> {
  const pipes = [child.stdout, child.stderr]
  let output = ''
  for (const pipe of pipes)
    pipe?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-longestOutput)
    })
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      const why = codeOf(error) === 'ENOENT' ? 'there is no such command' : (codeOf(error) ?? error.message)
      reject(new CannotRun(`The command ${quote(file)} cannot be started: ${why}.`))
    })
    child.once('exit', () => {
      killGroup(child, 'SIGKILL')
      // A process that left the group may hold the pipes.
      setTimeout(() => {
        for (const pipe of pipes) pipe?.destroy()
      }, 500).unref()
    })
    child.once('close', (code, signal) =>
      resolve({
        how: signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`,
        output,
        exitCode: signal === null ? (code ?? 1) : 128 + constants.signals[signal],
      }),
    )
  })
}

const hasGroups = process.platform !== 'win32'

/** Sends a signal to a process and its children, which may have ended already. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child
  if (pid === undefined) return
  try {
    if (hasGroups) process.kill(-pid, signal)
    else child.kill(signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error
  }
}

/** Lines with which test runners name a failed test. */
const failures = [
  /^\s*FAIL\s+(\S.* > .+)$/, // vitest
  /^\s*● (?!Console$)(.+)$/, // jest
  /^\s*✖ (.+) \([\d.]+ms\)$/, // node:test
  /^\s*not ok \d+ - (.+?)(?: # .*)?$/, // TAP, which node:test prints where there is no terminal
  /^FAILED (\S+::.+?)(?: - .*)?$/, // pytest
  /^\s*--- FAIL: (\S+)/, // go test
]

/** The names of the first three failed tests, as far as the output has them. */
export function failedTests(output: string): string[] {
  const lines = stripVTControlCharacters(output).split(/\r?\n/)
  const names = lines.flatMap((line) => failures.flatMap((form) => form.exec(line)?.[1]?.trim() ?? []))
  return [...new Set(names)].slice(0, 3)
}

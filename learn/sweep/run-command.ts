import { type ChildProcess, spawn } from 'node:child_process'
import { CannotRun } from '../../client/errors.ts'
import { quote } from '../../shared/printable.ts'
import { codeOf } from '../../shared/file-errors.ts'

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

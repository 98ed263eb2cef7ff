import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { sleep } from '../../client/sleep.ts'
import { compile } from '../compile.ts'

const writer = await compile(new URL('writer.mjs', import.meta.url))

interface Writing {
  readonly pid: number
  /** Resolves once it has the file, or with the reason why it was refused. */
  readonly started: Promise<string | undefined>
  /** Returns the lines that it has printed. */
  kill(): Promise<readonly string[]>
}

/** Starts a process that writes to the file until it is killed. */
export function writeTo(path: string, ...args: string[]): Writing {
  const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-said-'))
  // A file, since a full pipe loses lines when the process is killed.
  const [said, output] = [join(folder, 'said'), openSync(join(folder, 'said'), 'w')]
  const child = spawn(process.execPath, [writer, path, ...args], { stdio: ['ignore', output, 'pipe'] })
  closeSync(output)
  const ended = once(child, 'close')
  const refused = refusal(child)
  const hasStarted = async () => {
    while (statSync(said).size === 0 && child.exitCode === null && child.signalCode === null) await sleep(2)
    return statSync(said).size === 0 ? refused : undefined
  }
  const started = hasStarted()
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
    return readFileSync(said, 'utf8').split('\n').slice(0, -1)
  }
  onTestFinished(async () => {
    await kill()
    await started
    rmSync(folder, { recursive: true })
  })
  return { pid: child.pid ?? 0, started, kill }
}

async function refusal(child: ChildProcess): Promise<string> {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (more: string) => (text += more))
  await once(child, 'close')
  return text.trim()
}

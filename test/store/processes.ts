import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { sleep } from '../../client/sleep.ts'

const writer = fileURLToPath(new URL('writer.mjs', import.meta.url))
const compiled = fileURLToPath(new URL('../../dist/mock/store/file/file-store.js', import.meta.url))

interface Writing {
  readonly pid: number
  /** Resolves once it has the file, or with the reason why it was refused. */
  readonly started: Promise<string | undefined>
  /** Returns the lines that it has printed. */
  kill(): Promise<readonly string[]>
}

/** Starts a process that writes to the file until it is killed. */
export function writeTo(path: string, ...args: string[]): Writing {
  if (!existsSync(compiled)) throw new Error('Another process runs the compiled code: `npm run build` comes first.')
  const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-said-'))
  // What waits to be read in a pipe is lost when the process is killed, once there is no room for more.
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

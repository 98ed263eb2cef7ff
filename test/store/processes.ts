import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const writer = fileURLToPath(new URL('writer.mjs', import.meta.url))
const compiled = fileURLToPath(new URL('../../dist/mock/store/file/file-store.js', import.meta.url))

interface Writing {
  readonly pid: number
  /** The lines that it has printed so far. */
  readonly said: readonly string[]
  /** Resolves once it has the file, or with the reason why it was refused. */
  readonly started: Promise<string | undefined>
  kill(): Promise<void>
}

/** Starts a process that writes to the file until it is killed. */
export function writeTo(path: string, ...args: string[]): Writing {
  if (!existsSync(compiled)) throw new Error('Another process runs the compiled code: `npm run build` comes first.')
  const child = spawn(process.execPath, [writer, path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const said: string[] = []
  const lines = createInterface(child.stdout).on('line', (line) => said.push(line))
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  return {
    pid: child.pid ?? 0,
    said,
    started: Promise.race([once(lines, 'line').then(() => undefined), refusal(child)]),
    kill,
  }
}

async function refusal(child: ChildProcess): Promise<string> {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (more: string) => (text += more))
  await once(child, 'close')
  return text.trim()
}

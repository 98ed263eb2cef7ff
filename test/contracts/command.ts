import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export { run } from '../cli/command.ts'

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** The command while it runs. */
export function verifying(args: readonly string[], variables: Readonly<Record<string, string>>) {
  const { PATH = '' } = process.env
  const child: ChildProcess = spawn(process.execPath, [cli, 'verify', ...args], { env: { PATH, ...variables } })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let stdout = ''
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  const over = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout }))
  const hasSaid = async (words: string) => {
    while (!stdout.includes(words)) {
      const ended = await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 5))])
      if (ended !== undefined && !stdout.includes(words)) throw new Error(`It ended without saying ${words}: ${stdout}`)
    }
  }
  return { child, over, hasSaid }
}

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { cli } from '../docs/desk.ts'

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

type Variables = Readonly<Record<string, string>>

/** The command as it is published, and what it said when it was over. */
export async function run(args: readonly string[], variables: Variables = {}): Promise<Ended> {
  return ended(spawnCli(args, variables))
}

/** A sandbox that runs on its own, once it says where it listens. */
export async function serve(args: readonly string[] = [], variables: Variables = {}) {
  const child = spawnCli(['serve', '--port', '0', ...args], variables)
  const over = ended(child)
  let banner = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      banner += chunk.toString()
      if (banner.endsWith('}\n') || banner.includes('/_sandbox/health')) resolve()
    })
    void over.then(({ stderr }) => {
      reject(new Error(`It ended: ${stderr}`))
    })
  })
  const url = /http:\/\/[^\s/"]+/.exec(banner)?.[0] ?? ''
  return { url, banner, child, over }
}

function spawnCli(args: readonly string[], variables: Variables): ChildProcessWithoutNullStreams {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [cli, ...args], { env: { PATH, ...variables } })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...said }
}

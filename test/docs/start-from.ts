import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Parcel } from './parcel.ts'

interface Served extends AsyncDisposable {
  readonly url: string
}

/** Starts a sandbox by a command in the folder of the package, and waits until it listens. */
export async function startFrom(parcel: Parcel, command: string, ...args: string[]): Promise<Served> {
  const child = spawn(command, [...args, 'serve', '--port', '0'], { cwd: parcel.folder, detached: true })
  let output = ''
  child.stderr.on('data', (text: Buffer) => (output += text.toString()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString()
      const [, url] = /listens on (\S+)/.exec(output) ?? []
      if (url !== undefined) resolve(url)
    })
    child.once('close', () => {
      reject(new Error(output))
    })
  })
  return {
    url,
    async [Symbol.asyncDispose]() {
      if (child.pid !== undefined) process.kill(-child.pid) // the whole process group, because npx starts the server as a child
      await once(child, 'close')
    },
  }
}

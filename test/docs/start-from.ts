import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Parcel } from './parcel.ts'

export interface Served extends AsyncDisposable {
  readonly url: string
}

/** A sandbox that a command starts in the folder of the parcel. */
export async function startFrom(parcel: Parcel, command: string, ...args: string[]): Promise<Served> {
  const child = spawn(command, [...args, 'serve', '--port', '0'], { cwd: parcel.folder, detached: true })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      said += text.toString()
      const [, url] = /listens on (\S+)/.exec(said) ?? []
      if (url !== undefined) resolve(url)
    })
    child.once('close', () => {
      reject(new Error(said))
    })
  })
  return {
    url,
    async [Symbol.asyncDispose]() {
      if (child.pid !== undefined) process.kill(-child.pid) // npx stands between
      await once(child, 'close')
    },
  }
}

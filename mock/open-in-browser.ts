import { spawn } from 'node:child_process'

/** Opens a page in the browser of this machine. Calls back with a sentence when that is not possible. */
export function openInBrowser(url: string, failed: (sentence: string) => void): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  const fail = (reason: string) => {
    failed(`--open: ${reason}, so no browser was opened; open ${url} yourself`)
  }
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {
    fail(`this machine has no ${command}`)
  })
  child.on('exit', (code) => {
    if (code !== null && code !== 0) fail(`${command} found no browser`)
  })
  child.unref()
}

/** How each system opens a URL with the browser of the user; others have `xdg-open`. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

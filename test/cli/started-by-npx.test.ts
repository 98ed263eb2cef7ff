import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, type TestContext } from 'vitest'
import { cli } from '../docs/desk.ts'

// The parent process of each test plays npx: it starts the server, and is killed.

const ofNpx = { npm_command: 'exec', npm_lifecycle_event: 'npx', npm_lifecycle_script: "'crm-sandbox' serve" }

it.concurrent('ends when the npx that started it is gone', async (context) => {
  const { parent, pid } = await startBy(context, ofNpx)
  parent.kill('SIGKILL')
  while (isRunning(pid)) await wait(50)
})

it.concurrent.for<[string, Readonly<Record<string, string>>]>([
  ['by its path', {}],
  ['by a script of npm', { npm_lifecycle_event: 'start', npm_lifecycle_script: 'crm-sandbox serve' }],
  ['by a program that npx runs', { ...ofNpx, npm_lifecycle_script: "'jest' crm-sandbox" }],
])('keeps running when it was started %s', async ([, variables], context) => {
  const { parent, url, pid } = await startBy(context, variables)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  await wait(1_500) // three times as long as it takes to notice
  expect(isRunning(pid)).toBe(true)
  expect((await fetch(url)).status).toBe(200)
})

async function startBy({ onTestFinished }: TestContext, variables: Readonly<Record<string, string>>) {
  const env = { PATH: process.env.PATH ?? '', ...variables }
  const parent = spawn(process.execPath, ['-e', starting], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const { url, pid } = JSON.parse(line.toString()) as { url: string; pid: number }
  onTestFinished(() => {
    parent.kill('SIGKILL')
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  })
  return { parent, url, pid }
}

const starting = `
  const args = [${JSON.stringify(cli)}, 'serve', '--port', '0', '--print-json']
  require('node:child_process').spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'ignore'] })
  setInterval(() => {}, 1000)
`

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

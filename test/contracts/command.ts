import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { sleep } from '../../contracts/client/sleep.ts'
import type { SandboxOptions, World } from '../../index.ts'
import { startOwnTarget } from '../../cli/own-target.ts'
import { run } from '../cli/command.ts'
import { cli } from '../docs/docs-runner.ts'
import { newFolder, startSandbox } from '../for-one-test.ts'
import { recordsIn } from './client/helpers.ts'

export { run } from '../cli/command.ts'

type Variables = Readonly<Record<string, string>>

export const acme = { CRM_API_KEY: 'acme-key' }

export const only = (...words: readonly string[]) => words.flatMap((word) => ['--only', word])

/** Runs the command against a server, with a new folder for ledgers. */
export const verifyAt = (url: string, args: readonly string[], variables: Variables = acme): ReturnType<typeof run> =>
  run(['verify', '--base-url', url, '--ledgers', newFolder(), ...args], variables)

export const startTwoTeams = () => startSandbox({ port: 0, world: 'two-teams' })

/** Runs the command against a sandbox with these options, with all credentials and providers. */
export const verified = (options: SandboxOptions, ...args: string[]): ReturnType<typeof run> =>
  verifiedThrough(async (url) => url, options, ...args)

/** The same through a proxy in front of the sandbox. A run leaves its records as they were. */
export async function verifiedThrough(
  proxyOf: (url: string) => Promise<string>,
  options: SandboxOptions,
  ...args: string[]
): ReturnType<typeof run> {
  const own = await startOwnTarget(options)
  const { baseUrl = '', emailProvider = '', smsProvider = '', whatsappProvider = '' } = own.wanted
  const places = ['--pipeline-id', 'sales', '--stage-id', 'talking']
  const channels = ['--email-provider', emailProvider, '--sms-provider', smsProvider]
  const { team = '', otherTeam = '', admin = '', agent = '' } = own.credentials
  const credentials = {
    CRM_API_KEY: team,
    CRM_OTHER_API_KEY: otherTeam,
    CRM_ADMIN_TOKEN: admin,
    CRM_AGENT_TOKEN: agent,
  }
  // No operation takes a scheduled bulk send back.
  const records = async () =>
    recordsIn((await (await fetch(`${baseUrl}/_sandbox/world`)).json()) as World).map((team) => ({
      ...team,
      bulkSends: [],
    }))
  try {
    const before = await records()
    const run = await verifyAt(
      await proxyOf(baseUrl),
      [...places, ...channels, '--whatsapp-provider', whatsappProvider, ...args],
      credentials,
    )
    if (/Everything that .* is deleted/.test(run.stdout)) expect(await records()).toEqual(before)
    return run
  } finally {
    await own.stop()
  }
}

/** Kills a run once its ledger has more than `enough` bytes, unless it ends before. Returns how many it had. */
export async function killAtSize(child: ChildProcess, ledgers: string, enough: number): Promise<number> {
  const over = child.exitCode === null && once(child, 'close')
  let bytes = 0
  while (child.exitCode === null && bytes <= enough) {
    bytes = Math.max(bytes, sizeOf(ledgers))
    await sleep(2)
  }
  child.kill('SIGKILL')
  await over
  return bytes
}

/** The size of the ledger in a folder, which is deleted when its run is over. */
function sizeOf(ledgers: string): number {
  const [name] = readdirSync(ledgers)
  return (name === undefined ? undefined : statSync(join(ledgers, name), { throwIfNoEntry: false })?.size) ?? 0
}

/** The command while it runs. */
export function verifying(args: readonly string[], variables: Variables) {
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

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sleep } from '../../client/sleep.ts'
import { createSandbox, type World } from '../../index.ts'
import { run } from '../cli/command.ts'
import { recordsIn } from '../client/harness.ts'
import { cli } from '../docs/desk.ts'
import { inTier } from '../tier.ts'
import { newFolder } from '../for-one-test.ts'

// KILLS=50 for more.
const kills = Number(process.env.KILLS ?? inTier({ test: 2, nightly: 10 }))

it(
  `killed at ${kills} moments and then cleaned, a run leaves nothing, and its older profile whole`,
  async () => {
    const whole = await leavesNothing(undefined, 'acme-key')
    // A run without a key has the sandbox make a second team and tokens for it.
    for (let kill = 1; kill <= kills; kill++)
      await leavesNothing(whole * ((kill * 0.618) % 1), kill % 2 === 1 ? undefined : 'acme-key')
  },
  5 * 60_000 + kills * 60_000,
)

/** Kills a run some milliseconds after its first request, cleans, and looks. Returns how long the run took. */
async function leavesNothing(milliseconds: number | undefined, key: string | undefined): Promise<number> {
  await using sandbox = await createSandbox({ port: 0, world: 'two-teams' })
  const before = await sandbox.world()
  const [ledgers, files] = [newFolder(), newFolder()]
  const [profile, evidence] = [join(files, 'profile.yaml'), join(files, 'evidence.json')]
  writeFileSync(profile, 'badPage: clamped\n')
  const env: Record<string, string> = key === undefined ? {} : { CRM_API_KEY: key }
  const written = ['--ledgers', ledgers, '--profile', profile, '--evidence', evidence]
  const child = spawn(process.execPath, [cli, 'learn', '--base-url', sandbox.url, ...written], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'ignore',
  })
  const over = once(child, 'close')
  while (readdirSync(ledgers).length === 0 && child.exitCode === null) await sleep(10)
  const begun = performance.now()
  if (milliseconds !== undefined) {
    await Promise.race([over, sleep(milliseconds)])
    child.kill('SIGKILL')
  }
  await over
  const taken = performance.now() - begun

  let stays = 0
  for (const ledger of readdirSync(ledgers)) {
    const cleaned = await run(['verify', '--clean', join(ledgers, ledger)], env)
    expect(cleaned, cleaned.stdout).toMatchObject({ code: 0, stderr: '' })
    for (const [, count] of cleaned.stdout.matchAll(/^stays: (\d+) (?:scheduled|queued) bulk send/gm))
      stays += Number(count)
  }
  const after = await sandbox.world()
  expect(whatCanBeDeleted(after)).toEqual(whatCanBeDeleted(before))
  if (child.signalCode === 'SIGKILL') expect(bulkSendsIn(after)).toBeLessThanOrEqual(stays)
  expect(readFileSync(profile, 'utf8')).toMatch(/^(badPage: clamped\n$|# What http)/)
  expect(readdirSync(files).filter((name) => !/^(profile\.yaml|evidence\.json)$/.test(name))).toEqual([])
  if (existsSync(evidence)) JSON.parse(readFileSync(evidence, 'utf8'))
  return taken
}

/** All records except the users of tokens and scheduled bulk sends, which no operation deletes. */
const whatCanBeDeleted = (world: World) => recordsIn(world).map(({ users, bulkSends, ...team }) => team)

const bulkSendsIn = ({ teams }: World) => teams.flatMap(({ bulkSends = [] }) => bulkSends).length

import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Residue } from '../../contracts/client/clean.ts'
import { cleanUp } from '../../contracts/index.ts'
import { createSandbox } from '../../index.ts'
import { recordsIn } from '../contracts/client/helpers.ts'
import { killAtSize } from '../contracts/command.ts'
import { cli } from '../docs/docs-runner.ts'
import { inTier } from '../tier.ts'
import { compareDeviant, compareSandboxes, drawChoices } from '../contracts/compare/helpers.ts'
import { deviants } from '../contracts/compare/deviants.ts'
import { newFolder } from '../for-one-test.ts'

// COMPARED_SEED=4 COMPARED_SANDBOXES=20 COMPARED_STEPS=10000 KILLS=50 for more.
const all = Object.entries(deviants)
const tried = all.filter((_, at) => inTier({ test: at % 4 === 1, nightly: true }))
const seedOfDeviants = Number(process.env.COMPARED_SEED ?? 3)
const sandboxes = Number(process.env.COMPARED_SANDBOXES ?? 2)
const steps = Number(process.env.COMPARED_STEPS ?? 250)
const kills = Number(process.env.KILLS ?? 2)

// The timeout of a test grows with its number of steps.
const minute = 60_000

it(
  `finds what no choice describes, in at most 6 requests, in nine of ten of ${tried.length} servers`,
  async () => {
    const missed: string[] = []
    const explained: string[] = []
    for (const [name, deviant] of tried) {
      const { differences } = await compareDeviant(deviant, { seed: seedOfDeviants })
      const [found] = differences
      if (!found || found.story.length > 6)
        missed.push(`${name} (${found ? `${found.story.length} requests` : 'not found'})`)
      if (found && found.explanations.length > 0) explained.push(name)
    }
    console.log(`Found ${tried.length - missed.length} of ${tried.length}; not: ${missed.join(', ')}`)
    expect(explained).toEqual([])
    expect(missed.length).toBeLessThanOrEqual(Math.ceil(tried.length / 10))
  },
  5 * minute + tried.length * minute,
)

it(
  `finds no difference in ${steps} steps on ${sandboxes} sandboxes that chose everything at random`,
  async () => {
    const same: number[] = []
    const different: unknown[] = []
    for (let seed = 1; seed <= sandboxes; seed++) {
      const { differences, steps: taken } = await compareSandboxes({ assume: drawChoices(seed), steps, seed })
      if (differences.length === 0 && taken === steps) same.push(seed)
      else different.push({ seed, taken, differences })
    }
    console.log(`The same for ${steps} steps: ${same.length} of ${sandboxes}`)
    expect(different).toEqual([])
  },
  5 * minute + sandboxes * steps * 30,
)

it(
  `killed at ${kills} moments and then cleaned, a run leaves nothing but contacts without an address, which it reports`,
  async () => {
    for (let kill = 1; kill <= kills; kill++) {
      await using sandbox = await createSandbox({ port: 0, world: 'two-teams' })
      const before = recordsIn(await sandbox.world())
      const ledgers = newFolder()
      const child = spawn(process.execPath, [cli, 'compare', '--base-url', sandbox.url, '--ledgers', ledgers], {
        env: { PATH: process.env.PATH ?? '', CRM_API_KEY: 'acme-key' },
      })
      await killAtSize(child, ledgers, 5_000 * kill)
      const reported: Residue[] = []
      for (const ledger of readdirSync(ledgers)) {
        const { residue } = await cleanUp(join(ledgers, ledger), { env: { CRM_API_KEY: 'acme-key' } })
        reported.push(...residue)
      }
      expect(reported.filter(({ kind, why }) => kind !== 'contact' || !why.includes('nothing can find it'))).toEqual([])
      const left = recordsIn(await sandbox.world()).map(({ contacts = [], ...team }) => ({
        ...team,
        contacts: contacts.filter(({ email, phone, firstName }) => {
          const at = reported.findIndex(({ what }) => what === firstName)
          if (at < 0 || email !== undefined || phone !== undefined) return true
          reported.splice(at, 1)
          return false
        }),
      }))
      expect(left).toEqual(before)
    }
  },
  5 * minute + kills * minute,
)

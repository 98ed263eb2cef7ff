import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sleep } from '../../contracts/client/sleep.ts'
import { recordsIn } from '../contracts/client/helpers.ts'
import { cli } from '../docs/docs-runner.ts'
import { inTier, seed } from '../tier.ts'
import { inFrontOf, meaningOf, sandboxWith, seedingOf, worldWithout } from '../fixtures/helpers.ts'
import { newFolder } from '../for-one-test.ts'

/** `KILLS=100` for more. */
const kills = Number(process.env.KILLS ?? inTier({ test: 4, nightly: 20 }))

/** How many requests later the next run is interrupted. */
const step = inTier({ test: 5, nightly: 1 })

const world = await worldWithout({ seed: 11, contacts: 30 })

it(`killed ${kills} times while it seeds and undoes, a run creates each record once, and then deletes all of them`, async () => {
  const sandbox = await sandboxWith({ world: await worldWithout({ seed: 12, contacts: 40 }, 'templates') })
  const before = JSON.stringify(recordsIn(await sandbox.world()))
  const once = await sandboxWith({ world: 'empty' })
  const path = join(newFolder(), 'world.json')
  writeFileSync(path, JSON.stringify(world))
  const { ledger } = await seedingOf(once.url).seed({ world: path, allowSends: true })
  const whole = statSync(ledger ?? '').size
  const wanted = meaningOf(await once.world())

  for (let killed = 0; killed < kills;) {
    const ledgers = newFolder()
    const options = ['--base-url', sandbox.url, '--ledgers', ledgers]
    const nameOf = () => join(ledgers, readdirSync(ledgers)[0] ?? 'none')
    const until = async (args: string[], share: number) => {
      while (
        !(await runUntil([...options, ...args], nameOf, killed < kills ? share * Math.random() * whole : Infinity))
      ) {
        killed++
        args = args.includes('--undo') ? args : ['--resume', nameOf()]
        if (args[1] !== undefined && !statSync(args[1], { throwIfNoEntry: false })) return
      }
    }
    await until(['--world', path, '--allow-sends'], 0.3)
    const seeded = meaningWithout(meaningOf(await sandbox.world()), JSON.parse(before) as object[])
    expect(seeded).toEqual(wanted)
    await until(['--undo', nameOf()], 0.1)
    expect(JSON.stringify(recordsIn(await sandbox.world()))).toBe(before)
  }
})

it('interrupted at a request without an answer, resumes to the same world without other records', async () => {
  const world = await worldWithout({ seed: 3, contacts: 5 }, 'messages')
  const other = await sandboxWith({ world: 'empty' })
  await seedingOf(other.url).seed({ world })
  const wanted = meaningOf(await other.world())

  let isOver = false
  for (let last = 6 + (seed % step); !isOver; last += step) {
    const sandbox = await sandboxWith({ world: 'empty' })
    const before = JSON.stringify(recordsIn(await sandbox.world()))
    const controller = new AbortController()
    let [count, creates] = [0, 0]
    const after = ({ method }: IncomingMessage) => {
      if (++count > last) return undefined
      if (count < last) return method !== 'GET' && ++creates % 4 === 0 ? 500 : undefined
      controller.abort()
      return 'nothing'
    }
    const seeding = seedingOf(await inFrontOf(sandbox, { after }))
    const { ledger = '', stopped } = await seeding.seed({ world, atOnce: 1, signal: controller.signal })
    isOver = stopped === undefined
    if (!isOver) expect(await seeding.seed({ world, resume: ledger })).toMatchObject({ leftOut: [] })
    expect(meaningOf(await sandbox.world())).toEqual(wanted)
    expect(await seeding.undo(ledger)).toMatchObject({ residue: [] })
    expect(JSON.stringify(recordsIn(await sandbox.world()))).toBe(before)
  }
})

/** The new records. */
function meaningWithout(all: Record<string, unknown[]>, before: readonly object[]): Record<string, unknown[]> {
  const old = meaningOf({ teams: before } as unknown as Parameters<typeof meaningOf>[0])
  return Object.fromEntries(
    Object.entries(all).map(([kind, list]) => {
      const rest = [...(old[kind] ?? [])]
      return [kind, list.filter((one) => !rest.includes(one) || rest.splice(rest.indexOf(one), 1).length === 0)]
    }),
  )
}

/** Whether the command came to its end before its ledger had grown by so many bytes, and it was killed. */
async function runUntil(args: readonly string[], nameOf: () => string, enough: number): Promise<boolean> {
  const size = () => statSync(nameOf(), { throwIfNoEntry: false })?.size ?? 0
  const start = size()
  const child = spawn(process.execPath, [cli, 'seed', ...args], { env: { PATH: process.env.PATH ?? '' } })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stdout.resume()
  const over = once(child, 'close')
  while (child.exitCode === null && child.signalCode === null && size() - start <= enough) await sleep(1)
  child.kill('SIGKILL')
  const [code] = (await over) as [number | null]
  if (code !== null) expect({ code, said }).toEqual({ code: 0, said: '' })
  return code !== null
}

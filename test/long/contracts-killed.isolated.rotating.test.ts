import { kindNames } from '../../contracts/client/kinds.ts'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { cleanUp } from '../../contracts/index.ts'
import { sleep } from '../../contracts/client/sleep.ts'
import { generateWorld } from '../../fixtures/generate/generate-world.ts'
import type { Sandbox, World } from '../../index.ts'
import { inTier } from '../tier.ts'
import { killAtSize, verifying } from '../contracts/command.ts'
import { recordsIn } from '../contracts/client/helpers.ts'
import { newFolder, serverThat, startSandbox } from '../for-one-test.ts'

const kills = Number(process.env.KILLS ?? inTier({ test: 8, nightly: 200 }))
const killsOfEach = Math.ceil(kills / 10)
/** Several servers at once, so that no processor waits for a disk or a timer. */
const servers = 4
const credentials = { CRM_API_KEY: 'acme-key', CRM_OTHER_API_KEY: 'globex-key' }

const worlds = await Promise.all(['acme', 'globex'].map((team, seed) => generateWorld({ seed, team, contacts: 100 })))
const foreign = worlds.flatMap(({ teams }) => teams)

/** A few checks for each kind of record. */
const checks = kindNames.map((kind) => `${kind}.create`)

it(`killed at ${kills} random moments and then cleaned, a run leaves nothing and touches nothing else`, async () => {
  const left = await Promise.all(Array.from({ length: servers }, () => killedAndCleaned(kills / servers)))
  expect(left.flat().filter((records) => records).length).toBeGreaterThan(kills / 2)
})

/** The proxy in front of a correct server, which makes it behave differently. */
interface Between {
  readonly keepsKeys: boolean
  /** Milliseconds before a request is carried out. */
  readonly delay: number
}

const correct: Between = { keepsKeys: true, delay: 0 }

it.each<[string, Partial<Between>]>([
  ['ignores keys', { keepsKeys: false }],
  ['carries out requests late', { delay: 100 }],
])('killed and cleaned on a server that %s, a run touches nothing else and says what is left', async (_, change) => {
  const server = await startSandbox({ port: 0, world: { teams: foreign } })
  const url = await standBetween(server, { ...correct, ...change })
  const before = recordsOf(await server.world())
  const whole = await written(url, newFolder(), Infinity)
  for (let round = 0; round < killsOfEach; round++) {
    const had = new Set(recordsOf(await server.world()))
    const ledgers = newFolder()
    await written(url, ledgers, Math.random() * whole)
    const said: string[] = []
    for (const name of readdirSync(ledgers)) {
      const { residue } = await cleanUp(join(ledgers, name), { env: credentials })
      said.push(...residue.map(({ what }) => what))
    }
    const has = recordsOf(await server.world())
    expect(before.filter((record) => !has.includes(record))).toEqual([])
    if (said.length === 0) expect(has.filter((record) => !had.has(record))).toEqual([])
  }
})

/** The address of a server that passes requests on, changed. */
async function standBetween(server: Sandbox, { keepsKeys, delay }: Between): Promise<string> {
  return serverThat((request, answer) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => void pass().catch(() => answer.destroy()))

    async function pass() {
      const { method = 'GET', url: path = '' } = request
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
      await sleep(method === 'GET' ? 0 : delay)
      const came = await server.fetch(path, {
        method,
        headers: headers.filter(([name]) => keepsKeys || name !== 'idempotency-key'),
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      })
      answer.writeHead(came.status, { 'content-type': 'application/json' }).end(await came.text())
    }
  })
}

/** Whether each of the killed runs left records, before it was cleaned. */
async function killedAndCleaned(times: number): Promise<boolean[]> {
  const server = await startSandbox({ port: 0, world: { teams: foreign } })
  const before = recordsOf(await server.world())
  expect(before.length).toBeGreaterThan(1000)
  const whole = await written(server.url, newFolder(), Infinity)
  const left: boolean[] = []
  while (left.length < times) {
    const ledgers = newFolder()
    await written(server.url, ledgers, Math.random() * whole)
    left.push(!isDeepStrictEqual(recordsOf(await server.world()), before))
    for (const name of readdirSync(ledgers))
      expect(await cleanUp(join(ledgers, name), { env: credentials })).toMatchObject({ residue: [] })
    expect(recordsOf(await server.world())).toEqual(before)
  }
  return left
}

/** Each record as text, so that a comparison is exact and fast. */
function recordsOf(world: World): string[] {
  const lists = recordsIn(world).map((team) => Object.values(team).filter(Array.isArray))
  return lists.flat(2).map((record) => JSON.stringify(record))
}

/** Runs until the ledger has `enough` bytes, then kills the run. Returns how many it had. */
async function written(url: string, ledgers: string, enough: number): Promise<number> {
  const only = checks.flatMap((words) => ['--only', words])
  const { child } = verifying(['--base-url', url, '--ledgers', ledgers, ...only], credentials)
  return killAtSize(child, ledgers, enough)
}

import { expect, it } from 'vitest'
import { inTier } from '../tier.ts'
import { copyFile, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { World } from '../../fixtures/world.ts'
import { openStore } from '../../mock/store/open-store.ts'
import { emptyTeams } from './harness.ts'
import { writeTo } from './processes.ts'
import { newFolder } from '../for-one-test.ts'

const { cycles, atLeast } = inTier({
  test: { cycles: 5, atLeast: 500 },
  ci: { cycles: 10, atLeast: 1_000 },
  nightly: { cycles: 200, atLeast: 20_000 },
})

it('loses nothing that was answered when it is killed, and can be read again every time', async () => {
  const { answered, lost } = await killCycles(cycles)
  expect(answered).toBeGreaterThan(atLeast)
  expect(lost).toEqual([])
})

it('loses changes when it acknowledges before it has written', { timeout: 60_000 }, async () => {
  const { answered, lost } = await killCycles(3, 'unsafe')
  expect(answered).toBeGreaterThan(100)
  expect(lost).not.toEqual([])
})

const kept = 5
const cyclesInOneFile = 10

/** Kills a process again and again while it writes; answers how much was answered, and what of it was lost. */
async function killCycles(cycles: number, ...mode: string[]) {
  const lost: string[] = []
  let answered = 0
  let path = ''
  for (let cycle = 0; cycle < cycles; cycle++) {
    if (cycle % cyclesInOneFile === 0) path = join(newFolder(), 'crm.json')
    const said = await killedWhileWriting(path, `${cycle}`, ...mode)
    const world = await worldIn(path).catch((error: unknown) => (error as Error).message)
    answered += said.length
    lost.push(...(typeof world === 'string' ? [world] : missing(said, `${cycle}`, world)))
    if (typeof world === 'string') path = join(newFolder(), 'crm.json')
  }
  return { answered, lost }
}

async function killedWhileWriting(path: string, ...args: string[]): Promise<readonly string[]> {
  const writing = writeTo(path, ...args)
  const refusal = await writing.started
  if (refusal !== undefined) throw new Error(refusal)
  await new Promise((go) => setTimeout(go, 20 + Math.random() * 200))
  const said = await writing.kill()
  return said.filter((line) => line !== 'open')
}

/** Opens a copy, so that the next process finds what this one left. */
async function worldIn(path: string): Promise<World> {
  const copy = newFolder()
  for (const name of await readdir(dirname(path))) {
    if (!name.endsWith('.lock')) await copyFile(join(dirname(path), name), join(copy, name))
  }
  const store = await openStore(`file:${join(copy, basename(path))}`, emptyTeams)
  const world = await store.world()
  await store.close()
  return world
}

/** The writers with records of neither their last acknowledged transaction nor the next one. */
function missing(said: readonly string[], cycle: string, world: World): string[] {
  const last = new Map(said.map((line) => [line.replace(/ \d+$/, ''), Number(/\d+$/.exec(line)?.[0])]))
  return [...last]
    .filter(([writer, transaction]) => !isKept(`${cycle} ${writer}`, transaction, world))
    .map(([writer]) => `${cycle} ${writer}`)
}

function isKept(writer: string, last: number, { teams }: World): boolean {
  const idsIn = (kind: 'contacts' | 'deals') =>
    teams.flatMap((team) => (team[kind] ?? []).map(({ _id }) => _id).filter((id) => id.startsWith(`${writer} `))).join()
  const after = (transaction: number) =>
    Array.from({ length: kept }, (_, back) => transaction - kept + 1 + back)
      .filter((number) => number >= 0)
      .map((number) => `${writer} ${number}`)
      .join()
  return idsIn('contacts') === idsIn('deals') && [after(last), after(last + 1)].includes(idsIn('contacts'))
}

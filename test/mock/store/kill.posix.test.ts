import { expect, it, onTestFinished, describe } from 'vitest'
import { inTier } from '../../tier.ts'
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, extname } from 'node:path'
import type { World } from '../../../fixtures/world.ts'
import { lock } from '../../../mock/store/file/lock.ts'
import { openStore } from '../../../mock/store/open-store.ts'
import { Disk } from './disk.ts'
import { path } from './faults.ts'
import { emptyTeams } from './helpers.ts'
import { newFolder } from '../../for-one-test.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { sleep } from '../../../contracts/client/sleep.ts'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'
import { thisProcess, type Process } from '../../../lib/running-process.ts'

/** Compiles a program that imports our TypeScript, so that a test can start it as a process. Returns its path. */
async function compile(program: URL): Promise<string> {
  const path = fileURLToPath(program)
  const outDir = join('node_modules/.cache/crm-sandbox-tests', String(process.pid))
  const common = { config: false, clean: false, dts: false, report: false, logLevel: 'silent' } as const
  await build({ ...common, entry: path, outDir, fixedExtension: true, hash: false })
  return join(outDir, `${basename(path, extname(path))}.mjs`)
}

const writer = await compile(new URL('writer.mjs', import.meta.url))

interface Writing {
  readonly pid: number
  /** Resolves once it has printed so many lines; the first says that it has the file. */
  hasPrinted(lines: number): Promise<void>
  /** Returns the lines that it has printed. */
  kill(): Promise<readonly string[]>
}

/** Starts a process that writes to the file until it is killed. */
function writeTo(path: string, ...args: string[]): Writing {
  const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-said-'))
  // A file, since a full pipe loses lines when the process is killed.
  const [said, output] = [join(folder, 'said'), openSync(join(folder, 'said'), 'w')]
  const child = spawn(process.execPath, [writer, path, ...args], { stdio: ['ignore', output, 'pipe'] })
  closeSync(output)
  const ended = once(child, 'close')
  let error = ''
  child.stderr?.setEncoding('utf8').on('data', (more: string) => (error += more))
  const printed = () => readFileSync(said, 'utf8').split('\n').slice(0, -1)
  const hasPrinted = async (lines: number) => {
    while (printed().length < lines) {
      if (await Promise.race([ended, sleep(2)])) throw new Error(`The writer ended: ${error}`)
    }
  }
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
    return printed()
  }
  onTestFinished(async () => {
    await kill()
    rmSync(folder, { recursive: true })
  })
  return { pid: child.pid ?? 0, hasPrinted, kill }
}

const cycles = inTier({ test: 5, ci: 10, nightly: 200 })

it('loses nothing that was answered when it is killed, and can be read again every time', async () => {
  expect(await lostIn(cycles)).toEqual([])
})

it('loses changes when it acknowledges before it has written', async () => {
  expect(await lostIn(3, 'unsafe')).not.toEqual([])
})

const kept = 5
const cyclesInOneFile = 10

/** Kills a process again and again while it writes. Returns what it had acknowledged and is lost. */
async function lostIn(cycles: number, ...mode: string[]): Promise<string[]> {
  const lost: string[] = []
  let path = ''
  for (let cycle = 0; cycle < cycles; cycle++) {
    if (cycle % cyclesInOneFile === 0) path = join(newFolder(), 'crm.json')
    const said = await killedWhileWriting(path, `${cycle}`, ...mode)
    const world = await worldIn(path).catch((error: unknown) => (error as Error).message)
    lost.push(...(typeof world === 'string' ? [world] : missing(said, `${cycle}`, world)))
    if (typeof world === 'string') path = join(newFolder(), 'crm.json')
  }
  return lost
}

/** So many transactions are acknowledged before a kill, and up to twice as many. */
const fewest = 300

async function killedWhileWriting(path: string, ...args: string[]): Promise<readonly string[]> {
  const writing = writeTo(path, ...args)
  await writing.hasPrinted(fewest + Math.floor(Math.random() * fewest))
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

const me = thisProcess()

describe('a file that is in use', () => {
  it('is refused to another process, with a sentence that names the first', async () => {
    const path = join(newFolder(), 'crm.json')
    const writing = writeTo(path, '0')
    await writing.hasPrinted(1)
    await expect(openStore(`file:${path}`, emptyTeams)).rejects.toThrow(
      `${path} is in use by process ${writing.pid} on ${me.host}: stop it first, or name another file.`,
    )
  })

  it('is refused to the same process, and is free once it is closed', async () => {
    const place = `file:${join(newFolder(), 'crm.json')}`
    const store = await openStore(place, emptyTeams)
    await expect(openStore(place, emptyTeams)).rejects.toThrow(`is in use by process ${process.pid}`)
    await store.close()
    await store.close()
    await (await openStore(place, emptyTeams)).close()
  })

  it('is free when its process was killed, and no temporary file is left', async () => {
    const folder = newFolder()
    const path = join(folder, 'crm.json')
    const writing = writeTo(path, '0')
    await writing.hasPrinted(1)
    await writing.kill()
    for (const name of ['crm.json.tmp', 'crm.json.snapshot-seeded.json.tmp'])
      await writeFile(join(folder, name), 'half a docum')
    expect(await readdir(folder)).toContain('crm.json.lock')
    await (await openStore(`file:${path}`, emptyTeams)).close()
    expect(await readdir(folder)).toEqual(['crm.json'])
  })
})

describe('a lock', () => {
  it.each<[string, string]>([
    ['of a process that has ended', claim({ pid: 2 ** 22 + 1 })],
    ['from before the computer was switched on', claim({ boot: 'another' })],
    ['of a process whose number another process has now', claim({ began: '1' })],
    ['that was never written', ''],
  ])('%s is replaced', async (_, text) => {
    const folder = newFolder()
    await writeFile(join(folder, 'crm.json.lock'), text)
    const store = await openStore(`file:${join(folder, 'crm.json')}`, emptyTeams)
    expect((await readdir(folder)).filter((name) => name.endsWith('.lock'))).toEqual(['crm.json.lock'])
    await store.close()
    expect(await readdir(folder)).toEqual(['crm.json'])
  })

  it('of a process that has ended is replaced by one of several', async () => {
    const disk = Disk.holding({ [`${path}.lock`]: claim({ pid: 2 ** 22 + 1 }) })
    const locks = await Promise.allSettled(Array.from({ length: 5 }, () => lock(path, disk)))
    expect(locks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(disk.paths).toEqual([`${path}.lock`])
    await disk.remove(`${path}.lock`)
    await disk.create(`${path}.lock`)
    await disk.create(`${path}.stale.lock`)
    await expect(lock(path, disk)).rejects.toThrow(`delete ${path}.stale.lock, or name another file.`)
  })

  it('from another computer holds, and the refusal says which file to delete', async () => {
    const folder = newFolder()
    const path = join(folder, 'crm.json')
    await writeFile(`${path}.lock`, claim({ host: 'elsewhere', pid: 7 }))
    await expect(openStore(`file:${path}`, emptyTeams)).rejects.toThrow(
      `${path} is in use by process 7 on elsewhere: stop it first; if it has ended, delete ${path}.lock, or name another file.`,
    )
    expect(await readFile(`${path}.lock`, 'utf8')).toBe(claim({ host: 'elsewhere', pid: 7 }))
    expect(await readdir(folder)).toEqual(['crm.json.lock'])
  })
})

function claim(changed: Partial<Process>): string {
  return JSON.stringify({ ...me, ...changed })
}

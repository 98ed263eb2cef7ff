import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../mock/store/open-store.ts'
import { type Process, thisProcess } from '../../shared/running-process.ts'
import { emptyTeams } from './harness.ts'
import { writeTo } from './processes.ts'
import { newFolder } from '../for-one-test.ts'

const me = thisProcess()

describe('a file that is in use', () => {
  it('is refused to another process within a second, with a sentence that names the first', async () => {
    const path = join(newFolder(), 'crm.json')
    const writing = writeTo(path, '0')
    await writing.started
    const asked = performance.now()
    await expect(openStore(`file:${path}`, emptyTeams)).rejects.toThrow(
      `${path} is in use by process ${writing.pid} on ${me.host}: stop it first, or name another file.`,
    )
    expect(performance.now() - asked).toBeLessThan(1000)
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
    await writing.started
    await writing.kill()
    for (const name of ['crm.json.tmp', 'crm.json.snapshot-seeded.json.tmp'])
      await writeFile(join(folder, name), 'half a docum')
    expect(await readdir(folder)).toContain('crm.json.1.lock')
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
    await writeFile(join(folder, 'crm.json.3.lock'), text)
    const store = await openStore(`file:${join(folder, 'crm.json')}`, emptyTeams)
    expect((await readdir(folder)).filter((name) => name.endsWith('.lock'))).toEqual(['crm.json.4.lock'])
    await store.close()
    expect(await readdir(folder)).toEqual(['crm.json'])
  })

  it('from another computer holds, and the refusal says which file to delete', async () => {
    const folder = newFolder()
    const path = join(folder, 'crm.json')
    await writeFile(`${path}.1.lock`, claim({ host: 'elsewhere', pid: 7 }))
    await expect(openStore(`file:${path}`, emptyTeams)).rejects.toThrow(
      `${path} is in use by process 7 on elsewhere: stop it first; if it has ended, delete ${path}.1.lock, or name another file.`,
    )
    expect(await readFile(`${path}.1.lock`, 'utf8')).toBe(claim({ host: 'elsewhere', pid: 7 }))
    expect(await readdir(folder)).toEqual(['crm.json.1.lock'])
  })
})

function claim(changed: Partial<Process>): string {
  return JSON.stringify({ ...me, ...changed })
}

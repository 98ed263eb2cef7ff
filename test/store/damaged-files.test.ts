import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../mock/store/open-store.ts'
import { emptyTeams, newFolder } from './harness.ts'
import { damages } from './damages.ts'
import { killedInTheMiddle } from './killed-store.ts'

describe('a file that cannot be used is refused with a sentence, and left as it is:', () => {
  it.each(damages)('%s', async (_, reason, damage) => {
    const folder = await killedInTheMiddle()
    const found = {
      document: await readFile(join(folder, 'crm.json')),
      log: await readFile(join(folder, 'crm.json.3.log')),
    }
    const after = { ...found, ...damage(found) }
    const damaged = await newFolder()
    if (after.document) await writeFile(join(damaged, 'crm.json'), after.document)
    if (after.log) await writeFile(join(damaged, 'crm.json.3.log'), after.log)
    const before = await contentsOf(damaged)

    const refusal = await refusalOf(join(damaged, 'crm.json'))
    expect(refusal).toMatch(reason)
    expect(refusal).toMatch(/^[^\n]+crm\.json[^\n]+: [^\n]+\.$/)
    expect(await contentsOf(damaged)).toEqual(before)
  })

  it.each([
    ['a folder', /is a folder: name a file/, (folder: string) => mkdir(join(folder, 'crm.json'))],
    [
      'a link to nothing',
      /link to a file that is not there/,
      (folder: string) => symlink('gone', join(folder, 'crm.json')),
    ],
    ['a link to itself', /cannot be used \(ELOOP/, (folder: string) => symlink('crm.json', join(folder, 'crm.json'))],
  ])('%s', async (_, reason, make) => {
    const folder = await newFolder()
    await make(folder)
    expect(await refusalOf(join(folder, 'crm.json'))).toMatch(reason)
    expect(await readdir(folder)).toEqual(['crm.json'])
  })

  it.each([
    ['a folder that is not there', 'missing/crm.json', /is in a folder that is not there: create .*missing\./],
    ['a folder that is a file', 'file/crm.json', /is in a folder that is not there/],
    ['a device', '/dev/null', /is not a file: name a file/],
  ])('%s', async (_, name, reason) => {
    const folder = await newFolder()
    await writeFile(join(folder, 'file'), '')
    expect(await refusalOf(name.startsWith('/') ? name : join(folder, name))).toMatch(reason)
    expect(await readdir(folder)).toEqual(['file'])
  })

  it.each(['file:', 'disk', ''])('the name %j', async (name) => {
    await expect(openStore(name, emptyTeams)).rejects.toThrow('use memory, or file:PATH')
  })
})

async function refusalOf(path: string): Promise<string> {
  const store = await openStore(`file:${path}`, emptyTeams).catch((error: unknown) => (error as Error).message)
  if (typeof store === 'string') return store
  await store.close()
  return 'it was not refused'
}

async function contentsOf(folder: string): Promise<[name: string, bytes: string][]> {
  const names = await readdir(folder)
  return Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'base64')]))
}

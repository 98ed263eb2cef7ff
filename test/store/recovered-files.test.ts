import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesOnDisk } from '../../mock/store/file/files-on-disk.ts'
import { openStore } from '../../mock/store/open-store.ts'
import { contact, emptyTeams, newFolder } from './harness.ts'
import { replaced, foreign, closed } from './damages.ts'
import { withAda, killedWith, killedInTheMiddle, namesIn } from './killed-store.ts'

describe('the file store reads', () => {
  it('a log whose last line is torn anywhere, because it was not answered', async () => {
    const folder = await killedInTheMiddle()
    const whole = await readFile(join(folder, 'crm.json.3.log'))
    const torn = foreign(7)
    for (let length = 0; length < torn.length; length += 7) {
      const path = await killedWith(folder, Buffer.concat([whole, Buffer.from(torn.slice(0, length))]))
      expect(await namesIn(path)).toEqual(['Ada the last', 'Grace', 'Tim'])
      expect(await readdir(dirname(path))).toEqual(['crm.json'])
    }
  })

  it('a log without its damaged end, once its second line is deleted too, as the refusal says', async () => {
    const folder = await killedInTheMiddle()
    const log = await readFile(join(folder, 'crm.json.3.log'), 'utf8')
    const [head, , ...turns] = log.trimEnd().split('\n')
    const path = await killedWith(folder, Buffer.from(`${[head, ...turns.slice(0, -1)].join('\n')}\n`))
    expect(await namesIn(path)).toEqual(['Ada the first', 'Grace', 'Tim'])
  })

  it('a document that was closed, though the process was killed before it had removed the old log', async () => {
    const folder = await killedInTheMiddle()
    const document = replaced(await readFile(join(folder, 'crm.json')), '"turns": 3', '"turns": 6')
    const path = await killedWith(folder, await readFile(join(folder, 'crm.json.3.log')))
    await writeFile(path, closed(document))
    expect(await namesIn(path)).toEqual(['Ada', 'Grace', 'Ada'])
    expect(await readdir(dirname(path))).toEqual(['crm.json'])
  })

  it('a log whose second line was half written', async () => {
    const folder = await killedInTheMiddle()
    const log = await readFile(join(folder, 'crm.json.3.log'))
    const mark = log.indexOf('\n') + 1
    expect(await namesIn(await killedWith(folder, Buffer.from(log).fill('5', mark + 15, mark + 20)))).toEqual([
      'Ada the last',
      'Grace',
      'Tim',
    ])
  })

  it('a document that was changed on purpose, once its checksum is null', async () => {
    const path = join(await newFolder(), 'crm.json')
    const store = await openStore(`file:${path}`, withAda)
    await store.close()
    const document = await readFile(path, 'utf8')
    await writeFile(path, document.replace('"Ada"', '"Augusta"').replace(/"checksum": .*/, '"checksum": null'))
    expect(await namesIn(path)).toEqual(['Augusta'])
    expect(await readFile(path, 'utf8')).toMatch(/"checksum": "[0-9a-f]{8}"/)
  })

  it('what the file holds, rather than the starting world', async () => {
    const path = join(await newFolder(), 'crm.json')
    await (await openStore(`file:${path}`, withAda)).close()
    const store = await openStore(`file:${path}`, emptyTeams)
    const world = await store.world()
    await store.close()
    expect(world).toEqual(withAda)
  })

  it('the file that a link leads to, and the link stays a link', async () => {
    const folder = await newFolder()
    const other = await newFolder()
    await (await openStore(`file:${join(other, 'real.json')}`, withAda)).close()
    await symlink(join(other, 'real.json'), join(folder, 'crm.json'))
    const store = await openStore(`file:${join(folder, 'crm.json')}`, emptyTeams)
    await expect(openStore(`file:${join(other, 'real.json')}`, emptyTeams)).rejects.toThrow('is in use')
    await store.turn('acme', ({ records: { contacts } }) => contacts.insert(contact('grace', { firstName: 'Grace' })))
    await store.close()
    expect(await namesIn(join(other, 'real.json'))).toEqual(['Ada', 'Grace'])
    expect(await filesOnDisk.find(join(folder, 'crm.json'))).toBe(join(other, 'real.json'))
  })
})

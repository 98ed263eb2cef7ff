import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../../mock/store/open-store.ts'
import { contact, emptyTeams } from './helpers.ts'
import { newFolder } from '../../for-one-test.ts'

interface StoreFiles {
  document: Buffer
  log: Buffer
}

type Damage = (found: StoreFiles) => Partial<Record<keyof StoreFiles, Buffer | undefined>>

const damages: readonly [damage: string, reason: RegExp, of: Damage][] = [
  ...[1, 8, 15].map((part): (typeof damages)[number] => [
    `a document cut at ${part}/16`,
    /not all of it/,
    ({ document }) => ({ document: document.subarray(0, (document.length * part) / 16) }),
  ]),
  ['a document without its last bytes', /not all of it/, ({ document }) => ({ document: document.subarray(0, -2) })],
  ['a document that was changed', /its checksum does not match/, edited('Ada', 'Eve')],
  ['a document that is not JSON', /not JSON/, () => ({ document: Buffer.from('teams:\n  - _id: acme\n') })],
  [
    'a newer version',
    /is of format 3, and this version reads 2: use the version/,
    edited('"version": 2', '"version": 3'),
  ],
  ['another program’s JSON', /not a file of crm-sandbox/, () => ({ document: Buffer.from('{"posts":[]}') })],
  ['no word whether it is closed', /whether it is closed/, unsigned('"closed": false', '"closed": 1')],
  ['no teams', /does not hold a world \(the world: teams is required\)/, unsigned('"teams"', '"tems"')],
  ['a record without an id', /team acme, contacts\[0\]: _id is required/, unsigned('"_id":"ada"', '"id":"ada"')],
  [
    'a key of two teams',
    /teams\[1\] \(globex\): apiKeys\[0\] is already the key of a team/,
    unsigned('["globex-key"]', '["acme-key"]'),
  ],
  ['a log without its document', /is damaged in line 2 .*does not follow/, () => ({ document: undefined })],
  ['no log beside an open document', /goes on in .*crm\.json\.3\.log, which is missing/, () => ({ log: undefined })],
  ['an open document without a log number', /does not say .* which log/, unsigned(/"log": .*,/, '"log": null,')],
  ['an emptied log', /3\.log is empty, although it had lines/, () => ({ log: Buffer.alloc(0) })],
  ['a log of half a line', /3\.log is empty, although/, ({ log }) => ({ log: log.subarray(0, 20) })],
  ['a log with a changed line', /3\.log is damaged in line 3/, editedLog('the first', 'the worst')],
  ['a log with a changed last line', /3\.log is damaged in line 4/, editedLog('the last', 'the lost')],
  ['a log without its second line', /is damaged in line 2/, logLines(([first = '', , ...rest]) => [first, ...rest])],
  ['a log in another order', /is damaged in line 1/, logLines((all) => all.toReversed())],
  ['the log of another document', /is damaged in line 2/, unsigned(/"after":".*?"/, '"after":"00000000"')],
  ['a log of other records', /there is no ada in contacts/, unsigned('"_id":"ada"', '"_id":"eve"')],
]

describe('a file that cannot be used is refused with a sentence, and left as it is:', () => {
  it.each(damages)('%s', async (_, reason, damage) => {
    const folder = await killedInTheMiddle()
    const found = await filesIn(folder)
    const after = { ...found, ...damage(found) }
    const damaged = newFolder()
    if (after.document) await writeFile(join(damaged, 'crm.json'), after.document)
    if (after.log) await writeFile(join(damaged, 'crm.json.3.log'), after.log)
    const before = await contentsOf(damaged)

    const refusal = await refusalOf(join(damaged, 'crm.json'))
    expect(refusal).toMatch(reason)
    expect(refusal).toMatch(/^[^\n]+crm\.json[^\n]+: [^\n]+\.$/)
    expect(await contentsOf(damaged)).toEqual(before)
  })

  it.each<[string, RegExp, (path: string) => unknown]>([
    ['a folder', /is a folder: name a file/, (path) => mkdir(path)],
    ['a link to nothing', /is a symbolic link/, (path) => symlink('gone', path)],
    ['a named pipe', /is not a file: name a file/, (path) => execFileSync('mkfifo', [path])],
  ])('%s', async (_, reason, make) => {
    const folder = newFolder()
    await make(join(folder, 'crm.json'))
    expect(await refusalOf(join(folder, 'crm.json'))).toMatch(reason)
    expect(await readdir(folder)).toEqual(['crm.json'])
  })

  it.each([
    ['a folder that is not there', 'missing/crm.json', /is in a folder that is not there: create .*missing\./],
    ['a device', '/dev/null', /is not a file: name a file/],
  ])('%s', async (_, name, reason) => {
    const folder = newFolder()
    await writeFile(join(folder, 'file'), '')
    expect(await refusalOf(name.startsWith('/') ? name : join(folder, name))).toMatch(reason)
    expect(await readdir(folder)).toEqual(['file'])
  })
})

describe('the file store reads', () => {
  it('a log with an incomplete last line, which was not acknowledged', async () => {
    const folder = await killedInTheMiddle()
    const { log } = await filesIn(folder)
    const lastLine = log.subarray(log.lastIndexOf('\n', -2) + 1)
    for (let length = 0; length < lastLine.length; length += 7) {
      const path = await killedWith(folder, log.subarray(0, log.length - lastLine.length + length))
      expect(await namesIn(path)).toEqual(['Ada the first', 'Grace', 'Tim'])
      expect(await readdir(dirname(path))).toEqual(['crm.json'])
    }
  })

  it('a log without its damaged end, as the refusal says', async () => {
    const folder = await killedInTheMiddle()
    const { log } = await filesIn(folder)
    const path = await killedWith(folder, logLines((all) => all.slice(0, 2))({ document: log, log }).log ?? log)
    expect(await namesIn(path)).toEqual(['Ada', 'Grace', 'Ada'])
  })

  it('a document whose emptied log was deleted, as the refusal advises', async () => {
    const path = await killedWith(await killedInTheMiddle(), Buffer.alloc(0))
    await rm(`${path}.3.log`)
    const document = await readFile(path, 'utf8')
    await writeFile(path, withoutChecksum(document.replace('"closed": false', '"closed": true')))
    expect(await namesIn(path)).toEqual(['Ada', 'Grace', 'Ada'])
  })

  it('a closed document with an old log', async () => {
    const folder = await killedInTheMiddle()
    const path = await killedWith(folder, (await filesIn(folder)).log)
    const document = await readFile(path, 'utf8')
    const closed = document.replace('"closed": false', '"closed": true').replace('"number":3', '"number":4')
    await writeFile(path, withoutChecksum(closed))
    expect(await namesIn(path)).toEqual(['Ada', 'Grace', 'Ada'])
    expect(await readdir(dirname(path))).toEqual(['crm.json'])
  })

  it.each<[string, (document: string) => string]>([
    ['as it is', (document) => document],
    ['with an indent of four', (document) => JSON.stringify(JSON.parse(document), null, 4)],
    ['on one line', (document) => JSON.stringify(JSON.parse(document))],
    ['with the line ends of Windows', (document) => document.replaceAll('\n', '\r\n')],
  ])('a document that was edited, and saved %s', async (_, formatted) => {
    const path = await closedWithAda()
    const document = await readFile(path, 'utf8')
    await writeFile(path, formatted(withoutChecksum(document.replace('"Ada"', '"Augusta"'))))
    expect(await namesIn(path)).toEqual(['Augusta'])
    expect(await readFile(path, 'utf8')).toMatch(/"checksum": "[0-9a-f]{8}"/)
  })

  it('a log that follows a closed document', async () => {
    const folder = await killedInTheMiddle()
    const path = await killedWith(folder, (await filesIn(folder)).log)
    const document = await readFile(path, 'utf8')
    await writeFile(path, withoutChecksum(document.replace('"closed": false', '"closed": true')))
    expect(await namesIn(path)).toEqual(['Ada the last', 'Grace', 'Tim'])
  })
})

function edited(what: string | RegExp, by: string): Damage {
  return ({ document }) => ({ document: replaced(document, what, by) })
}

/** Changed such that the checksum is not the reason for the refusal. */
function unsigned(what: string | RegExp, by: string): Damage {
  return ({ document }) => ({ document: replaced(Buffer.from(withoutChecksum(document.toString())), what, by) })
}

function editedLog(what: string, by: string): Damage {
  return ({ log }) => ({ log: replaced(log, what, by) })
}

function replaced(bytes: Buffer, what: string | RegExp, by: string): Buffer {
  const text = bytes.toString()
  const changed = text.replace(what, by)
  expect(changed).not.toBe(text)
  return Buffer.from(changed)
}

const withoutChecksum = (document: string) => document.replace(/"checksum": .*/, '"checksum": null')

function logLines(change: (lines: string[]) => string[]): Damage {
  return ({ log }) => ({ log: Buffer.from(`${change(log.toString().trimEnd().split('\n')).join('\n')}\n`) })
}

/** A folder as a killed process leaves it: a document of three transactions, and a log of three more. */
async function killedInTheMiddle(): Promise<string> {
  const path = join(newFolder(), 'crm.json')
  const first = await openStore(`file:${path}`, emptyTeams)
  for (const _id of ['ada', 'grace', 'bill']) {
    const fields = { email: `${_id}@example.com`, firstName: _id === 'grace' ? 'Grace' : 'Ada' }
    await first.transaction('acme', ({ records: { contacts } }) => contacts.insert(contact(_id, fields)))
  }
  await first.close()
  const store = await openStore(`file:${path}`, emptyTeams)
  await store.transaction('acme', ({ records: { contacts } }) =>
    contacts.replace(contact('grace', { firstName: 'Grace' })),
  )
  await store.transaction('acme', async ({ records: { contacts } }) => {
    await contacts.replace(contact('ada', { firstName: 'Ada the first' }))
    await contacts.remove('bill')
    await contacts.insert(contact('tim', { firstName: 'Tim' }))
  })
  await store.transaction('acme', ({ records: { contacts } }) =>
    contacts.replace(contact('ada', { firstName: 'Ada the last' })),
  )
  const folder = newFolder()
  for (const name of ['crm.json', 'crm.json.3.log']) await copyFile(join(path, '..', name), join(folder, name))
  await store.close()
  return folder
}

async function closedWithAda(): Promise<string> {
  const path = join(newFolder(), 'crm.json')
  const world = { teams: [{ _id: 'acme', name: 'acme', apiKeys: ['acme-key'], contacts: [contact('ada')] }] }
  await (await openStore(`file:${path}`, world)).close()
  return path
}

/** The document in a copy of the folder, with this log. */
async function killedWith(folder: string, log: Buffer): Promise<string> {
  const path = join(newFolder(), 'crm.json')
  await copyFile(join(folder, 'crm.json'), path)
  await writeFile(`${path}.3.log`, log)
  return path
}

const filesIn = async (folder: string): Promise<StoreFiles> => ({
  document: await readFile(join(folder, 'crm.json')),
  log: await readFile(join(folder, 'crm.json.3.log')),
})

async function namesIn(path: string): Promise<string[]> {
  const store = await openStore(`file:${path}`, emptyTeams)
  const { teams } = await store.world()
  await store.close()
  return teams.flatMap(({ contacts = [] }) => contacts.map(({ firstName }) => firstName))
}

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

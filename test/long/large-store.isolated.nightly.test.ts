import { constants } from 'node:buffer'
import { rename, stat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openFileStore } from '../../mock/store/file/file-store.ts'
import type { Store } from '../../mock/store/port.ts'
import { contact, emptyTeams } from '../mock/store/helpers.ts'
import { newFolder } from '../for-one-test.ts'
import { openStore } from '../../mock/store/open-store.ts'

const oneMiB = 1024 * 1024
const neverCompacted = 8 * 1024 * oneMiB
const many = 560
/** In memory it is one text, on disk it is one for each record. */
const lastName = 'x'.repeat(oneMiB)

it('reads a log and a document that are longer than any string', async () => {
  const killed = join(newFolder(), 'crm.json')
  const store = await open(killed)
  await store.transaction('acme', ({ records: { contacts } }) =>
    contacts.insertAll(Array.from({ length: many }, (_, at) => contact(`${at}`, { lastName }))),
  )
  const path = join(newFolder(), 'crm.json')
  expect((await stat(`${killed}.1.log`)).size).toBeGreaterThan(constants.MAX_STRING_LENGTH)
  for (const end of ['', '.1.log']) await rename(killed + end, path + end)

  const fromLog = await open(path)
  await expectAll(fromLog)
  await fromLog.close()
  expect((await stat(path)).size).toBeGreaterThan(constants.MAX_STRING_LENGTH)
  const fromDocument = await open(path)
  await expectAll(fromDocument)
})

const open = (path: string) => openFileStore(path, emptyTeams, { shortestToCompact: neverCompacted })

async function expectAll(store: Store): Promise<void> {
  const { teams } = await store.world()
  const contacts = teams[0]?.contacts ?? []
  expect(contacts.map(({ _id }) => _id)).toEqual(Array.from({ length: many }, (_, at) => `${at}`))
  expect(contacts.every((one) => one.lastName === lastName)).toBe(true)
}

it('makes other changes while 100,000 records are compacted', async () => {
  const folder = newFolder()
  const records = Array.from({ length: 100_000 }, (_, at) => contact(`${at}`, { email: `${at}@example.com` }))
  const world = { teams: [{ _id: 'acme', name: 'acme', apiKeys: [], contacts: records }] }
  const store = await openStore(`file:${join(folder, 'crm.json')}`, world)
  const logs = async () => (await readdir(folder)).filter((name) => name.endsWith('.log')).join()
  const before = await logs()
  const lastName = 'x'.repeat(10_000)
  for (let at = 0; (await logs()) === before; at++) {
    await Promise.all(
      Array.from({ length: 50 }, (_, one) =>
        store.transaction('acme', ({ records: { contacts } }) =>
          contacts.insert(contact(`new ${at} ${one}`, { lastName })),
        ),
      ),
    )
  }
  let changes = 0
  for (; (await logs()).includes(','); changes++)
    await store.transaction('acme', ({ records: { contacts } }) => contacts.replace(contact('0')))
  await store.close()
  expect(changes).toBeGreaterThan(20)
})

import { join } from 'node:path'
import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { openStore } from '../../mock/store/open-store.ts'
import { contact } from '../mock/store/helpers.ts'
import { newFolder } from '../for-one-test.ts'

it('makes other changes while 100,000 records are folded', async () => {
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

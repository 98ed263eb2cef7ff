import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openStore } from '../../mock/store/open-store.ts'
import { contact, emptyTeams, newFolder } from './harness.ts'

export const withAda = {
  teams: [{ _id: 'acme', name: 'acme', apiKeys: ['acme-key'], contacts: [contact('ada')] }],
}

/** The document in a copy of the folder, with this log. */
export async function killedWith(folder: string, log: Buffer): Promise<string> {
  const path = join(await newFolder(), 'crm.json')
  await copyFile(join(folder, 'crm.json'), path)
  await writeFile(`${path}.3.log`, log)
  return path
}

/** A folder as a killed process leaves it: a document of three turns, and a log of three more. */
export async function killedInTheMiddle(): Promise<string> {
  const path = join(await newFolder(), 'crm.json')
  const first = await openStore(`file:${path}`, emptyTeams)
  for (const _id of ['ada', 'grace', 'bill']) {
    const fields = { email: `${_id}@example.com`, firstName: _id === 'grace' ? 'Grace' : 'Ada' }
    await first.turn('acme', ({ records: { contacts } }) => contacts.insert(contact(_id, fields)))
  }
  await first.close()
  const store = await openStore(`file:${path}`, emptyTeams)
  await store.turn('acme', ({ records: { contacts } }) => contacts.remove('bill'))
  await store.turn('acme', async ({ records: { contacts } }) => {
    await contacts.replace(contact('ada', { firstName: 'Ada the first' }))
    await contacts.insert(contact('tim', { firstName: 'Tim' }))
  })
  await store.turn('acme', ({ records: { contacts } }) =>
    contacts.replace(contact('ada', { firstName: 'Ada the last' })),
  )
  const folder = await newFolder()
  for (const name of ['crm.json', 'crm.json.3.log']) await copyFile(join(path, '..', name), join(folder, name))
  await store.close()
  return folder
}

export async function namesIn(path: string): Promise<string[]> {
  const store = await openStore(`file:${path}`, emptyTeams)
  const { teams } = await store.world()
  await store.close()
  return teams.flatMap(({ contacts = [] }) => contacts.map(({ firstName }) => firstName))
}

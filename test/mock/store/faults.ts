import { openFileStore } from '../../../mock/store/file/file-store.ts'
import type { Files, FileToRead, FileToWrite } from '../../../mock/store/file/files.ts'
import type { Store } from '../../../mock/store/port.ts'
import { type DiskFiles, synced } from './disk.ts'
import { contact, emptyTeams } from './helpers.ts'

type Call = () => Promise<unknown>

/** Takes the place of a call. It may make the call all the same, or a part of it if it is a write. */
export type Fault = (call: Call, part: Call | undefined) => Promise<unknown>

/** Files that count their calls; `faultAt` says which of them go wrong. */
export function withFaults(files: DiskFiles, faultAt: (call: number) => Fault | undefined) {
  const log = { calls: 0 }
  const through = <Result>(call: () => Promise<Result>, part?: Call): Promise<Result> => {
    const fault = faultAt(log.calls++)
    return fault ? (fault(call, part) as Promise<Result>) : call()
  }
  const toWrite = (file: FileToWrite): FileToWrite => ({
    write: (bytes) =>
      through(
        () => file.write(bytes),
        () => file.write(bytes.subarray(0, Math.ceil(bytes.length / 2))),
      ),
    sync: () => through(() => file.sync()),
    truncate: (length) => through(() => file.truncate(length)),
    close: () => through(() => file.close()),
  })
  const toRead = (file: FileToRead | undefined): FileToRead | undefined =>
    file && {
      read: (atMost) => through(() => file.read(atMost)),
      close: () => through(() => file.close()),
    }
  const reopen = (path: string) => through(async () => toWrite(await files.reopen(path)))
  const faulty: DiskFiles = {
    resolve: (path) => through(() => files.resolve(path)),
    open: (path) => through(async () => toRead(await files.open(path))),
    create: (path) => through(async () => toWrite(await files.create(path))),
    // The write and the sync are two calls, so that something can go wrong between them.
    append: async (path) => synced(await reopen(path)),
    reopen,
    list: (folder) => through(() => files.list(folder)),
    rename: (from, to) => through(() => files.rename(from, to)),
    remove: (path) => through(() => files.remove(path)),
    syncFolder: (folder) => through(() => files.syncFolder(folder)),
  }
  return { files: faulty, log }
}

export const failure = (code: string) => Object.assign(new Error(`${code}: on purpose`), { code })

/** Where these tests keep their world. */
export const path = '/data/crm.json'

/** A store on these files that compacts early, so that short tests see compactions too. */
export const openOn = (
  files: Files,
  warn: (sentence: string) => void = () => undefined,
  shortestToCompact = 1024 * 1024,
): Promise<Store> => openFileStore(path, emptyTeams, { files, shortestToCompact, warn })

type StoreChange = (store: Store) => Promise<unknown>

/** Long enough that the log is compacted. */
const long = 'x'.repeat(1024 * 1024)

/** Changes of every kind, in an order in which they can happen. */
export const eachChange: readonly StoreChange[] = [
  (store) =>
    store.transaction('acme', ({ records: { contacts } }) =>
      contacts.insert(contact('ada', { email: 'ada@example.com' })),
    ),
  (store) =>
    store.transaction('acme', async ({ records: { contacts } }) => {
      await contacts.insert(contact('grace'))
      await contacts.replace(contact('ada', { email: 'countess@example.com' }))
    }),
  (store) => store.addTeam({ _id: 'initech', name: 'Initech', apiKeys: ['new-key'], contacts: [contact('bill')] }),
  (store) =>
    store.transaction('initech', ({ records: { contacts } }) => contacts.insert(contact('peter', { lastName: long }))),
  (store) => store.transaction('acme', ({ records: { contacts } }) => contacts.remove('ada')),
  (store) => store.transaction('acme', ({ records: { contacts } }) => contacts.insert(contact('ada'))),
  (store) => store.removeTeam('initech'),
  (store) =>
    store.replaceAll({ teams: [...emptyTeams.teams, { _id: 'hooli', name: 'Hooli', apiKeys: ['hooli-key'] }] }),
  (store) =>
    store.transaction('acme', ({ records: { contacts } }) =>
      contacts.insert(contact('ada', { phone: '+14155550123' })),
    ),
]

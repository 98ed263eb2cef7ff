import { openFileStore } from '../../mock/store/file/file-store.ts'
import type { Files } from '../../mock/store/file/files.ts'
import type { Store } from '../../mock/store/port.ts'
import { emptyTeams } from './harness.ts'

/** Where these tests keep their world. */
export const path = '/data/crm.json'

const oneMiB = 1024 * 1024

/** A store on these files that folds early, so that short tests see folds too. */
export const openOn = (files: Files, at = path, say: (sentence: string) => void = () => undefined): Promise<Store> =>
  openFileStore(at, emptyTeams, files, oneMiB, { say })

/** Files with some of their calls replaced. */
export function changed(files: Files, changes: Partial<Files>): Files {
  return {
    find: (path) => files.find(path),
    open: (path) => files.open(path),
    stampOf: (path) => files.stampOf(path),
    list: (folder) => files.list(folder),
    create: (path) => files.create(path),
    reopen: (path) => files.reopen(path),
    rename: (from, to) => files.rename(from, to),
    keepAs: (path, other) => files.keepAs(path, other),
    remove: (path) => files.remove(path),
    syncFolder: (folder) => files.syncFolder(folder),
    ...changes,
  }
}

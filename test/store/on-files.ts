import { openFileStore } from '../../mock/store/file/file-store.ts'
import type { Files } from '../../mock/store/file/files.ts'
import type { Store } from '../../mock/store/port.ts'
import { emptyTeams } from './harness.ts'

/** Where these tests keep their world. */
export const path = '/data/crm.json'

const oneMiB = 1024 * 1024

/** A store on these files that folds early, so that short tests see folds too. */
export const openOn = (files: Files, at = path): Promise<Store> => openFileStore(at, emptyTeams, files, oneMiB)

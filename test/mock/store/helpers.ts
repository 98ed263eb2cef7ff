import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Kinds } from '../../../fixtures/records.ts'
import type { World } from '../../../fixtures/world.ts'
import { openStore } from '../../../mock/store/open-store.ts'
import type { Store } from '../../../mock/store/port.ts'
import { PostgresStore } from '../../../mock/store/postgres/postgres-store.ts'
import { pglite } from './pglite.ts'
import { postgresUrl } from './postgres.ts'
import { newFolder } from '../../for-one-test.ts'

export const emptyTeams: World = {
  teams: ['acme', 'globex'].map((name) => ({ _id: name, name, apiKeys: [`${name}-key`] })),
}

/** Where a store is: its name, or how to open it. */
export type Place = string | ((world: World) => Promise<Store>)

const postgres = await postgresUrl()
let schemas = 0
export const newSchema = () => `test_${process.pid}_${Date.now().toString(36)}_${schemas++}`

/** Every store that has a name for `--store`, and a new name. */
export const namedStores = [
  { store: 'memory', place: async () => 'memory' },
  { store: 'file', place: async () => `file:${join(newFolder(), 'crm.json')}` },
  ...(postgres === undefined ? [] : [{ store: 'PostgreSQL', place: async () => `${postgres}?schema=${newSchema()}` }]),
]

const inPglite = {
  store: 'PGlite',
  place: async () => {
    const [database, schema] = [await pglite(), newSchema()]
    return (world: World) => PostgresStore.open(database, schema, world)
  },
}

/** Every store, with a new place. A machine without PostgreSQL uses PGlite. */
export const stores: readonly { readonly store: string; readonly place: () => Promise<Place> }[] =
  postgres === undefined ? [...namedStores, inPglite] : namedStores

export const isDatabase = ({ store }: { readonly store: string }) => store === 'PGlite' || store === 'PostgreSQL'

export async function openedAt(place: Place, world: World = emptyTeams): Promise<Store> {
  const store = typeof place === 'string' ? await openStore(place, world) : await place(world)
  onTestFinished(() => store.close())
  return store
}

export function contact(_id: string, fields: Partial<Kinds['contacts']> = {}): Kinds['contacts'] {
  const times = { createdAt: '2026-03-01T09:30:00.000Z', updatedAt: '2026-03-01T09:30:00.000Z' }
  return { _id, firstName: 'Ada', lastName: 'Lovelace', teamId: 'acme', ...times, ...fields }
}

/** Inserts a contact in its own transaction. */
export const insert = (store: Store, record: Kinds['contacts'], teamId = 'acme') =>
  store.transaction(teamId, ({ records: { contacts } }) => contacts.insert(record))

export const idsOf = (records: readonly { readonly _id: string }[]) => records.map(({ _id }) => _id)

/** A promise, and what settles it. */
export function promised() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

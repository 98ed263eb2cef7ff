import { MemoryStore } from './memory/memory-store.ts'
import { loadInitial, type InitialWorld, type Store } from './port.ts'
import type { MemoryBudget } from './retention.ts'

/** Opens a store by its name, as `--store` takes it. A new store starts as the world, which no other store loads. */
export async function openStore(name: string, world: InitialWorld, memory?: MemoryBudget): Promise<Store> {
  if (name === 'memory') return MemoryStore.open(await loadInitial(world), memory && { memory })
  const path = /^file:(.+)$/s.exec(name)?.[1]
  // Loaded only when it is needed, for a quick start.
  if (path !== undefined) return (await import('./file/file-store.ts')).openFileStore(path, world)
  return (await import('./postgres/open-postgres.ts')).openPostgresStore(name, world)
}

const isDatabase = (name: string) => /^postgres(ql)?:\/\//.test(name)

/** The name of a store as a banner or a log shows it: without a password. */
export async function shownName(name: string): Promise<string> {
  return isDatabase(name) ? (await import('./postgres/open-postgres.ts')).withoutPassword(name) : name
}

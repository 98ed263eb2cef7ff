import type { Ask } from './ask.ts'
import { bodyOf } from './options.ts'
import type { ControlBody, ControlSchemas } from './types.ts'
import type { AnyWorld } from './world.ts'

type Snapshot = ControlSchemas['Snapshot']

/** What everything, or one team, was like at a moment, under a name. A reset leaves snapshots alone. */
export interface SnapshotsControl {
  /** Saves all teams, or one; a snapshot of that name is replaced. */
  save(name: string, of?: ControlBody<'restoreSnapshot'>): Promise<Snapshot>
  list(): Promise<readonly Snapshot[]>
  /** Brings back everything, or one team. */
  restore(name: string, of?: ControlBody<'restoreSnapshot'>): Promise<void>
  delete(name: string): Promise<void>
  /** A world that `upload`, `--world` and `createSandbox({ world })` take. */
  download(name: string): Promise<ControlBody<'uploadSnapshot'>>
  /** Keeps a world as a snapshot of everything. */
  upload(name: string, world: AnyWorld): Promise<Snapshot>
}

export const snapshotsOver = (ask: Ask): SnapshotsControl => ({
  save: (name, of = {}) => ask('saveSnapshot', { body: bodyOf({ name }, of) }),
  list: () => ask('listSnapshots'),
  restore: (name, of = {}) => ask('restoreSnapshot', { path: { name }, body: of }),
  delete: (name) => ask('deleteSnapshot', { path: { name } }),
  download: async (name) => (await ask.whole('downloadSnapshot', { path: { name } })) as ControlBody<'uploadSnapshot'>,
  upload: (name, world) => ask('uploadSnapshot', { path: { name }, body: world as ControlBody<'uploadSnapshot'> }),
})

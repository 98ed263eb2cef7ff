import { created, done, ok } from '../../core/replies.ts'
import type { Rows } from './row.ts'

export const snapshotRows = {
  saveSnapshot: async ({ snapshots }, { body: { name, ...of } }) =>
    created('Snapshot saved', await snapshots.save(name, of)),

  listSnapshots: async ({ snapshots }) => ok('Snapshots found', await snapshots.list()),

  async downloadSnapshot({ snapshots }, { path: { name } }) {
    return {
      status: 200,
      type: 'application/json; charset=utf-8',
      whole: JSON.stringify(await snapshots.download(name)),
    }
  },

  uploadSnapshot: async ({ snapshots }, { path: { name }, body }) =>
    created('Snapshot saved', await snapshots.upload(name, body)),

  async restoreSnapshot({ snapshots }, { path: { name }, body }) {
    await snapshots.restore(name, body)
    return done('Snapshot restored')
  },

  async deleteSnapshot({ snapshots }, { path: { name } }) {
    await snapshots.delete(name)
    return done('Snapshot deleted')
  },
} satisfies Partial<Rows>

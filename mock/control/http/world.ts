import { created, ok } from '../../core/replies.ts'
import type { Rows } from './row.ts'

/** The format of worlds that a store wrote: their records may have fields that no schema lists. */
const version = 1

export const worldRows = {
  async getWorld({ world }, { query }) {
    const whole = JSON.stringify({ version, ...(await world(query)) })
    return { status: 200, type: 'application/json; charset=utf-8', whole }
  },

  loadWorld: async ({ loadWorld }, { body }) => ok('World loaded', await loadWorld(body)),

  addWorld: async ({ addWorld }, { body }) => created('Teams added', await addWorld(body)),

  async findRecords({ records }, { path: { teamId, kind }, query }) {
    const { page, limit, ...where } = query as { page?: number; limit?: number }
    const wanted = { where, ...(page === undefined ? {} : { page }), ...(limit === undefined ? {} : { limit }) }
    const found = await records(teamId, kind, wanted)
    return ok(`${found.total} ${found.total === 1 ? 'record' : 'records'}`, found)
  },
} satisfies Partial<Rows>

import type { AssumptionName } from '../../../spec/assumptions.ts'
import { done, ok } from '../../core/replies.ts'
import type { Rows } from './row.ts'

export const assumptionRows = {
  listAssumptions: async ({ assumptions }, { query }) => ok('Assumptions found', await assumptions.list(query)),

  getAssumption: async ({ assumptions }, { path: { name }, query }) =>
    ok('Assumption found', await assumptions.get(name as AssumptionName, query)),

  setAssumptions: async ({ assumptions }, { body: { choices, ...of } }) =>
    ok('Assumptions switched', await assumptions.set(choices, of)),

  async resetAssumptions({ assumptions }, { query }) {
    await assumptions.reset(query)
    return done('Assumptions are as they were at the start')
  },
} satisfies Partial<Rows>

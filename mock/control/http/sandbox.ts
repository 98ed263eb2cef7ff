import { controlDocumentText } from '../../../control/document.ts'
import { done, ok } from '../../core/replies.ts'
import type { Rows } from './row.ts'

export const sandboxRows = {
  getHealth: async ({ health }) => ok('The sandbox is up', await health()),

  getControlDocument: async () => ({ status: 200, type: 'application/json', whole: controlDocumentText() }),

  async resetSandbox({ reset }) {
    await reset()
    return done('Everything is as it was at the start')
  },
} satisfies Partial<Rows>

import { ok } from '../../core/replies.ts'
import type { Rows } from './row.ts'

export const templateRows = {
  approveTemplate: async ({ templates }, { path: { templateId }, body }) =>
    ok('Template approved', await templates.approve(templateId, body)),

  rejectTemplate: async ({ templates }, { path: { templateId }, body }) =>
    ok('Template rejected', await templates.reject(templateId, body)),
} satisfies Partial<Rows>

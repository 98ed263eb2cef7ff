import type { Ask } from './ask.ts'
import type { ControlBody, ControlSchemas } from './types.ts'

/** What the messaging platform decides about WhatsApp templates. */
export interface TemplatesControl {
  approve(templateId: string, owner?: Owner): Promise<ControlSchemas['TemplateDecided']>
  /** Rejects it, with a reason that its record keeps. */
  reject(templateId: string, rejection?: ControlBody<'rejectTemplate'>): Promise<ControlSchemas['TemplateDecided']>
}

/** Needed when several teams have a template of that id. */
type Owner = ControlBody<'approveTemplate'>

export const templatesOver = (ask: Ask): TemplatesControl => ({
  approve: (templateId, owner = {}) => ask('approveTemplate', { path: { templateId }, body: owner }),
  reject: (templateId, rejection = {}) => ask('rejectTemplate', { path: { templateId }, body: rejection }),
})

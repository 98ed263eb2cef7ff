import type { Tools } from '../../client/tools.ts'
import type { BodyOf } from '../../spec/types.ts'
import { Skipped } from '../judge/outcome.ts'

/** The fields of a message that is sent from a template. */
type TemplateFields = Required<Pick<BodyOf<'sendMessage'>, 'templateId' | 'headerParameters' | 'bodyParameters'>>

/** An approved WhatsApp template with values: a run cannot have one of its own approved. */
export async function approvedTemplate(tools: Tools): Promise<TemplateFields> {
  const template = await findApprovedTemplate(tools)
  if (!template) throw new Skipped('needs an approved WhatsApp template of the team')
  return template
}

export async function findApprovedTemplate({ ask }: Tools): Promise<TemplateFields | undefined> {
  const query = { page: 1, limit: 10, types: ['whatsapp'], statuses: ['approved'] }
  const { data } = await ask('listTemplates', { query })
  const template = data.find(({ templateType, status }) => templateType === 'whatsapp' && status === 'approved')
  if (!template) return undefined
  const placeholders = new Set(template.content.match(/\{\{\d+\}\}/g))
  const bodyParameters = Array.from(placeholders, () => ({ type: 'text', text: '42' }))
  return { templateId: template._id, headerParameters: [], bodyParameters }
}

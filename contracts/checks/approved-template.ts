import type { BodyOf } from '../../spec/types.ts'
import { Skipped } from '../judge/outcome.ts'
import type { Tools } from '../../client/tools.ts'

/** What makes a template of a send. */
type TemplateSent = Required<Pick<BodyOf<'sendMessage'>, 'templateId' | 'headerParameters' | 'bodyParameters'>>

/** A WhatsApp template that the platform has approved, filled in: a run cannot have one of its own approved. */
export async function approvedTemplate(tools: Tools): Promise<TemplateSent> {
  const template = await anyApprovedTemplate(tools)
  if (!template) throw new Skipped('it takes a WhatsApp template of the team that is approved')
  return template
}

export async function anyApprovedTemplate({ ask }: Tools): Promise<TemplateSent | undefined> {
  const query = { page: 1, limit: 10, types: ['whatsapp'], statuses: ['approved'] }
  const { data } = await ask('listTemplates', { query })
  const template = data.find(({ templateType, status }) => templateType === 'whatsapp' && status === 'approved')
  if (!template) return undefined
  const places = new Set(template.content.match(/\{\{\d+\}\}/g))
  const bodyParameters = Array.from(places, () => ({ type: 'text', text: '42' }))
  return { templateId: template._id, headerParameters: [], bodyParameters }
}

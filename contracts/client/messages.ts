import type { Schemas } from '../../spec/types.ts'
import type { Answer } from './answer.ts'
import type { Input } from './request.ts'
import type { Tools } from './tools.ts'

/** The input for a page of a history: the first, of ten messages, unless the query says otherwise. */
export const pageOf = (conversationId: string, query: Input['query'] = {}) => ({
  path: { conversationId },
  query: { page: 1, limit: 10, ...query },
})

export const historyOf = ({ ask }: Pick<Tools, 'ask'>, conversationId: string, query?: Input['query']) =>
  ask('listMessages', pageOf(conversationId, query))

/** The messages of a page, of all dates. */
export const messagesOn = ({ data }: Answer<'listMessages'>): Schemas['Message'][] =>
  data.flatMap(({ messages }) => messages)

/**
 * An approved WhatsApp template of the team, with this text: the operator named it, or the team lists it. A run cannot
 * create an approved template.
 */
export async function findApprovedTemplate({ ask, target }: Pick<Tools, 'ask' | 'target'>, text = '') {
  const { template: templateId } = target.places
  if (templateId !== undefined) {
    const { data } = await ask('getTemplate', { path: { templateId } })
    if (data.status === 'approved' && data.content.includes(text)) return data
  }
  const query = { page: 1, limit: 10, types: ['whatsapp'], statuses: ['approved'] }
  const { data } = await ask('listTemplates', { query })
  return data.find(
    ({ templateType, status, content }) =>
      templateType === 'whatsapp' && status === 'approved' && content.includes(text),
  )
}

/** The fields of a message that is sent from a template, with a value for each placeholder. */
export const fromTemplate = ({ _id, content }: Pick<Schemas['Template'], '_id' | 'content'>) => ({
  templateId: _id,
  headerParameters: [],
  bodyParameters: Array.from(new Set(content.match(/\{\{\d+\}\}/g)), () => ({ type: 'text', text: '42' })),
})

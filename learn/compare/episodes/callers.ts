import { from, path } from '../moves/move.ts'
import type { RecordKind } from '../moves/records.ts'
import { by, change, type Episode, make } from './episode.ts'

/** What other callers may do to the records of the team. */
const strangers: Episode = (pen, looks) => {
  const { walker } = pen
  if (!walker.target.credentials.otherTeam) return
  const caller = 'otherTeam' as const
  const contactId = make(pen, 'createContact')
  const conversationId = make(pen, 'createConversation', { contactId })
  const template = pen.addGood('createTemplate', pen.draft('createTemplate'))
  const kind = walker.oneOf<RecordKind>(['company', 'deal', 'product', 'quote'])
  const record = make(pen, by('create', kind))
  const at = { ...path('contactId', contactId), caller }
  pen.add('updateContact', { ...at, body: { firstName: 'Augusta' } })
  pen.add('listConversationsOfContact', at)
  pen.add('getConversation', { ...path('conversationId', conversationId), caller })
  pen.add('listMessages', { ...path('conversationId', conversationId), query: { page: 1, limit: 10 }, caller })
  pen.add(by('update', kind), { ...path(`${kind}Id`, record), body: {}, caller })
  pen.add(by('delete', kind), { ...path(`${kind}Id`, record), caller })
  if (template !== undefined) {
    pen.add('getTemplate', { ...path('templateId', from(template, 'data._id')), caller })
    const query = { page: 1, limit: 100, types: ['sms', 'email', 'whatsapp'], statuses: ['approved', 'pending'] }
    pen.add('listTemplates', { query, caller })
  }
  if (walker.chance(50)) pen.add('deleteContact', at)
  looks.contact(contactId)
  looks.record(kind, record)
  change(pen, by('update', kind), path(`${kind}Id`, record), 'few')
}

export const callerEpisodes = [strangers]

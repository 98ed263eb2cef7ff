import { fieldsOf } from '../../../client/answer.ts'
import type { OperationId } from '../../../spec/types.ts'
import { parameters } from '../moves/message-bodies.ts'
import { from, path } from '../moves/move.ts'
import { allPages } from '../pages.ts'
import type { Pen } from '../pen.ts'
import type { KnownTemplate } from '../walker.ts'
import type { Episode } from './episode.ts'

const types = ['sms', 'email', 'whatsapp']
const statuses = ['pending', 'approved', 'rejected']

/** More templates than a page holds, often of a small page; all pages; and again after one of them is deleted. */
const list: Episode = (pen) => {
  const { walker } = pen
  const add = (page: object) => pen.add('listTemplates', { query: { ...page, types, statuses } })
  const many = walker.oneOf([11, 5])
  for (let made = walker.draw(4) - 2; made < 0 || walker.templates.size < many; made++) {
    if (pen.addGood('createTemplate', pen.draft('createTemplate')) === undefined) return
  }
  const { size } = walker.templates
  add({ page: 1, limit: 100 })
  // One page that ends with the last item, and two or more.
  for (const limit of [Math.ceil(size / 2), walker.oneOf([size, 3, 10, 2])])
    for (const page of allPages(size, limit)) add(page)
  pen.addGood('deleteTemplate', pen.draft('deleteTemplate'))
  add({ page: 1, limit: walker.oneOf([10, 100]) })
  pen.add('listTemplates', { query: { page: 1, limit: 100, types: [walker.oneOf(types)], statuses } })
}

/** The life of a template, which is read, listed, sent, deleted, and made again. */
const life: Episode = (pen) => {
  const { walker } = pen
  const created = pen.draft('createTemplate')
  const n = pen.addGood('createTemplate', created)
  if (n === undefined || !created) return
  const at = path('templateId', from(n, 'data._id'))
  const { templateType } = fieldsOf(created.body ?? created.fields)
  const look = () => {
    pen.add('getTemplate', at)
    if (walker.chance(40)) pen.add('listTemplates', { query: { page: 1, limit: 100, types, statuses } })
  }
  look()
  for (let turns = 2 + walker.draw(2); turns > 0; turns--) {
    const update = pen.draft('updateTemplate')
    if (update) pen.addGood('updateTemplate', { ...at, body: { ...fieldsOf(update.body), templateType } })
    look()
  }
  if (walker.target.loopback) send(pen, { id: from(n, 'data._id'), type: templateType as KnownTemplate['type'] })
  pen.addGood('deleteTemplate', at)
  look()
  if (walker.chance(40)) pen.add('deleteTemplate', at)
  pen.addGood('createTemplate', created)
}

/** In bulk and, by WhatsApp, to one person too. */
function send(pen: Pen, { id: templateId, type }: KnownTemplate): void {
  const { walker } = pen
  const to = type === 'email' ? walker.mint.email() : walker.mint.phone()
  const filledBy = (operation: OperationId) => (type === 'whatsapp' ? parameters(walker, operation) : {})
  if (type === 'whatsapp') {
    const message = walker.some.text({ channel: type, templateId, to })
    pen.addGood('sendMessage', { body: { ...message, ...filledBy('sendMessage') } })
  }
  const message = walker.some.bulk(type, { templateId, to })
  pen.addGood('sendBulkMessages', { body: { ...message, ...filledBy('sendBulkMessages') } })
}

export const templateEpisodes = [list, list, life, life, life]

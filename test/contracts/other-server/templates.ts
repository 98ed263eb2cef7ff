import { paginate } from './messages.ts'
import { type Given, type Operation, recordAt, recordToDelete, refuse, refuseUnless, showLacking } from './replies.ts'
import type { Fields, Stored } from './team.ts'
import { flag, oneOf, optional, readBody, type Reader, type Readers, text } from './values.ts'

const types = ['sms', 'email', 'whatsapp']
const statuses = ['pending', 'approved', 'rejected']
const categories = oneOf('UTILITY', 'MARKETING', 'AUTHENTICATION')

/** A list; in a form it may be written as JSON. */
const listOrJson: Reader = (value, _name, switches) => {
  const given = typeof value === 'string' ? parse(value) : value
  return Array.isArray(given) ? given : refuse(switches)
}

const language: Reader = (value, name, switches) =>
  ({ any: /^/, withRegion: /^\w\w[-_]\w\w$/, english: /^en/ })[switches.languages].test(String(value))
    ? text(value, name, switches)
    : refuse(switches)

const smsCategory: Reader = (value, name, switches) =>
  switches.smsCategories === 'ofWhatsapp' ? categories(value, name, switches) : text(value, name, switches)

const common = {
  'name!': text,
  'uniqueName!': text,
  'content!': text,
  'provider!': text,
  language,
  variables: listOrJson,
}
const variants: Readonly<Record<string, Readers>> = {
  sms: { ...common, category: smsCategory },
  email: { ...common, 'subject!': text, preheader: text },
  whatsapp: {
    ...common,
    'category!': categories,
    'language!': language,
    bodyVariableSampleValues: listOrJson,
    headerVariables: listOrJson,
    headerVariableSampleValues: listOrJson,
    isHeader: flag,
    headerType: oneOf('text', 'image', 'video', 'document'),
    headerText: text,
    footer: text,
    templateButtons: listOrJson,
  },
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}

const typeIn = ({ body, switches }: Given): string => {
  const { templateType } = (body ?? {}) as Fields
  return types.includes(templateType as string) ? (templateType as string) : refuse(switches)
}

const createTemplate: Operation = (given) => {
  const { team, body, caller, form, switches } = given
  const templateType = typeIn(given)
  const fields = readBody(body, { ...variants[templateType], templateType: text }, switches)
  const provider = team.providers.find(({ _id }) => _id === fields.provider)
  refuseUnless(provider?.channel === templateType, switches)
  refuseUnless(!team.find('template', ({ uniqueName }) => uniqueName === fields.uniqueName), switches)
  if (['image', 'video', 'document'].includes(fields.headerType as string))
    refuseUnless((form?.files.length ?? 0) > 0, switches)
  const status = templateType === 'whatsapp' ? switches.whatsappStarts : 'approved'
  const template = team.insert('template', { ...fields, status, owner: caller.user })
  const { _id, name, subject } = template
  if (status === 'pending' && switches.approvedAfter < Infinity)
    team.scheduleAt(switches.approvedAfter, () => {
      const current = team.shelf('template').get(_id)
      if (current) team.update('template', current, { status: 'approved' })
    })
  return {
    status: 201,
    message: 'Template created',
    data: { _id, templateType, name, status, ...(templateType === 'email' ? { subject } : {}) },
  }
}

function show(template: Stored, { switches }: Given, sent: Fields = {}): Fields {
  const { owner, ...all } = template
  const isAll = switches.templatesShown === 'everything'
  const shown = Object.entries(all).filter(([name]) => isAll || fieldsOfAll.includes(name) || name in sent)
  return showLacking(Object.fromEntries(shown), ['subject', 'category', 'language'], switches)
}

const fieldsOfAll = '_id templateType name uniqueName content status category language subject'.split(' ')

/** An agent sees only what they made; what a key made belongs to no agent. */
const isVisible = (template: Stored, { caller }: Given) => caller.role === 'admin' || template.owner === caller.user

const listTemplates: Operation = (given) => {
  const { team, query, switches } = given
  for (const name of ['page', 'limit', 'types', 'statuses']) refuseUnless(query.has(name), switches)
  const [wantedTypes, wantedStatuses] = [query.getAll('types'), query.getAll('statuses')]
  refuseUnless(
    wantedTypes.every((one) => types.includes(one)),
    switches,
  )
  refuseUnless(
    wantedStatuses.every((one) => statuses.includes(one)),
    switches,
  )
  const found = team
    .shelf('template')
    .all(switches.lag)
    .filter((one) => isVisible(one, given))
    .filter((one) => wantedTypes.includes(String(one.templateType)) && wantedStatuses.includes(String(one.status)))
  if (switches.templateOrder === 'newestFirst') found.reverse()
  if (switches.templateOrder === 'byName') found.sort((one, other) => (String(one.name) < String(other.name) ? -1 : 1))
  const { items, total: totalResults, totalPages, currentPage, limit, hasMore } = paginate(found, given)
  return {
    status: 200,
    message: 'Templates found',
    data: items.map((one) => show(one, given)),
    pagination: { totalResults, totalPages, currentPage, limit, hasMore },
  }
}

function visibleTemplate(given: Given, lag = 0): Stored {
  const template = recordAt(given, 'template', lag)
  return isVisible(template, given) || given.switches.templatesOfOthers === 200 ? template : refuse(given.switches, 404)
}

const getTemplate: Operation = (given) => ({
  status: 200,
  message: 'Template found',
  data: show(visibleTemplate(given, given.switches.lagOf === 'reads' ? given.switches.lag : 0), given),
})

const updateTemplate: Operation = (given) => {
  const { team, body, switches } = given
  const templateType = typeIn(given)
  const template = visibleTemplate(given)
  refuseUnless(template.templateType === templateType, switches)
  const others = templateType === 'whatsapp' ? {} : { category: smsCategory }
  const readers = { ...optional({ ...variants[templateType], ...others }), templateType: text }
  const { templateType: _, ...fields } = readBody(body, readers, switches)
  if (switches.pendingEdits === 'refused') refuseUnless(template.status !== 'pending', switches)
  const isReviewed = (['content', 'category', 'language'] as const).some(
    (name) => name in fields && fields[name] !== template[name],
  )
  const isPending = templateType === 'whatsapp' && switches.whatsappAfterUpdate === 'pending' && isReviewed
  const approval = isPending ? { status: 'pending' } : {}
  const shown = show(team.update('template', template, { ...fields, ...approval }), given, fields)
  const changed = Object.fromEntries(Object.keys(fields).map((name) => [name, shown[name]]))
  const { variables: _variables, ...documented } = shown
  const data = { changed: { _id: template._id, ...changed }, whole: shown, documented }[switches.templateUpdate]
  return { status: 200, message: 'Template updated', data }
}

const deleteTemplate: Operation = (given) => {
  const template = recordToDelete(given, 'template')
  if (template && !isVisible(template, given)) refuse(given.switches, 404)
  if (template) given.team.remove('template', template._id)
  return { status: 200, message: 'Template deleted' }
}

export const templates = {
  'GET /api/templates': listTemplates,
  'GET /api/templates/:id': getTemplate,
  'POST /api/templates': createTemplate,
  'PUT /api/templates/:id': updateTemplate,
  'DELETE /api/templates/:id': deleteTemplate,
}

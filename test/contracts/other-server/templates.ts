import { paginate } from './messages.ts'
import { type Given, type Operation, recordAt, recordToDelete, refuse, refuseUnless, showLacking } from './replies.ts'
import type { Fields, Stored } from './team.ts'
import { flag, oneOf, optional, readBody, type Reader, type Readers, text } from './values.ts'

const types = ['sms', 'email', 'whatsapp']
const statuses = ['pending', 'approved', 'rejected']
const categories = oneOf('UTILITY', 'MARKETING', 'AUTHENTICATION')

/** A list; in a form it may be written as JSON. */
const listOrJson: Reader = (value, _name, knobs) => {
  const given = typeof value === 'string' ? parse(value) : value
  return Array.isArray(given) ? given : refuse(knobs)
}

const language: Reader = (value, name, knobs) =>
  ({ any: /^/, withRegion: /^\w\w[-_]\w\w$/, english: /^en/ })[knobs.languages].test(String(value))
    ? text(value, name, knobs)
    : refuse(knobs)

const smsCategory: Reader = (value, name, knobs) =>
  knobs.smsCategories === 'ofWhatsapp' ? categories(value, name, knobs) : text(value, name, knobs)

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

const typeIn = ({ body, knobs }: Given): string => {
  const { templateType } = (body ?? {}) as Fields
  return types.includes(templateType as string) ? (templateType as string) : refuse(knobs)
}

const createTemplate: Operation = (given) => {
  const { team, body, caller, form, knobs } = given
  const templateType = typeIn(given)
  const fields = readBody(body, { ...variants[templateType], templateType: text }, knobs)
  const provider = team.providers.find(({ _id }) => _id === fields.provider)
  refuseUnless(provider?.channel === templateType, knobs)
  refuseUnless(!team.find('template', ({ uniqueName }) => uniqueName === fields.uniqueName), knobs)
  if (['image', 'video', 'document'].includes(fields.headerType as string))
    refuseUnless((form?.files.length ?? 0) > 0, knobs)
  const status = templateType === 'whatsapp' ? knobs.whatsappStarts : 'approved'
  const template = team.insert('template', { ...fields, status, owner: caller.user })
  const { _id, name, subject } = template
  if (status === 'pending' && knobs.approvedAfter < Infinity)
    team.scheduleAt(knobs.approvedAfter, () => {
      const current = team.shelf('template').get(_id)
      if (current) team.update('template', current, { status: 'approved' })
    })
  return {
    status: 201,
    message: 'Template created',
    data: { _id, templateType, name, status, ...(templateType === 'email' ? { subject } : {}) },
  }
}

function show(template: Stored, { knobs }: Given): Fields {
  const { owner, ...shown } = template
  return showLacking(shown, ['subject', 'category', 'language'], knobs)
}

/** An agent sees only what they made; what a key made belongs to no agent. */
const isVisible = (template: Stored, { caller }: Given) => caller.role === 'admin' || template.owner === caller.user

const listTemplates: Operation = (given) => {
  const { team, query, knobs } = given
  for (const name of ['page', 'limit', 'types', 'statuses']) refuseUnless(query.has(name), knobs)
  const [wantedTypes, wantedStatuses] = [query.getAll('types'), query.getAll('statuses')]
  refuseUnless(
    wantedTypes.every((one) => types.includes(one)),
    knobs,
  )
  refuseUnless(
    wantedStatuses.every((one) => statuses.includes(one)),
    knobs,
  )
  const found = team
    .shelf('template')
    .all(knobs.lag)
    .filter((one) => isVisible(one, given))
    .filter((one) => wantedTypes.includes(String(one.templateType)) && wantedStatuses.includes(String(one.status)))
  if (knobs.templateOrder === 'newestFirst') found.reverse()
  if (knobs.templateOrder === 'byName') found.sort((one, other) => (String(one.name) < String(other.name) ? -1 : 1))
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
  return isVisible(template, given) || given.knobs.templatesOfOthers === 200 ? template : refuse(given.knobs, 404)
}

const getTemplate: Operation = (given) => ({
  status: 200,
  message: 'Template found',
  data: show(visibleTemplate(given, given.knobs.lagOf === 'reads' ? given.knobs.lag : 0), given),
})

const updateTemplate: Operation = (given) => {
  const { team, body, knobs } = given
  const templateType = typeIn(given)
  const template = visibleTemplate(given)
  refuseUnless(template.templateType === templateType, knobs)
  const others = templateType === 'whatsapp' ? {} : { category: smsCategory }
  const readers = { ...optional({ ...variants[templateType], ...others }), templateType: text }
  const { templateType: _, ...fields } = readBody(body, readers, knobs)
  if (knobs.pendingEdits === 'refused') refuseUnless(template.status !== 'pending', knobs)
  const isReviewed = (['content', 'category', 'language'] as const).some(
    (name) => name in fields && fields[name] !== template[name],
  )
  const isPending = templateType === 'whatsapp' && knobs.whatsappAfterUpdate === 'pending' && isReviewed
  const approval = isPending ? { status: 'pending' } : {}
  const shown = show(team.update('template', template, { ...fields, ...approval }), given)
  const changed = Object.fromEntries(Object.keys(fields).map((name) => [name, shown[name]]))
  const { variables: _variables, ...documented } = shown
  const data = { changed: { _id: template._id, ...changed }, whole: shown, documented }[knobs.templateUpdate]
  return { status: 200, message: 'Template updated', data }
}

const deleteTemplate: Operation = (given) => {
  const template = recordToDelete(given, 'template')
  if (template && !isVisible(template, given)) refuse(given.knobs, 404)
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

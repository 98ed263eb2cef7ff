import { expect } from 'vitest'
import { plainType } from '../../client/bodies.ts'
import type { Fields } from '../../client/answer.ts'
import type { Input } from '../../client/request.ts'
import type { Tools } from '../../client/tools.ts'
import { promise } from '../../spec/promises.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { pick } from './values.ts'

export type Template = Schemas['Template']
export type TemplateType = Schemas['TemplateType']

export const templateTypes: readonly TemplateType[] = promise('template.typesAreTaken').values

const documented: readonly string[] = [
  ...promise('template.getShowsTheTemplate').fields,
  ...promise('template.getShowsWhatElseWasGiven').fields,
]

/** A template that needs no approval by a platform. */
export const makePlainTemplate = ({ make, target }: Tools) => make.template(plainType(target))

/** A template as its create answers, and the fields that a read has to show. */
export async function newTemplate({ ask, some }: Tools, type: TemplateType, fields: object = {}) {
  const body = some.template[type](fields)
  const { data } = await ask('createTemplate', { body })
  return { created: data, shown: shownOf({ ...body, _id: data._id }) }
}

/** The fields that a read has to show; the specification leaves the others open. */
export function shownOf(fields: object): Fields {
  const shown = Object.entries(fields as Fields).filter(([field]) => documented.includes(field))
  return Object.fromEntries(shown.map(([field, value]) => [field, value === 'UTILITY' ? utilityOrMoved : value]))
}

/** The messaging platform moves a template to another category if it takes it for advertising. */
const utilityOrMoved: unknown = expect.stringMatching(/^(UTILITY|MARKETING)$/)

/** The required fields of a template alone. A placeholder would need a sample. */
export function bareTemplate({ some }: Tools, type: TemplateType): Fields {
  const { fields } = promise(`template.${type}Requires`)
  return pick<string, Fields>(['templateType', ...fields], some.template[type]({ content: 'We open at nine.' }))
}

export const at = ({ _id }: { readonly _id: string }) => ({ templateId: _id })

/** Fields with other values than any other template of the type. */
export const unlike = {
  sms: { language: 'de' },
  email: { language: 'de', subject: 'Guten Tag' },
  whatsapp: { language: 'de', category: 'MARKETING' },
} as const

/** The platform refuses some changes of a template, and every change before its approval, so a server may do so too. */
export async function checkEditable(
  { call }: Tools,
  template: Schemas['TemplateCreated'],
  body: object,
): Promise<void> {
  if (template.templateType !== 'whatsapp') return
  if ((await call('updateTemplate', { path: at(template), body })).succeeded) return
  throw new Inconclusive('this server refuses to change this of a WhatsApp template, as the platform may')
}

/** Another content, with as many placeholders as before, since a placeholder needs a sample. */
export const contentFor = (type: TemplateType) => (type === 'whatsapp' ? 'Order {{1}} has left' : 'We open at ten.')

/** A WhatsApp template for a form. It contains no list: the specification leaves open how a form encodes one. */
export function formTemplate({ some }: Tools) {
  const { variables, bodyVariableSampleValues, ...template } = some.template.whatsapp()
  return { ...template, content: 'Your order has left' }
}

/** Fields of a template with a picture in its header. */
export const imageHeader = { isHeader: true, headerType: 'image' }

/** A multipart/form-data body, in which every field is a text. */
export function formOf(fields: Readonly<Record<string, string | boolean>>, file?: File): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  if (file) form.append('file', file)
  return form
}

/** Minimal PNG, MP4 and PDF, for servers that inspect a file. */
export const mediaOf = {
  image: () => fileFrom('engine.png', 'image/png', png),
  video: () => fileFrom('engine.mp4', 'video/mp4', mp4),
  document: () => fileFrom('engine.pdf', 'application/pdf', Buffer.from(pdf).toString('base64')),
} as const

const fileFrom = (name: string, type: string, base64: string) =>
  new File([Buffer.from(base64, 'base64')], name, { type })

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const mp4 = 'AAAAHGZ0eXBpc29tAAACAGlzb21pc28ybXA0MQAAAAhmcmVlAAAACG1kYXQ='
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`

type Query = NonNullable<Input['query']>

/** The first page of a list, with every type and status. */
export const firstPage = {
  page: 1,
  limit: 10,
  types: promise('template.listFiltersByType').values,
  statuses: promise('template.listFiltersByStatus').values,
} satisfies Query

export const listOf = ({ ask }: Tools, query: Query = {}) => ask('listTemplates', { query: { ...firstPage, ...query } })

/** The pages of a list, up to a page without new templates: `hasMore` and `totalPages` may be wrong. */
export async function pagesOf(tools: Tools, query: Query): Promise<readonly (readonly Template[])[]> {
  const pages = [(await listOf(tools, query)).data]
  const known = new Set(idsIn(pages.flat()))
  for (let page = 2; ; page++) {
    const answer = await tools.call('listTemplates', { query: { ...firstPage, ...query, page } })
    tools.observe('historyPageBeyond', answer.status === 404 ? 'notFound' : 'empty')
    if (answer.status === 404 || answer.pagination.currentPage !== page) return pages
    const fresh = idsIn(answer.data).filter((id) => !known.has(id))
    if (answer.data.length > 0) pages.push(answer.data)
    if (fresh.length === 0) return pages
    for (const id of fresh) known.add(id)
  }
}

/** All templates of a list, read in pages as large as the server allows. */
export async function listAll(tools: Tools, query: Query = {}): Promise<readonly Template[]> {
  for (const limit of [100, 50])
    if ((await tools.call('listTemplates', { query: { ...firstPage, ...query, limit } })).succeeded)
      return (await pagesOf(tools, { ...query, limit })).flat()
  return (await pagesOf(tools, { ...query, limit: 10 })).flat()
}

export const idsIn = (templates: readonly Pick<Template, '_id'>[]): string[] => templates.map(({ _id }) => _id)

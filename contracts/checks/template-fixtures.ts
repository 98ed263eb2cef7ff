import { expect } from 'vitest'
import { plainType } from '../client/bodies.ts'
import type { Fields } from '../client/answer.ts'
import type { Input } from '../client/request.ts'
import type { Tools } from '../client/tools.ts'
import { promise } from '../../spec/promises.ts'
import type { Schemas } from '../../spec/types.ts'
import { oncePerRun, pick } from './values.ts'

export type Template = Schemas['Template']
export type TemplateType = Schemas['TemplateType']

export const templateTypes: readonly TemplateType[] = promise('template.typesAreTaken').values

const documented: readonly string[] = [
  ...promise('template.getShowsTheTemplate').fields,
  ...promise('template.getShowsWhatElseWasGiven').fields,
]

/** A template of the type, one for all checks of the lists. */
export const anyTemplate = (tools: Tools, type = plainType(tools.target) as TemplateType, who: Listing = 'team') =>
  oncePerRun(tools, `template ${type} of ${who}`, () => tools.as(who).make.template(type))

type Listing = 'team' | 'otherTeam' | 'agent' | 'admin'

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
export async function pagesOf(
  tools: Tools,
  query: Query,
  first?: readonly Template[],
): Promise<readonly (readonly Template[])[]> {
  const pages = [first ?? (await listOf(tools, query)).data]
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
  for (const limit of [100, 50]) {
    const { succeeded, data, pagination } = await tools.call('listTemplates', {
      query: { ...firstPage, ...query, limit },
    })
    if (!succeeded) continue
    const isWhole = data.length < limit && pagination.hasMore === false
    return isWhole ? data : (await pagesOf(tools, { ...query, limit }, data)).flat()
  }
  return (await pagesOf(tools, { ...query, limit: 10 })).flat()
}

export const idsIn = (templates: readonly Pick<Template, '_id'>[]): string[] => templates.map(({ _id }) => _id)

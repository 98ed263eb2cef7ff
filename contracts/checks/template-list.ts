import type { Input } from '../../client/request.ts'
import type { Tools } from '../../client/tools.ts'
import { promise } from '../../spec/promises.ts'
import type { Schemas } from '../../spec/types.ts'

type Template = Schemas['Template']
type Query = NonNullable<Input['query']>

/** The first page of a list, with every type and status. */
export const firstPage = {
  page: 1,
  limit: 10,
  types: promise('template.listFiltersByType').values,
  statuses: promise('template.listFiltersByStatus').values,
} satisfies Query

export const listOf = ({ ask }: Tools, query: Query = {}) => ask('listTemplates', { query: { ...firstPage, ...query } })

/** The pages of a list, until one brings nothing new: what the answer says about its end may be wrong. */
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

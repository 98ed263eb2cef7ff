import type { Answer } from './answer.ts'
import type { Input } from './request.ts'

type Query = NonNullable<Input['query']>
type List = (query: Query) => Promise<Answer>

/** The pages of a list of templates, each as large as the server allows: a limit of 100 may be refused. */
export async function* templatePages(list: List, filters: Query): AsyncGenerator<readonly object[]> {
  let limit = 100
  for (let page = 1; page <= 1000; page++) {
    let answer = await list({ ...filters, page, limit })
    if (answer.status === 400 && page === 1) {
      limit = 10
      answer = await list({ ...filters, page, limit })
    }
    yield [answer.data].flat()
    if (answer.pagination.hasMore !== true) return
  }
}

import { expect } from 'vitest'
import { plainType } from '../client/bodies.ts'
import type { Tools } from '../client/tools.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { keeps } from './keeps.ts'
import { firstPage, idsIn, listAll, listOf, newTemplate, pagesOf, templateTypes } from './template-fixtures.ts'

/** A query for one type with at least three templates. It creates templates only if there are fewer. */
async function ensureThree(tools: Tools) {
  const type = plainType(tools.target)
  for (let total = await totalOf(tools, { types: type }); total < 3; total++) await tools.make.template(type)
  return { types: type }
}

async function totalOf(tools: Tools, query: object): Promise<number> {
  return Number((await listOf(tools, { ...query, limit: 1 })).pagination.totalResults)
}

/** Inconclusive if another client creates templates meanwhile. */
async function whileUnchanged<Value>(tools: Tools, query: object, read: () => Promise<Value>): Promise<Value> {
  const before = await totalOf(tools, query)
  const value = await read()
  if ((await totalOf(tools, query)) !== before) throw new Inconclusive('the list changed while it was read')
  return value
}

keeps('template.listHasPagination', async (context) => {
  const { pagination } = await listOf(context)
  for (const field of context.requirement.fields)
    expect(pagination).toHaveProperty(field, expect.any(field === 'hasMore' ? Boolean : Number))
})

keeps('template.listTotal', async (context) => {
  await ensureThree(context)
  for (const types of templateTypes) {
    const [count, ...totals] = await whileUnchanged(context, { types }, async () => [
      new Set(idsIn(await listAll(context, { types }))).size,
      await totalOf(context, { types }),
      Number((await listOf(context, { types, limit: 2 })).pagination.totalResults),
    ])
    expect(totals).toEqual([count, count])
  }
})

/** A limit that fills the last page, and one that does not. */
const limitsFor = (total: number) => [1, [2, 3, 5, 7, 11, 13].find((limit) => total % limit !== 0) ?? 17]

keeps('template.listTotalPages', async (context) => {
  const query = await ensureThree(context)
  for (const limit of limitsFor(await totalOf(context, query))) {
    const { totalResults, totalPages } = (await listOf(context, { ...query, limit })).pagination
    expect(totalPages).toBe(Math.ceil(Number(totalResults) / limit))
  }
})

keeps('template.listCurrentPage', async (context) => {
  const query = await ensureThree(context)
  for (const page of [1, 2, 3])
    expect((await listOf(context, { ...query, limit: 1, page })).pagination.currentPage).toBe(page)
})

keeps('template.listLimit', async (context) => {
  for (const limit of [1, 2, 10]) expect((await listOf(context, { limit })).pagination.limit).toBe(limit)
})

keeps('template.listHasMore', async (context) => {
  const query = await ensureThree(context)
  const total = await totalOf(context, query)
  /** A server may answer 404 to a page past the end. */
  const isEmpty = async (limit: number, page: number) => {
    const answer = await context.call('listTemplates', { query: { ...firstPage, ...query, limit, page } })
    return answer.status === 404 || answer.data.length === 0
  }
  for (const limit of limitsFor(total)) {
    const last = Math.ceil(total / limit)
    if ((await isEmpty(limit, last)) || !(await isEmpty(limit, last + 1)))
      throw new Inconclusive('it cannot be told which page is the last')
    const pages = [...new Set([1, last - 1, last])]
    const shown = await whileUnchanged(context, query, async () => {
      if (!(await isEmpty(limit, last + 1))) throw new Inconclusive('the list changed while it was read')
      const all: unknown[] = []
      for (const page of pages) all.push((await listOf(context, { ...query, limit, page })).pagination.hasMore)
      return all
    })
    expect(shown).toEqual(pages.map((page) => page < last))
  }
})

keeps('template.listIsAList', async (context) => {
  for (const type of templateTypes) {
    const { shown } = await newTemplate(context, type)
    const own = (await listAll(context, { types: type })).find(({ _id }) => _id === shown._id)
    if (!own) throw new Inconclusive('the list lacks a new template')
    expect(own).toMatchObject(shown)
  }
})

type Created = Pick<Schemas['TemplateCreated'], '_id' | 'status'>

/** The platform may approve or reject a template at any time. */
async function checkStatus({ readRecord }: Tools, template: Created): Promise<void> {
  const now = await readRecord('template', template)
  if (now?.status !== template.status) throw new Inconclusive('the status of a template has changed since its create')
}

keeps('template.listHoldsWhatWasCreated', async (context) => {
  for (const type of templateTypes) {
    const template = await context.make.template(type)
    const ids = idsIn(await listAll(context, { types: type, statuses: template.status }))
    if (!ids.includes(template._id)) await checkStatus(context, template)
    expect(ids).toContain(template._id)
  }
})

keeps('template.listLimitHolds', async (context) => {
  const query = await ensureThree(context)
  for (const limit of [1, 2])
    expect((await listOf(context, { ...query, limit })).data.length).toBeLessThanOrEqual(limit)
})

keeps('template.listPagesAddUp', async (context) => {
  const query = await ensureThree(context)
  const total = await totalOf(context, query)
  const pages = await whileUnchanged(context, query, async () => [
    await pagesOf(context, { ...query, limit: Math.min(Math.ceil(total / 3), 100) }),
    await pagesOf(context, { ...query, limit: Math.min(Math.ceil(total / 2), 90) }),
  ])
  const [some = [], others] = pages.map((reading) => idsIn(reading.flat()).toSorted())
  expect(some).toEqual([...new Set(some)])
  expect(some).toHaveLength(total)
  expect(others).toEqual(some)
})

/** The list without its first item, without its second, and so on. */
const allButOne = <Item>(items: readonly Item[]) => items.map((out) => items.filter((item) => item !== out))

keeps('template.listFiltersByType', async ({ make, requirement }, context) => {
  for (const type of requirement.values) await make.template(type)
  for (const type of requirement.values) {
    const listed = await listAll(context, { types: type })
    expect(listed.filter(({ templateType }) => templateType !== type)).toEqual([])
  }
})

keeps('template.typesMayRepeat', async (context) => {
  const own = []
  for (const type of templateTypes) own.push(await context.make.template(type))
  for (const types of allButOne(templateTypes)) {
    const listed = await listAll(context, { types })
    const ofTypes = own.filter(({ templateType }) => types.includes(templateType))
    expect(idsIn(listed)).toEqual(expect.arrayContaining(idsIn(ofTypes)))
    expect(listed.filter(({ templateType }) => !types.includes(templateType))).toEqual([])
  }
})

const makeTwo = async ({ make, target }: Tools) => [
  await make.template('whatsapp'),
  await make.template(plainType(target)),
]

keeps('template.listFiltersByStatus', async (context) => {
  await makeTwo(context)
  for (const status of context.requirement.values)
    for (const query of [{ statuses: status }, { statuses: status, types: plainType(context.target) }]) {
      const listed = await listAll(context, query)
      expect(listed.filter((template) => template.status !== status)).toEqual([])
    }
})

keeps('template.statusesMayRepeat', async (context) => {
  const own = await makeTwo(context)
  for (const statuses of allButOne(firstPage.statuses)) {
    const listed = await listAll(context, { statuses })
    for (const template of own) await checkStatus(context, template)
    expect(idsIn(listed)).toEqual(expect.arrayContaining(idsIn(own.filter(({ status }) => statuses.includes(status)))))
    expect(listed.filter(({ status }) => !statuses.includes(status))).toEqual([])
  }
})

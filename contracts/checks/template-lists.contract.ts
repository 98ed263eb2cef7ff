import { plainType } from '../../client/bodies.ts'
import { expect } from 'vitest'
import type { Tools } from '../../client/tools.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { keeps } from './keeps.ts'
import { newTemplate, templateTypes } from './new-template.ts'
import { firstPage, idsIn, listAll, listOf, pagesOf } from './template-list.ts'

/** A query for one type of which there are at least three templates; makes new ones only if it must. */
async function ensureThree(given: Tools) {
  const type = plainType(given.target)
  for (let total = await totalOf(given, { types: type }); total < 3; total++) await given.make.template(type)
  return { types: type }
}

async function totalOf(tools: Tools, query: object): Promise<number> {
  return Number((await listOf(tools, { ...query, limit: 1 })).pagination.totalResults)
}

/** Cannot tell if other clients create templates meanwhile. */
async function whileNothingChanges<Value>(tools: Tools, query: object, read: () => Promise<Value>): Promise<Value> {
  const before = await totalOf(tools, query)
  const value = await read()
  if ((await totalOf(tools, query)) !== before) throw new Inconclusive('the list changed while it was read')
  return value
}

keeps('template.listHasPagination', async (given) => {
  const { pagination } = await listOf(given)
  for (const field of given.requirement.fields)
    expect(pagination).toHaveProperty(field, field === 'hasMore' ? expect.any(Boolean) : expect.any(Number))
})

keeps('template.listTotal', async (given) => {
  await ensureThree(given)
  for (const types of templateTypes) {
    const { count, totals } = await whileNothingChanges(given, { types }, async () => ({
      count: new Set(idsIn(await listAll(given, { types }))).size,
      totals: [
        await totalOf(given, { types }),
        Number((await listOf(given, { types, limit: 2 })).pagination.totalResults),
      ],
    }))
    expect(totals).toEqual([count, count])
  }
})

/** A limit that fills the last page, and one that does not. */
const limitsFor = (total: number) => [1, [2, 3, 5, 7, 11, 13].find((limit) => total % limit !== 0) ?? 17]

keeps('template.listTotalPages', async (given) => {
  const query = await ensureThree(given)
  for (const limit of limitsFor(await totalOf(given, query))) {
    const { totalResults, totalPages } = (await listOf(given, { ...query, limit })).pagination
    expect(totalPages).toBe(Math.ceil(Number(totalResults) / limit))
  }
})

keeps('template.listCurrentPage', async (given) => {
  const query = await ensureThree(given)
  for (const page of [1, 2, 3])
    expect((await listOf(given, { ...query, limit: 1, page })).pagination.currentPage).toBe(page)
})

keeps('template.listLimit', async (given) => {
  for (const limit of [1, 2, 10]) expect((await listOf(given, { limit })).pagination.limit).toBe(limit)
})

/** Whether a page is empty; past the end it may be answered with 404. */
async function isEmpty({ call }: Tools, query: object): Promise<boolean> {
  const answer = await call('listTemplates', { query: { ...firstPage, ...query } })
  return answer.status === 404 || answer.data.length === 0
}

keeps('template.listHasMore', async (given) => {
  const query = await ensureThree(given)
  const total = await totalOf(given, query)
  for (const limit of limitsFor(total)) {
    const last = Math.ceil(total / limit)
    const isEmptyPage = (page: number) => isEmpty(given, { ...query, limit, page })
    if ((await isEmptyPage(last)) || !(await isEmptyPage(last + 1)))
      throw new Inconclusive('it cannot be told which page is the last')
    const pages = [...new Set([1, last - 1, last])]
    const told = await whileNothingChanges(given, query, async () => {
      // Somebody may have made one since the last page was looked for.
      if (!(await isEmptyPage(last + 1))) throw new Inconclusive('the list changed while it was read')
      const all: unknown[] = []
      for (const page of pages) all.push((await listOf(given, { ...query, limit, page })).pagination.hasMore)
      return all
    })
    expect(told).toEqual(pages.map((page) => page < last))
  }
})

keeps('template.listAnswers200', async ({ call, requirement }) => {
  expect((await call('listTemplates', { query: firstPage })).status).toBe(requirement.status)
})

keeps('template.listRequires', async ({ requires }) => {
  await requires('listTemplates', () => ({ query: firstPage }))
})

keeps('template.listIsAList', async (given) => {
  for (const type of templateTypes) {
    const { shown } = await newTemplate(given, type)
    const own = (await listAll(given, { types: type })).find(({ _id }) => _id === shown._id)
    if (!own) throw new Inconclusive('the list lacks a new template')
    expect(own).toMatchObject(shown)
  }
})

type Created = Pick<Schemas['TemplateCreated'], '_id' | 'status'>

/** The platform may approve or reject a template at any time. */
async function checkStays({ look }: Tools, template: Created): Promise<void> {
  const now = await look('template', template)
  if (now?.status !== template.status) throw new Inconclusive('the status of a template has changed since its create')
}

keeps('template.listHoldsWhatWasCreated', async (given) => {
  for (const type of templateTypes) {
    const template = await given.make.template(type)
    const ids = idsIn(await listAll(given, { types: type, statuses: template.status }))
    if (!ids.includes(template._id)) await checkStays(given, template)
    expect(ids).toContain(template._id)
  }
})

keeps('template.listLimitHolds', async (given) => {
  const query = await ensureThree(given)
  for (const limit of [1, 2]) expect((await listOf(given, { ...query, limit })).data.length).toBeLessThanOrEqual(limit)
})

keeps('template.listPagesAddUp', async (given) => {
  const query = await ensureThree(given)
  const total = await totalOf(given, query)
  const pages = await whileNothingChanges(given, query, async () => [
    await pagesOf(given, { ...query, limit: Math.min(Math.ceil(total / 3), 100) }),
    await pagesOf(given, { ...query, limit: Math.min(Math.ceil(total / 2), 90) }),
  ])
  const [some = [], others] = pages.map((reading) => idsIn(reading.flat()).toSorted())
  expect(some).toEqual([...new Set(some)])
  expect(some).toHaveLength(total)
  expect(others).toEqual(some)
})

/** The list without its first item, without its second, and so on. */
const allButOne = <Item>(items: readonly Item[]) => items.map((out) => items.filter((item) => item !== out))

keeps('template.listFiltersByType', async (given) => {
  const { make, requirement } = given
  for (const type of requirement.values) await make.template(type)
  for (const type of requirement.values) {
    const listed = await listAll(given, { types: type })
    expect(listed.filter(({ templateType }) => templateType !== type)).toEqual([])
  }
})

keeps('template.typesMayRepeat', async (given) => {
  const own = []
  for (const type of templateTypes) own.push(await given.make.template(type))
  for (const types of allButOne(templateTypes)) {
    const listed = await listAll(given, { types })
    expect(idsIn(listed)).toEqual(
      expect.arrayContaining(idsIn(own.filter(({ templateType }) => types.includes(templateType)))),
    )
    expect(listed.filter(({ templateType }) => !types.includes(templateType))).toEqual([])
  }
})

keeps('template.listFiltersByStatus', async (given) => {
  const { make, requirement } = given
  await make.template('whatsapp')
  await make.template(plainType(given.target))
  for (const status of requirement.values) {
    for (const query of [{ statuses: status }, { statuses: status, types: plainType(given.target) }]) {
      const listed = await listAll(given, query)
      expect(listed.filter((template) => template.status !== status)).toEqual([])
    }
  }
})

keeps('template.statusesMayRepeat', async (given) => {
  const own = [await given.make.template('whatsapp'), await given.make.template(plainType(given.target))]
  for (const statuses of allButOne(firstPage.statuses)) {
    const listed = await listAll(given, { statuses })
    for (const template of own) await checkStays(given, template)
    expect(idsIn(listed)).toEqual(expect.arrayContaining(idsIn(own.filter(({ status }) => statuses.includes(status)))))
    expect(listed.filter(({ status }) => !statuses.includes(status))).toEqual([])
  }
})

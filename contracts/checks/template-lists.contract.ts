import { expect } from 'vitest'
import { plainType } from '../client/bodies.ts'
import type { Tools } from '../client/tools.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { keeps } from './keeps.ts'
import { anyTemplate, firstPage, idsIn, listAll, listOf, pagesOf, templateTypes } from './template-fixtures.ts'

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

type Created = Pick<Schemas['TemplateCreated'], '_id' | 'status'>

/** The platform may approve or reject a template at any time. */
async function checkStatus({ readRecord }: Tools, template: Created): Promise<void> {
  const now = await readRecord('template', template)
  if (now?.status !== template.status) throw new Inconclusive('the status of a template has changed since its create')
}

keeps('template.listHoldsWhatWasCreated', async (context) => {
  for (const type of templateTypes) {
    const template = await anyTemplate(context, type)
    const ids = idsIn(await listAll(context, { types: type, statuses: template.status }))
    if (!ids.includes(template._id)) await checkStatus(context, template)
    expect(ids).toContain(template._id)
  }
})

keeps('template.listPagesAddUp', async (context) => {
  const query = await ensureThree(context)
  const total = await totalOf(context, query)
  const pages = await whileUnchanged(context, query, async () => [
    await pagesOf(context, { ...query, limit: Math.min(Math.ceil(total / 3), 100) }),
    await pagesOf(context, { ...query, limit: Math.min(Math.ceil(total / 2), 90) }),
    [
      (await listOf(context, { ...query, limit: 1 })).data,
      (await listOf(context, { ...query, limit: 1, page: 2 })).data,
    ],
  ])
  const [some = [], others, ofOne = []] = pages.map((reading) => idsIn(reading.flat()).toSorted())
  expect(some).toEqual([...new Set(some)])
  expect(some).toHaveLength(total)
  expect(others).toEqual(some)
  expect(ofOne).toEqual([...new Set(ofOne)])
})

/** The list without its first item, without its second, and so on. */
const allButOne = <Item>(items: readonly Item[]) => items.map((out) => items.filter((item) => item !== out))

keeps('template.typesMayRepeat', async (context) => {
  const own = []
  for (const type of templateTypes) own.push(await anyTemplate(context, type))
  for (const types of allButOne(templateTypes)) {
    const listed = await listAll(context, { types })
    const ofTypes = own.filter(({ templateType }) => types.includes(templateType))
    expect(idsIn(listed)).toEqual(expect.arrayContaining(idsIn(ofTypes)))
    expect(listed.filter(({ templateType }) => !types.includes(templateType))).toEqual([])
  }
})

keeps('template.statusesMayRepeat', async (context) => {
  const own = [await anyTemplate(context, 'whatsapp'), await anyTemplate(context)]
  for (const statuses of allButOne(firstPage.statuses)) {
    const listed = await listAll(context, { statuses })
    const wanted = own.filter(({ status }) => statuses.includes(status))
    for (const one of wanted) if (!idsIn(listed).includes(one._id)) await checkStatus(context, one)
    expect(idsIn(listed)).toEqual(expect.arrayContaining(idsIn(wanted)))
    expect(listed.filter(({ status }) => !statuses.includes(status))).toEqual([])
  }
})

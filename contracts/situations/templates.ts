import { idOf } from '../client/answer.ts'
import type { Story, StoryTools } from '../judge/story.ts'
import { keys, textOf, textPairs, withKey } from './writes.ts'

// Templates: made, changed, read alone and in lists of several filters and pages, and deleted.

export const templateParameters = {
  type: ['sms', 'email', 'whatsapp'],
  texts: textPairs,
  shape: ['minimal', 'usual'],
  /** Each update changes the next of them. */
  fields: ['name content', 'language category two', 'content none'],
  key: keys,
  types: ['own', 'all', 'others', 'two'],
  statuses: ['approved', 'all', 'pending'],
  limit: [1, 3, 10],
  page: ['first', 'second', 'last', 'pastTheEnd'],
  caller: ['team', 'admin', 'agent'],
  ends: ['deleted', 'deletedAfterUse', 'stays', 'triedByAnotherTeam'],
} as const

type Values = { readonly [Name in keyof typeof templateParameters]: (typeof templateParameters)[Name][number] }

export const templateStory =
  (values: Values): Story =>
  async (tools) => {
    const { type, texts, shape, fields, key, limit, caller, ends } = values
    const { attempt, mint, some } = tools
    const category = type === 'sms' && key !== 'none' ? { category: 'UTILITY' } : {}
    const usual = { ...some.template[type](), content: textOf(texts, 0), ...category }
    const { language: _, ...minimal } = usual
    const body = shape === 'usual' || type === 'whatsapp' ? usual : minimal
    const another = { ...body, uniqueName: mint.slug('of_another'), name: mint.name('Of another team') }
    const id = idOf((await withKey(tools, key, 'createTemplate', { body, caller }, { body: another }))?.fields.data)
    if (id === undefined) return
    const path = { templateId: id }
    await attempt('getTemplate', { path })
    for (const [time, field] of fields.split(' ').entries()) {
      const change = changeOf(tools, field, textOf(texts, time), time)
      await withKey(tools, time === 0 ? key : 'none', 'updateTemplate', {
        path,
        body: { templateType: type, ...change },
      })
    }
    await attempt('getTemplate', { path })
    // One more than a page holds.
    const others = limit < 10 ? limit : 0
    for (let other = 0; other < others; other++)
      await attempt('createTemplate', {
        body: some.template[type](),
        ...(caller === 'agent' ? { caller: 'admin' } : {}),
      })
    await list(tools, values)
    if (ends === 'triedByAnotherTeam') {
      await attempt('getTemplate', { path, caller: 'otherTeam' })
      await attempt('updateTemplate', { path, body: { templateType: type, name: 'Mallory' }, caller: 'otherTeam' })
      await attempt('deleteTemplate', { path, caller: 'otherTeam' })
      await attempt('getTemplate', { path })
    }
    if (ends === 'deletedAfterUse' && type !== 'whatsapp')
      await attempt('sendBulkMessages', { body: some.bulk(type, { templateId: id }) })
    if (!ends.startsWith('deleted')) return
    await attempt('deleteTemplate', { path, caller })
    await attempt('getTemplate', { path })
    await attempt('updateTemplate', { path, body: { templateType: type, name: 'Gone' } })
    await list(tools, { ...values, page: 'first' })
    if (key === 'none') await attempt('createTemplate', { body })
  }

function changeOf({ mint }: StoryTools, field: string, text: string, time: number): object {
  const language = ['de', 'fr', 'en'][time]
  const category = ['MARKETING', 'UTILITY', 'AUTHENTICATION'][time]
  if (field === 'none') return {}
  if (field === 'two') return { name: mint.name('Two'), language }
  return { [field]: { name: mint.name(text), content: `${text} ${time}`, language, category }[field] }
}

const allTypes = ['sms', 'email', 'whatsapp'] as const

const twoWith = (type: Values['type']) => [type, ...allTypes.filter((one) => one !== type)].slice(0, 2)

async function list({ attempt }: StoryTools, { type, types, statuses, limit, page, caller }: Values): Promise<void> {
  const wanted = {
    own: [type],
    all: allTypes,
    two: twoWith(type),
    others: allTypes.filter((one) => one !== type),
  }[types]
  const of = { approved: ['approved'], pending: ['pending'], all: ['approved', 'pending', 'rejected'] }[statuses]
  const ask = (number: number, size: number = limit) =>
    attempt('listTemplates', { query: { page: number, limit: size, types: one(wanted), statuses: one(of) }, caller })
  const first = await ask(1)
  const { totalPages } = (first?.fields.pagination ?? {}) as { readonly totalPages?: unknown }
  const last = typeof totalPages === 'number' ? totalPages : 1
  const number = { first: 1, second: 2, last, pastTheEnd: last + 1 }[page]
  if (number > 1) await ask(number)
  await ask(1, 100)
}

/** A list of one is a parameter that stands once. */
const one = (values: readonly string[]) => (values.length === 1 ? (values[0] ?? '') : values)

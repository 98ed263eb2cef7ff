import { idOf } from '../../client/answer.ts'
import type { Story, StoryTools } from '../../judge/story.ts'
import { keys, textKinds, texts, withKey } from './writes.ts'

// Templates: made, changed, read alone and in lists of several filters and pages, and deleted.

export const templateParameters = {
  type: ['sms', 'email', 'whatsapp'],
  text: textKinds,
  shape: ['minimal', 'usual'],
  field: ['name', 'content', 'language', 'category', 'none', 'two'],
  key: keys,
  times: [1, 2, 3],
  types: ['own', 'all', 'others', 'two'],
  statuses: ['approved', 'all', 'pending'],
  limit: [1, 2, 10],
  page: ['first', 'second', 'last', 'pastTheEnd'],
  caller: ['team', 'admin', 'agent'],
  ends: ['deleted', 'stays', 'triedByAnotherTeam'],
} as const

type Values = { readonly [Name in keyof typeof templateParameters]: (typeof templateParameters)[Name][number] }

export const templateStory =
  (values: Values): Story =>
  async (tools) => {
    const { type, text, shape, field, key, times, caller, ends } = values
    const { attempt, mint, some } = tools
    const usual = { ...some.template[type](), content: texts[text] }
    const { language: _, ...minimal } = usual
    const body = shape === 'usual' || type === 'whatsapp' ? usual : minimal
    const another = { ...body, uniqueName: mint.slug('of_another'), name: mint.name('Of another team') }
    const id = idOf((await withKey(tools, key, 'createTemplate', { body, caller }, { body: another }))?.fields.data)
    if (id === undefined) return
    const path = { templateId: id }
    await attempt('getTemplate', { path })
    for (let time = 0; time < times; time++) {
      const change = changeOf(tools, values, time)
      await withKey(tools, time === 0 ? key : 'none', 'updateTemplate', {
        path,
        body: { templateType: type, ...change },
      })
      await attempt('getTemplate', { path })
    }
    await list(tools, values)
    if (ends === 'triedByAnotherTeam') {
      await attempt('getTemplate', { path, caller: 'otherTeam' })
      await attempt('updateTemplate', { path, body: { templateType: type, name: 'Mallory' }, caller: 'otherTeam' })
      await attempt('deleteTemplate', { path, caller: 'otherTeam' })
      await attempt('getTemplate', { path })
    }
    if (ends !== 'deleted') return
    await attempt('deleteTemplate', { path })
    await attempt('getTemplate', { path })
    await attempt('updateTemplate', { path, body: { templateType: type, name: 'Gone' } })
    await list(tools, { ...values, page: 'first' })
    if (field === 'two') await attempt('createTemplate', { body })
  }

function changeOf({ mint }: StoryTools, { field, text }: Values, time: number): object {
  const language = ['de', 'fr', 'en'][time]
  const category = ['MARKETING', 'UTILITY', 'AUTHENTICATION'][time]
  if (field === 'none') return {}
  if (field === 'two') return { name: mint.name('Two'), language }
  return { [field]: { name: mint.name(texts[text]), content: `${texts[text]} ${time}`, language, category }[field] }
}

const allTypes = ['sms', 'email', 'whatsapp'] as const

async function list({ attempt }: StoryTools, { type, types, statuses, limit, page, caller }: Values): Promise<void> {
  const wanted = {
    own: [type],
    all: allTypes,
    two: [type, allTypes.find((one) => one !== type) ?? type],
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

import { expect } from 'vitest'
import { plainType } from '../../client/bodies.ts'
import type { Tools } from '../../client/tools.ts'
import { BrokenPromise } from '../judge/outcome.ts'
import { each } from './each-operation.ts'
import { type Context, keeps } from './keeps.ts'
import { expectStillThere, findOldest, keepsUpdatesOfOthers, makeAnother, removesForOthers } from './other-records.ts'
import {
  at,
  checkEditable,
  contentFor,
  formOf,
  formTemplate,
  idsIn,
  imageHeader,
  listAll,
  makePlainTemplate,
  mediaOf,
  newTemplate,
  shownOf,
  type TemplateType,
  templateTypes,
  unlike,
} from './template-fixtures.ts'
import { longText, pick } from './values.ts'

keeps('template.updateTakesAForm', async (context) => {
  const { accepts, ask, look, make } = context
  const change = { templateType: 'whatsapp', content: 'Your order is on its way' }
  // Like the change, the template has no placeholder.
  const plain = await make.template('whatsapp', {
    content: 'Your order has left',
    variables: undefined,
    bodyVariableSampleValues: undefined,
  })
  await checkEditable(context, plain, change)
  await accepts('updateTemplate', { path: at(plain), form: formOf(change) })
  const template = formTemplate(context)
  const { data } = await ask('createTemplate', { form: formOf({ ...template, ...imageHeader }, mediaOf.image()) })
  await accepts('updateTemplate', { path: at(data), form: formOf(change, mediaOf.image()) })
  expect(await look('template', data)).toMatchObject({ ...shownOf(template), ...change })
})

/** Other values for the fields of a template, which fit each other. */
const changesFor = (type: TemplateType, { mint }: Tools) => ({
  ...(type === 'whatsapp'
    ? { content: contentFor(type), variables: ['parcel'] }
    : { content: 'We open at ten, {{contact.lastName}}.', variables: ['contact.lastName'] }),
  category: 'MARKETING',
  language: 'de',
  name: mint.name('Closing hours'),
})

keeps('template.updateTakesAnyOneField', async (context) => {
  const { accepts, call, make, requirement } = context
  await each(templateTypes, async (templateType) => {
    const template = await make.template(templateType)
    const path = at(template)
    const values = pick(requirement.fields, changesFor(templateType, context))
    await checkEditable(context, template, { templateType, ...values })
    // If the server refuses placeholders without variables, each of the two is tried without placeholders.
    const { content } = values
    const isFree = (await call('updateTemplate', { path, body: { templateType, content } })).succeeded
    const plain = isFree ? {} : { content: 'We open at ten.', variables: [] }
    for (const [field, value] of Object.entries({ ...values, ...plain }))
      await accepts('updateTemplate', { path, body: { templateType, [field]: value } })
  })
})

keeps('template.updateAnswersWithTheChange', async (context) => {
  const { ask, make, requirement } = context
  await each(templateTypes, async (templateType) => {
    const path = at(await make.template(templateType))
    const { category, ...others } = pick(requirement.fields, changesFor(templateType, context))
    // Only WhatsApp templates are documented to have a category.
    const change = templateType === 'whatsapp' ? { ...others, category } : others
    const { data } = await ask('updateTemplate', { path, body: { templateType, ...change } })
    // The documented fields of a template do not include its variables.
    const { variables: _variables, ...documented } = change
    expect(data).toMatchObject('variables' in data ? change : documented)
  })
})

keeps('template.updateIsKept', async (context) => {
  const { ask, call, look, make, mint, requirement, some, target } = context
  await each(templateTypes, async (templateType) => {
    const template = await make.template(templateType)
    await look('template', template) // a server with a stale cache would repeat this answer
    const change = pick(requirement.fields, changesFor(templateType, context))
    await ask('updateTemplate', { path: at(template), body: { templateType, ...change } })
    expect(await look('template', template)).toMatchObject(change)
  })
  const templateType = plainType(target)
  const [content, otherContent] = [mint.name(longText), mint.name(longText)]
  const { succeeded, fields } = await call('createTemplate', { body: some.template[templateType]({ content }) })
  if (succeeded) {
    const template = fields.data as { readonly _id: string }
    expect(await look('template', template)).toMatchObject({ content })
    const body = { templateType, content: otherContent }
    const isAccepted = (await call('updateTemplate', { path: at(template), body })).succeeded
    if (isAccepted) expect(await look('template', template)).toMatchObject({ content: otherContent })
  }
  await keepsUpdatesOfOthers(context, 'template')
})

keeps('template.updateKeepsTheRest', async (context) => {
  const { ask, look, mint } = context
  await each(templateTypes, async (templateType) => {
    const { created, shown } = await newTemplate(context, templateType, unlike[templateType])
    const other = await newTemplate(context, templateType)
    let expected = shown
    for (const change of [{ name: mint.name('Closing hours') }, { content: contentFor(templateType) }]) {
      expected = { ...expected, ...change }
      const answer = await ask('updateTemplate', { path: at(created), body: { templateType, ...change } })
      const now = await look('template', created)
      expect(now).toMatchObject(expected)
      const { status, ...answered } = shownOf(answer.data)
      // The platform may change the status of a WhatsApp template in between.
      const isStable = templateType !== 'whatsapp' && status !== undefined
      expect(now).toMatchObject(isStable ? { ...answered, status } : answered)
    }
    expect(await look('template', other.created)).toMatchObject(other.shown)
  })
})

keeps('template.deletedIsGone', async (context) => {
  for (const type of templateTypes) await deletesTemplates(context, type)
  await sparesOlderTemplates(context)
  await removesForOthers(context, 'template')
})

async function deletesTemplates(context: Context, type: TemplateType): Promise<void> {
  const { ask, make, refuses, some } = context
  const earlier = [...(await findOldest(context, 'template')), await make.template(type)]
  const deleted: string[] = []
  for (let count = 0; count < 3; count++) {
    const { uniqueName, ...body } = some.template[type]()
    const template = (await ask('createTemplate', { body: { ...body, uniqueName } })).data
    const another = await makeAnother(context, 'createTemplate', { ...some.template[type](), ...body }, template)
    const others = [...earlier, ...another, await make.template(type)]
    await ask('getTemplate', { path: at(template) })
    await ask('deleteTemplate', { path: at(template) })
    await refuses('getTemplate', { path: at(template) })
    for (const other of others) await expectStillThere(context, 'template', other)
    deleted.push(template._id)
  }
  const listed = idsIn(await listAll(context, { types: type }))
  for (const id of deleted) expect(listed).not.toContain(id)
}

/** Another client may delete a template at the same time, but hardly three times in a row. */
async function sparesOlderTemplates(tools: Tools): Promise<void> {
  for (let count = 0; count < 3; count++) {
    const template = await makePlainTemplate(tools)
    const before = idsIn(await listAll(tools))
    await tools.ask('deleteTemplate', { path: at(template) })
    const after = idsIn(await listAll(tools))
    const [missing] = before.filter((id) => id !== template._id && !after.includes(id))
    if (missing === undefined) return
    const { status, summary } = await tools.call('getTemplate', { path: { templateId: missing } })
    if (status !== 404) return
    if (count === 2) throw new BrokenPromise('all other templates still in place', summary)
  }
}

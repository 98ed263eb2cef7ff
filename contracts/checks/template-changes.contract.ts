import { plainType } from '../../client/bodies.ts'
import { expect } from 'vitest'
import type { Tools } from '../../client/tools.ts'
import type { Schemas } from '../../spec/types.ts'
import { BrokenPromise } from '../judge/outcome.ts'
import { each } from './each-operation.ts'
import { type Given, keeps } from './keeps.ts'
import { tellingText } from './telling-values.ts'
import { keepsUpdatesOfOthers, removesForOthers } from './other-callers.ts'
import { at, checkEditable, contentFor, newTemplate, shownOf, templateTypes, unlike } from './new-template.ts'
import { findEldest, isStillThere, makeAnother, pick } from './records.ts'
import { formOf, formTemplate, imageHeader, mediaOf } from './template-form.ts'
import { idsIn, listAll } from './template-list.ts'

type TemplateType = Schemas['TemplateType']

keeps('template.updateTakesAForm', async (given) => {
  const { accepts, ask, look, make } = given
  const change = { templateType: 'whatsapp', content: 'Your order is on its way' }
  // Without a placeholder, like the change.
  const plain = await make.template('whatsapp', {
    content: 'Your order has left',
    variables: undefined,
    bodyVariableSampleValues: undefined,
  })
  await checkEditable(given, plain, change)
  await accepts('updateTemplate', { path: at(plain), form: formOf(change) })
  // Media are for a template whose header shows them.
  const template = formTemplate(given)
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

keeps('template.updateRequires', async ({ make, mint, requires, target }) => {
  const templateType = plainType(target)
  const path = at(await make.template(templateType))
  await requires('updateTemplate', () => ({ path, body: { templateType, name: mint.name('Closing hours') } }))
})

keeps('template.updateTakesAnyOneField', async (given) => {
  const { accepts, call, make, requirement } = given
  await each(templateTypes, async (templateType) => {
    const template = await make.template(templateType)
    const values = pick(requirement.fields, changesFor(templateType, given))
    await checkEditable(given, template, { templateType, ...values })
    // Where neither goes without the other, each goes alone as far as there are none.
    const { content } = values
    const isFree = (await call('updateTemplate', { path: at(template), body: { templateType, content } })).succeeded
    const plain = isFree ? {} : { content: 'We open at ten.', variables: [] }
    for (const [field, value] of Object.entries({ ...values, ...plain }))
      await accepts('updateTemplate', { path: at(template), body: { templateType, [field]: value } })
  })
})

keeps('template.updateAnswersWithTheChange', async (given) => {
  const { ask, make, requirement } = given
  await each(templateTypes, async (templateType) => {
    const path = at(await make.template(templateType))
    const { category, ...others } = pick(requirement.fields, changesFor(templateType, given))
    // Only WhatsApp templates are said to have a category.
    const change = templateType === 'whatsapp' ? { ...others, category } : others
    const { data } = await ask('updateTemplate', { path, body: { templateType, ...change } })
    // The documented fields of a template do not include its variables.
    const { variables: _variables, ...documented } = change
    expect(data).toMatchObject('variables' in data ? change : documented)
  })
})

keeps('template.updateIsKept', async (given) => {
  const { ask, look, make, requirement } = given
  await each(templateTypes, async (templateType) => {
    const template = await make.template(templateType)
    await look('template', template) // a server with a stale cache would give this answer again
    const change = pick(requirement.fields, changesFor(templateType, given))
    await ask('updateTemplate', { path: at(template), body: { templateType, ...change } })
    expect(await look('template', template)).toMatchObject(change)
  })
  await keepsTellingContent(given)
  await keepsUpdatesOfOthers(given, 'template')
})

/** Keeps a text beyond ASCII as it is, from its create on, unless it refuses that. */
async function keepsTellingContent({ call, look, mint, some, target }: Given): Promise<void> {
  const templateType = plainType(target)
  const created = { content: mint.name(tellingText) }
  const answer = await call('createTemplate', { body: some.template[templateType](created) })
  if (!answer.succeeded) return
  expect(await look('template', answer.data)).toMatchObject(created)
  const change = { content: mint.name(tellingText) }
  const { succeeded } = await call('updateTemplate', { path: at(answer.data), body: { templateType, ...change } })
  if (succeeded) expect(await look('template', answer.data)).toMatchObject(change)
}

keeps('template.updateKeepsTheRest', async (given) => {
  const { ask, look, mint } = given
  await each(templateTypes, async (templateType) => {
    const { created, shown } = await newTemplate(given, templateType, unlike[templateType])
    const other = await newTemplate(given, templateType)
    let expected = shown
    for (const change of [{ name: mint.name('Closing hours') }, { content: contentFor(templateType) }]) {
      expected = { ...expected, ...change }
      const answer = await ask('updateTemplate', { path: at(created), body: { templateType, ...change } })
      const now = await look('template', created)
      expect(now).toMatchObject(expected)
      const { status, ...answered } = shownOf(answer.data)
      // The platform may change the status in between.
      expect(now).toMatchObject(
        templateType === 'whatsapp' || status === undefined ? answered : { ...answered, status },
      )
    }
    expect(await look('template', other.created)).toMatchObject(other.shown)
  })
})

keeps('template.deletedIsGone', async (given) => {
  for (const type of templateTypes) await deletesTemplates(given, type)
  await sparesOlderTemplates(given)
  await removesForOthers(given, 'template')
})

async function deletesTemplates(given: Given, type: TemplateType): Promise<void> {
  const { ask, make, refuses, some } = given
  const earlier = [...(await findEldest(given, 'template')), await make.template(type)]
  const deleted: string[] = []
  for (let count = 0; count < 3; count++) {
    const { uniqueName, ...body } = some.template[type]()
    const template = (await ask('createTemplate', { body: { ...body, uniqueName } })).data
    const another = await makeAnother(given, 'createTemplate', { ...some.template[type](), ...body }, template)
    const others = [...earlier, ...another, await make.template(type)]
    await ask('getTemplate', { path: at(template) })
    await ask('deleteTemplate', { path: at(template) })
    await refuses('getTemplate', { path: at(template) })
    for (const other of others) await isStillThere(given, 'template', other)
    deleted.push(template._id)
  }
  const listed = idsIn(await listAll(given, { types: type }))
  for (const id of deleted) expect(listed).not.toContain(id)
}

/** Others may delete one of theirs just then, but hardly each time. */
async function sparesOlderTemplates(given: Given): Promise<void> {
  const { ask, call, make, target } = given
  for (let count = 0; count < 3; count++) {
    const template = await make.template(plainType(target))
    const before = idsIn(await listAll(given))
    await ask('deleteTemplate', { path: at(template) })
    const after = idsIn(await listAll(given))
    const [missing] = before.filter((id) => id !== template._id && !after.includes(id))
    if (missing === undefined) return
    const { status, summary } = await call('getTemplate', { path: { templateId: missing } })
    if (status !== 404) return
    if (count === 2) throw new BrokenPromise('all other templates still in place', summary)
  }
}

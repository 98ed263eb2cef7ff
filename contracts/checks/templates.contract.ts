import { expect } from 'vitest'
import { promise as promiseOf } from '../../spec/promises.ts'
import type { Schemas } from '../../spec/types.ts'
import { at, type Fields, newTemplate, plainType, shownOf, templateTypes } from './new-template.ts'
import { type Given, keeps } from './keeps.ts'
import { pick } from './records.ts'
import { formOf, formTemplate, mediaOf } from './template-form.ts'
import { allListed, idsIn, listOf } from './template-list.ts'
import type { Tools } from '../../client/tools.ts'

type TemplateType = Schemas['TemplateType']

/** What a template of each type is created with that no other one is. */
const unlike = {
  sms: { language: 'de' },
  email: { language: 'de', subject: 'Guten Tag' },
  whatsapp: { language: 'de', category: 'MARKETING' },
} as const

keeps('template.getShowsTheTemplate', async (given) => {
  for (const type of templateTypes) {
    const { created, shown } = await newTemplate(given, type)
    const { data } = await given.ask('getTemplate', { path: at(created) })
    for (const field of given.promise.fields) expect(data).toHaveProperty(field, shown[field] ?? expect.any(String))
  }
})

keeps('template.getShowsWhatElseWasGiven', async (given) => {
  for (const type of templateTypes) {
    const { created } = await newTemplate(given, type, unlike[type])
    expect((await given.ask('getTemplate', { path: at(created) })).data).toMatchObject(unlike[type])
  }
})

keeps('template.statusIsKnown', async (given) => {
  const { ask, made, promise } = given
  for (const type of templateTypes) {
    const created = await made.template(type)
    const { data } = await ask('getTemplate', { path: at(created) })
    const listed = (await listOf(given, { types: type })).data
    for (const { status } of [created, data, ...listed]) expect(promise.values).toContain(status)
  }
})

/** In its create and at once in a read. */
async function startsApproved({ look, made }: Tools, type: TemplateType): Promise<void> {
  const created = await made.template(type)
  expect(created.status).toBe('approved')
  expect(await look('template', created)).toMatchObject({ status: 'approved' })
}

keeps('template.smsStartsApproved', async (given) => {
  await startsApproved(given, 'sms')
})

keeps('template.emailStartsApproved', async (given) => {
  await startsApproved(given, 'email')
})

keeps('template.whatsappStartsPending', async ({ made, observe }) => {
  const { status } = await made.template('whatsapp')
  if (status === 'approved') observe('whatsappApproval', 'atOnce')
  expect(status).toBe('pending')
})

const imageHeader = { isHeader: true, headerType: 'image' }

keeps('template.createTakesAForm', async (given) => {
  const template = formTemplate(given)
  const { data } = await given.accepted('createTemplate', {
    form: formOf({ ...template, ...imageHeader }, mediaOf.image()),
  })
  expect(await given.look('template', data)).toMatchObject(shownOf(template))
})

keeps('template.updateTakesAForm', async (given) => {
  const { accepted, look } = given
  const { created, shown } = await newTemplate(given, 'whatsapp')
  const change = { templateType: 'whatsapp', content: 'Your order is on its way' }
  await accepted('updateTemplate', { path: at(created), form: formOf(change, mediaOf.image()) })
  expect(await look('template', created)).toMatchObject({ ...shown, ...change })
})

keeps('template.getAnswers200', async ({ call, made, promise, target }) => {
  const path = at(await made.template(plainType(target)))
  expect((await call('getTemplate', { path })).status).toBe(promise.status)
})

keeps('template.createAnswers201', async ({ call, promise, provider, some, target }) => {
  const type = plainType(target)
  const { status } = await call('createTemplate', { body: some.template[type](provider(type, 'id')) })
  expect(status).toBe(promise.status)
})

keeps('template.updateAnswers200', async ({ call, made, mint, promise, target }) => {
  const templateType = plainType(target)
  const path = at(await made.template(templateType))
  const body = { templateType, name: mint.name('Closing hours') }
  expect((await call('updateTemplate', { path, body })).status).toBe(promise.status)
})

keeps('template.deleteAnswers200', async ({ call, made, promise, target }) => {
  const path = at(await made.template(plainType(target)))
  expect((await call('deleteTemplate', { path })).status).toBe(promise.status)
})

keeps('template.createRequires', async ({ provider, requires, some }) => {
  for (const type of templateTypes)
    await requires('createTemplate', () => ({ body: some.template[type](provider(type, 'id')) }))
})

keeps('template.typesAreTaken', async ({ accepted, promise, provider, some }) => {
  for (const templateType of promise.values) {
    const body = some.template[templateType](provider(templateType, 'id'))
    const { data } = await accepted('createTemplate', { body })
    await accepted('updateTemplate', { path: at(data), body: { templateType, content: 'We open at ten.' } })
  }
})

keeps('template.otherTypesAreRefused', async ({ made, mint, provider, refused, some, target }) => {
  const type = plainType(target)
  const path = at(await made.template(type))
  await refused('createTemplate', { body: { ...some.template[type](provider(type, 'id')), templateType: 'fax' } })
  await refused('updateTemplate', { path, body: { templateType: 'fax', name: mint.name('Closing hours') } })
})

/** Whatever must stand in a template of a type, and nothing else. */
function bare({ provider, some }: Tools, type: TemplateType) {
  const { fields } = promiseOf(`template.${type}Requires`)
  return pick<string, Fields>(['templateType', ...fields], some.template[type](provider(type, 'id')))
}

async function requiresItsFields(given: Given, type: TemplateType): Promise<void> {
  await given.requires('createTemplate', () => ({ body: bare(given, type) }))
}

keeps('template.smsRequires', async (given) => {
  await requiresItsFields(given, 'sms')
})

keeps('template.emailRequires', async (given) => {
  await requiresItsFields(given, 'email')
})

keeps('template.whatsappRequires', async (given) => {
  await requiresItsFields(given, 'whatsapp')
})

/** Only what must stand in it, and then each other field beside that. */
async function takesEachAlone(given: Given, type: TemplateType, others: Fields): Promise<void> {
  await given.accepted('createTemplate', { body: bare(given, type) })
  for (const [field, value] of Object.entries(others))
    await given.accepted('createTemplate', { body: { ...bare(given, type), [field]: value } })
}

const optional = {
  category: 'Service',
  preheader: 'Also on Sundays',
  language: 'en',
  variables: ['contact.firstName'],
}

keeps('template.smsTakesOptionalFields', async (given) => {
  await takesEachAlone(given, 'sms', pick(given.promise.fields, optional))
})

keeps('template.emailTakesOptionalFields', async (given) => {
  await takesEachAlone(given, 'email', pick(given.promise.fields, optional))
})

const templateButtons = [{ type: 'QUICK_REPLY', text: 'Thanks' }]

keeps('template.whatsappTakesOptionalFields', async (given) => {
  const { accepted, promise } = given
  const others = {
    variables: ['order'],
    bodyVariableSampleValues: ['42'],
    headerVariables: ['customer'],
    headerVariableSampleValues: ['Ada'],
    isHeader: true,
    headerType: 'text',
    headerText: 'Good news, {{1}}',
    footer: 'Reply STOP to end',
    templateButtons,
  }
  await accepted('createTemplate', { body: bare(given, 'whatsapp') })
  // All at once: one field of a header means little without the others.
  await accepted('createTemplate', { body: { ...bare(given, 'whatsapp'), ...pick(promise.fields, others) } })
})

keeps('template.categoriesAreTaken', async (given) => {
  for (const category of given.promise.values)
    await given.accepted('createTemplate', { body: { ...bare(given, 'whatsapp'), category } })
})

keeps('template.otherCategoriesAreRefused', async (given) => {
  await given.refused('createTemplate', { body: { ...bare(given, 'whatsapp'), category: 'GOSSIP' } })
})

keeps('template.headerTypesAreTaken', async (given) => {
  for (const headerType of given.promise.values) {
    const header = { isHeader: true, headerType }
    const asked =
      headerType === 'text'
        ? { body: { ...bare(given, 'whatsapp'), ...header, headerText: 'Good news' } }
        : { form: formOf({ ...formTemplate(given), ...header }, mediaOf[headerType]()) }
    await given.accepted('createTemplate', asked)
  }
})

keeps('template.otherHeaderTypesAreRefused', async (given) => {
  const header = { isHeader: true, headerType: 'hologram' }
  await given.refused('createTemplate', { body: { ...bare(given, 'whatsapp'), ...header, headerText: 'Good news' } })
  await given.refused('createTemplate', { form: formOf({ ...formTemplate(given), ...header }, mediaOf.image()) })
})

keeps('template.mediaHeaderNeedsAFile', async (given) => {
  for (const headerType of given.promise.values) {
    const header = { isHeader: true, headerType }
    await given.refused('createTemplate', { body: { ...bare(given, 'whatsapp'), ...header } })
    await given.refused('createTemplate', { form: formOf({ ...formTemplate(given), ...header }) })
  }
})

keeps('template.buttonsInAFormAreText', async (given) => {
  const { accepted, look, refused } = given
  const withButtons = (text: string) =>
    formOf({ ...formTemplate(given), ...imageHeader, templateButtons: text }, mediaOf.image())
  const { data } = await accepted('createTemplate', { form: withButtons(JSON.stringify(templateButtons)) })
  const shown = await look('template', data)
  // That a read shows them is left open.
  if (shown && 'templateButtons' in shown) expect(shown).toMatchObject({ templateButtons })
  await refused('createTemplate', { form: withButtons('Thanks') })
})

keeps('template.createAnswersWithTheTemplate', async (given) => {
  const { look, promise } = given
  for (const type of templateTypes) {
    const { created, shown } = await newTemplate(given, type)
    for (const field of promise.fields) expect(created).toHaveProperty(field, shown[field] ?? expect.any(String))
    expect(await look('template', created)).toMatchObject({ _id: created._id, name: shown.name })
  }
})

keeps('template.createAnswersWithTheSubject', async (given) => {
  const { created } = await newTemplate(given, 'email', unlike.email)
  expect(created).toHaveProperty('subject', unlike.email.subject)
})

const changes = { content: 'We open at ten.', category: 'MARKETING', language: 'de', variables: ['contact.lastName'] }

keeps('template.updateRequires', async ({ made, mint, requires, target }) => {
  const templateType = plainType(target)
  const path = at(await made.template(templateType))
  await requires('updateTemplate', () => ({ path, body: { templateType, name: mint.name('Closing hours') } }))
})

keeps('template.updateTakesAnyOneField', async ({ accepted, made, mint, promise }) => {
  for (const templateType of templateTypes) {
    const path = at(await made.template(templateType))
    const values = pick(promise.fields, { ...changes, name: mint.name('Closing hours') })
    for (const [field, value] of Object.entries(values))
      await accepted('updateTemplate', { path, body: { templateType, [field]: value } })
  }
})

keeps('template.updateAnswersWithTheChange', async ({ ask, made, mint, promise }) => {
  for (const templateType of templateTypes) {
    const path = at(await made.template(templateType))
    const { category, ...others } = pick(promise.fields, { ...changes, name: mint.name('Closing hours') })
    // Only one for WhatsApp is said to have a category.
    const change = templateType === 'whatsapp' ? { ...others, category } : others
    expect((await ask('updateTemplate', { path, body: { templateType, ...change } })).data).toMatchObject(change)
  }
})

keeps('template.updateIsKept', async ({ ask, look, made, mint, promise }) => {
  for (const templateType of templateTypes) {
    const template = await made.template(templateType)
    await look('template', template) // whoever remembers that answer would give it again
    const change = pick(promise.fields, { ...changes, name: mint.name('Closing hours') })
    await ask('updateTemplate', { path: at(template), body: { templateType, ...change } })
    expect(await look('template', template)).toMatchObject(change)
  }
})

keeps('template.updateKeepsTheRest', async (given) => {
  const { ask, look, mint } = given
  for (const templateType of templateTypes) {
    const { created, shown } = await newTemplate(given, templateType, unlike[templateType])
    let expected = shown
    for (const change of [{ name: mint.name('Closing hours') }, { content: 'We open at ten.' }]) {
      expected = { ...expected, ...change }
      const answer = await ask('updateTemplate', { path: at(created), body: { templateType, ...change } })
      const now = await look('template', created)
      expect(now).toMatchObject(expected)
      const { status, ...answered } = shownOf(answer.data)
      // Between the two the platform may have had its say.
      expect(now).toMatchObject(
        templateType === 'whatsapp' || status === undefined ? answered : { ...answered, status },
      )
    }
  }
})

keeps('template.deletedIsGone', async (given) => {
  const { ask, made, refused } = given
  for (const type of templateTypes) {
    const template = await made.template(type)
    await ask('getTemplate', { path: at(template) })
    await ask('deleteTemplate', { path: at(template) })
    await refused('getTemplate', { path: at(template) })
    expect(idsIn(await allListed(given, { types: type }))).not.toContain(template._id)
  }
})

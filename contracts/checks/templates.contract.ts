import { expect } from 'vitest'
import type { Fields } from '../../client/answer.ts'
import { plainType } from '../../client/operations/templates.ts'
import type { Tools } from '../../client/tools.ts'
import { promise as promiseOf } from '../../spec/promises.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { each } from './each-operation.ts'
import { type Given, keeps } from './keeps.ts'
import { at, newTemplate, shownOf, templateTypes } from './new-template.ts'
import { pick } from './records.ts'
import { formOf, formTemplate, mediaOf } from './template-form.ts'
import { idsIn, listAll, listOf } from './template-list.ts'

type TemplateType = Schemas['TemplateType']
type Created = Schemas['TemplateCreated']

/** Fields that no other template of the type is created with. */
const unlike = {
  sms: { language: 'de' },
  email: { language: 'de', subject: 'Guten Tag' },
  whatsapp: { language: 'de', category: 'MARKETING' },
} as const

keeps('template.getShowsTheTemplate', async (given) => {
  for (const type of templateTypes) {
    const { created, shown } = await newTemplate(given, type)
    const { data } = await given.ask('getTemplate', { path: at(created) })
    for (const field of given.requirement.fields) expect(data).toHaveProperty(field, shown[field] ?? expect.any(String))
  }
})

keeps('template.getShowsWhatElseWasGiven', async (given) => {
  for (const type of templateTypes) {
    const { created } = await newTemplate(given, type, unlike[type])
    expect((await given.ask('getTemplate', { path: at(created) })).data).toMatchObject(unlike[type])
  }
  const answer = await given.call('createTemplate', {
    body: given.some.template.whatsapp({ ...code, category: 'AUTHENTICATION' }),
  })
  if (answer.succeeded) expect((await given.look('template', answer.data))?.category).toBe('AUTHENTICATION')
})

keeps('template.statusIsKnown', async (given) => {
  const { ask, make, requirement } = given
  for (const type of templateTypes) {
    const created = await make.template(type)
    const { data } = await ask('getTemplate', { path: at(created) })
    const listed = (await listOf(given, { types: type })).data
    for (const { status } of [created, data, ...listed]) expect(requirement.values).toContain(status)
  }
})

/** In the answer to its create, and in a read right after it. */
async function startsApproved({ look, make }: Tools, type: TemplateType): Promise<void> {
  const created = await make.template(type)
  expect(created.status).toBe('approved')
  expect(await look('template', created)).toMatchObject({ status: 'approved' })
}

keeps('template.smsStartsApproved', async (given) => {
  await startsApproved(given, 'sms')
})

keeps('template.emailStartsApproved', async (given) => {
  await startsApproved(given, 'email')
})

keeps('template.whatsappStartsPending', async ({ make, observe }) => {
  const { status } = await make.template('whatsapp')
  if (status === 'approved') observe('whatsappApproval', 'atOnce')
  expect(status).toBe('pending')
})

const imageHeader = { isHeader: true, headerType: 'image' }

keeps('template.createTakesAForm', async (given) => {
  const template = formTemplate(given)
  const { data } = await given.accepts('createTemplate', {
    form: formOf({ ...template, ...imageHeader }, mediaOf.image()),
  })
  expect(await given.look('template', data)).toMatchObject(shownOf(template))
})

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

/** The platform refuses some changes of a template, all while it decides on it, so a server may do so too. */
async function checkEditable({ call }: Tools, template: Created, body: object): Promise<void> {
  if (template.templateType !== 'whatsapp') return
  if ((await call('updateTemplate', { path: at(template), body })).succeeded) return
  throw new Inconclusive('this server refuses to change this of a WhatsApp template, as the platform may')
}

keeps('template.getAnswers200', async ({ call, make, requirement, target }) => {
  const path = at(await make.template(plainType(target)))
  expect((await call('getTemplate', { path })).status).toBe(requirement.status)
})

keeps('template.createAnswers201', async ({ call, requirement, some, target }) => {
  const type = plainType(target)
  const { status } = await call('createTemplate', { body: some.template[type]() })
  expect(status).toBe(requirement.status)
})

keeps('template.updateAnswers200', async ({ call, make, mint, requirement, target }) => {
  const templateType = plainType(target)
  const path = at(await make.template(templateType))
  const body = { templateType, name: mint.name('Closing hours') }
  expect((await call('updateTemplate', { path, body })).status).toBe(requirement.status)
})

keeps('template.deleteAnswers200', async ({ call, make, requirement, target }) => {
  const path = at(await make.template(plainType(target)))
  expect((await call('deleteTemplate', { path })).status).toBe(requirement.status)
})

keeps('template.createRequires', async ({ requires, some }) => {
  for (const type of templateTypes) await requires('createTemplate', () => ({ body: some.template[type]() }))
})

keeps('template.typesAreTaken', async (given) => {
  const { accepts, requirement, some } = given
  await each(requirement.values, async (templateType) => {
    const body = some.template[templateType]()
    const { data } = await accepts('createTemplate', { body })
    const change = { templateType, content: contentFor(templateType) }
    await checkEditable(given, data, change)
    await accepts('updateTemplate', { path: at(data), body: change })
  })
})

keeps('template.otherTypesAreRefused', async ({ make, mint, refuses, some, target }) => {
  const type = plainType(target)
  const path = at(await make.template(type))
  await refuses('createTemplate', { body: { ...some.template[type](), templateType: 'fax' } })
  await refuses('updateTemplate', { path, body: { templateType: 'fax', name: mint.name('Closing hours') } })
})

/** Only the required fields of a template. */
function bare({ some }: Tools, type: TemplateType) {
  const { fields } = promiseOf(`template.${type}Requires`)
  // Without a placeholder, which would want a sample.
  return pick<string, Fields>(['templateType', ...fields], some.template[type]({ content: 'We open at nine.' }))
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

/** Accepts the required fields alone, and with each of the other fields. */
async function acceptsEachAlone(given: Given, type: TemplateType, others: Fields): Promise<void> {
  await given.accepts('createTemplate', { body: bare(given, type) })
  for (const [field, value] of Object.entries(others)) {
    // A server may want the variables to be those of the content.
    const content = field === 'variables' ? { content: 'We open at nine, {{contact.firstName}}.' } : {}
    await given.accepts('createTemplate', { body: { ...bare(given, type), ...content, [field]: value } })
  }
}

const optional = {
  category: 'UTILITY',
  preheader: 'Also on Sundays',
  language: 'en',
  variables: ['contact.firstName'],
}

keeps('template.smsTakesOptionalFields', async (given) => {
  await acceptsEachAlone(given, 'sms', pick(given.requirement.fields, optional))
})

keeps('template.emailTakesOptionalFields', async (given) => {
  await acceptsEachAlone(given, 'email', pick(given.requirement.fields, optional))
})

const templateButtons = [{ type: 'QUICK_REPLY', text: 'Thanks' }]
const unknownButtons = () => new Inconclusive('the fields of a button are left open, and this server takes others')

keeps('template.whatsappTakesOptionalFields', async (given) => {
  const { accepts, call, requirement, some } = given
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
  await accepts('createTemplate', { body: bare(given, 'whatsapp') })
  // All at once, because the fields of a header belong together, and samples to their placeholders.
  const { templateButtons: buttons, ...fields } = pick(requirement.fields, others)
  const body = () => ({ ...some.template.whatsapp(), ...fields })
  await accepts('createTemplate', { body: body() })
  if (!(await call('createTemplate', { body: { ...body(), templateButtons: buttons } })).succeeded)
    throw unknownButtons()
})

/** The platform takes nothing but a code in a template for authentication, so a server may do so too. */
const code = {
  content: '{{1}} is your code.',
  variables: ['code'],
  bodyVariableSampleValues: ['123456'],
}

keeps('template.categoriesAreTaken', async (given) => {
  for (const category of given.requirement.values) {
    const body = () => ({ ...bare(given, 'whatsapp'), category })
    const isFree = category !== 'AUTHENTICATION' || (await given.call('createTemplate', { body: body() })).succeeded
    const { data } = await given.accepts('createTemplate', { body: isFree ? body() : { ...body(), ...code } })
    const change = { templateType: 'whatsapp', category }
    await checkEditable(given, data, change)
    await given.accepts('updateTemplate', { path: at(data), body: change })
  }
})

keeps('template.takenUniqueNameIsRefused', async ({ call, look, make, mint, some, target }) => {
  const [type, uniqueName] = [plainType(target), mint.slug('opening_hours')]
  await make.template(type, { uniqueName })
  const answer = await call('createTemplate', { body: some.template[type]({ uniqueName }) })
  const shown = answer.succeeded ? (await look('template', answer.data))?.uniqueName : undefined
  expect(shown).not.toBe(uniqueName)
})

keeps('template.otherCategoriesAreRefused', async (given) => {
  await given.refuses('createTemplate', { body: { ...bare(given, 'whatsapp'), category: 'GOSSIP' } })
  const template = await given.make.template('whatsapp')
  await given.call('updateTemplate', { path: at(template), body: { templateType: 'whatsapp', category: 'GOSSIP' } })
  expect((await given.look('template', template))?.category).not.toBe('GOSSIP')
})

keeps('template.headerTypesAreTaken', async (given) => {
  for (const headerType of given.requirement.values) {
    const header = { isHeader: true, headerType }
    const input =
      headerType === 'text'
        ? { body: { ...bare(given, 'whatsapp'), ...header, headerText: 'Good news' } }
        : { form: formOf({ ...formTemplate(given), ...header }, mediaOf[headerType]()) }
    await given.accepts('createTemplate', input)
  }
})

keeps('template.otherHeaderTypesAreRefused', async (given) => {
  const header = { isHeader: true, headerType: 'hologram' }
  await given.refuses('createTemplate', { body: { ...bare(given, 'whatsapp'), ...header, headerText: 'Good news' } })
  await given.refuses('createTemplate', { form: formOf({ ...formTemplate(given), ...header }, mediaOf.image()) })
})

keeps('template.mediaHeaderNeedsAFile', async (given) => {
  for (const headerType of given.requirement.values) {
    const header = { isHeader: true, headerType }
    await given.refuses('createTemplate', { body: { ...bare(given, 'whatsapp'), ...header } })
    await given.refuses('createTemplate', { form: formOf({ ...formTemplate(given), ...header }) })
  }
})

keeps('template.buttonsInAFormAreText', async (given) => {
  const { accepts, call, look, refuses, some } = given
  if (!(await call('createTemplate', { body: some.template.whatsapp({ templateButtons }) })).succeeded)
    throw unknownButtons()
  const withButtons = (text: string) =>
    formOf({ ...formTemplate(given), ...imageHeader, templateButtons: text }, mediaOf.image())
  const { data } = await accepts('createTemplate', { form: withButtons(JSON.stringify(templateButtons)) })
  const shown = await look('template', data)
  // Whether a read shows them is left open.
  if (shown && 'templateButtons' in shown) expect(shown).toMatchObject({ templateButtons })
  await refuses('createTemplate', { form: withButtons('Thanks') })
})

keeps('template.createAnswersWithTheTemplate', async (given) => {
  const { look, requirement } = given
  for (const type of templateTypes) {
    const { created, shown } = await newTemplate(given, type)
    for (const field of requirement.fields) expect(created).toHaveProperty(field, shown[field] ?? expect.any(String))
    expect(await look('template', created)).toMatchObject({ _id: created._id, name: shown.name })
  }
})

keeps('template.createAnswersWithTheSubject', async (given) => {
  const { created } = await newTemplate(given, 'email', unlike.email)
  expect(created).toHaveProperty('subject', unlike.email.subject)
})

/** Another content, with as many placeholders as before, which would want samples. */
const contentFor = (type: TemplateType) => (type === 'whatsapp' ? 'Order {{1}} has left' : 'We open at ten.')

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
    expect((await ask('updateTemplate', { path, body: { templateType, ...change } })).data).toMatchObject(change)
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
})

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
  const { ask, make, refuses } = given
  for (const type of templateTypes) {
    const [template, other] = [await make.template(type), await make.template(type)]
    await ask('getTemplate', { path: at(template) })
    await ask('deleteTemplate', { path: at(template) })
    await refuses('getTemplate', { path: at(template) })
    expect(idsIn(await listAll(given, { types: type }))).not.toContain(template._id)
    expect(await given.look('template', other)).toMatchObject({ _id: other._id })
  }
})

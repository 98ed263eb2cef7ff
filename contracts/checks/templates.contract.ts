import { plainType } from '../../client/bodies.ts'
import { expect } from 'vitest'
import type { Fields } from '../../client/answer.ts'
import type { Tools } from '../../client/tools.ts'
import { promise as promiseOf } from '../../spec/promises.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { each } from './each-operation.ts'
import { type Given, keeps } from './keeps.ts'
import { tellingLines } from './telling-values.ts'
import { at, checkEditable, contentFor, newTemplate, shownOf, templateTypes, unlike } from './new-template.ts'
import { pick } from './records.ts'
import { formOf, formTemplate, imageHeader, mediaOf } from './template-form.ts'
import { listOf } from './template-list.ts'

type TemplateType = Schemas['TemplateType']

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

keeps('template.createTakesAForm', async (given) => {
  const template = formTemplate(given)
  const { data } = await given.accepts('createTemplate', {
    form: formOf({ ...template, ...imageHeader }, mediaOf.image()),
  })
  expect(await given.look('template', data)).toMatchObject(shownOf(template))
})

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

/** What a server wants in such a template besides the required fields, of what the platform wants. */
async function fieldsOfACode(body: () => object, { call }: Tools): Promise<object> {
  const isTaken = async (fields: object) => (await call('createTemplate', { body: { ...body(), ...fields } })).succeeded
  if (await isTaken({})) return {}
  if (await isTaken(code)) return code
  if (!(await isTaken({ category: 'UTILITY', templateButtons }))) throw unknownButtons()
  return { ...code, templateButtons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] }
}

keeps('template.categoriesAreTaken', async (given) => {
  for (const category of given.requirement.values) {
    const body = () => ({ ...bare(given, 'whatsapp'), category })
    const fitting = category === 'AUTHENTICATION' ? await fieldsOfACode(body, given) : {}
    const { data } = await given.accepts('createTemplate', { body: { ...body(), ...fitting } })
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

keeps('template.keepsItsLineBreaks', async ({ ask, look, mint, some, target }) => {
  const templateType = plainType(target)
  const [content, changed] = [mint.name(tellingLines), mint.name(tellingLines)]
  const { data } = await ask('createTemplate', { body: some.template[templateType]({ content }) })
  // How a line break is written is left open.
  const shown = async () => (await look('template', data))?.content.replaceAll(/\r\n?/g, '\n')
  expect(await shown()).toBe(content)
  await ask('updateTemplate', { path: at(data), body: { templateType, content: changed } })
  expect(await shown()).toBe(changed)
})

keeps('template.wrongTypesAreRefused', async (given) => {
  for (const type of ['email', 'whatsapp'] as const)
    for (const field of given.requirement.fields)
      if (type === 'whatsapp' || field !== 'isHeader')
        await given.refuses('createTemplate', { body: { ...bare(given, type), [field]: 'perhaps' } })
})

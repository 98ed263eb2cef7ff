import { expect } from 'vitest'
import { plainType } from '../../client/bodies.ts'
import type { Tools } from '../../client/tools.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { each } from './each-operation.ts'
import { keeps } from './keeps.ts'
import {
  at,
  bareTemplate,
  checkEditable,
  contentFor,
  formOf,
  formTemplate,
  imageHeader,
  listOf,
  makePlainTemplate,
  mediaOf,
  newTemplate,
  shownOf,
  templateTypes,
  unlike,
} from './template-fixtures.ts'
import { pick, severalLines, withLineFeeds } from './values.ts'

keeps('template.getShowsTheTemplate', async (context) => {
  for (const type of templateTypes) {
    const { created, shown } = await newTemplate(context, type)
    const { data } = await context.ask('getTemplate', { path: at(created) })
    for (const field of context.requirement.fields)
      expect(data).toHaveProperty(field, shown[field] ?? expect.any(String))
  }
})

keeps('template.getShowsWhatElseWasGiven', async (context) => {
  const { ask, call, look, some } = context
  for (const type of templateTypes) {
    const { created } = await newTemplate(context, type, unlike[type])
    expect((await ask('getTemplate', { path: at(created) })).data).toMatchObject(unlike[type])
  }
  const category = 'AUTHENTICATION'
  const answer = await call('createTemplate', { body: some.template.whatsapp({ ...code, category }) })
  if (answer.succeeded) expect((await look('template', answer.data))?.category).toBe(category)
})

keeps('template.statusIsKnown', async (context) => {
  const { ask, make, requirement } = context
  for (const type of templateTypes) {
    const created = await make.template(type)
    const { data } = await ask('getTemplate', { path: at(created) })
    const listed = (await listOf(context, { types: type })).data
    for (const { status } of [created, data, ...listed]) expect(requirement.values).toContain(status)
  }
})

for (const [id, type] of [
  ['template.smsStartsApproved', 'sms'],
  ['template.emailStartsApproved', 'email'],
] as const)
  keeps(id, async ({ look, make }) => {
    const created = await make.template(type)
    expect(created.status).toBe('approved')
    expect(await look('template', created)).toMatchObject({ status: 'approved' })
  })

keeps('template.whatsappStartsPending', async ({ make, observe }) => {
  const { status } = await make.template('whatsapp')
  if (status === 'approved') observe('whatsappApproval', 'atOnce')
  expect(status).toBe('pending')
})

keeps('template.createTakesAForm', async (context) => {
  const template = formTemplate(context)
  const form = formOf({ ...template, ...imageHeader }, mediaOf.image())
  const { data } = await context.accepts('createTemplate', { form })
  expect(await context.look('template', data)).toMatchObject(shownOf(template))
})

keeps('template.typesAreTaken', async (context) => {
  const { accepts, requirement, some } = context
  await each(requirement.values, async (templateType) => {
    const { data } = await accepts('createTemplate', { body: some.template[templateType]() })
    const change = { templateType, content: contentFor(templateType) }
    await checkEditable(context, data, change)
    await accepts('updateTemplate', { path: at(data), body: change })
  })
})

keeps('template.otherTypesAreRefused', async (context) => {
  const { mint, refuses, some, target } = context
  const path = at(await makePlainTemplate(context))
  await refuses('createTemplate', { body: { ...some.template[plainType(target)](), templateType: 'fax' } })
  await refuses('updateTemplate', { path, body: { templateType: 'fax', name: mint.name('Closing hours') } })
})

const optional = {
  category: 'UTILITY',
  preheader: 'Also on Sundays',
  language: 'en',
  variables: ['contact.firstName'],
}

/** Accepts the required fields alone, and with each of the other fields. */
for (const [id, type] of [
  ['template.smsTakesOptionalFields', 'sms'],
  ['template.emailTakesOptionalFields', 'email'],
] as const)
  keeps(id, async (context) => {
    await context.accepts('createTemplate', { body: bareTemplate(context, type) })
    for (const field of context.requirement.fields) {
      // A server may accept only variables that the content contains.
      const content = field === 'variables' ? { content: 'We open at nine, {{contact.firstName}}.' } : {}
      const body = { ...bareTemplate(context, type), ...content, [field]: optional[field] }
      await context.accepts('createTemplate', { body })
    }
  })

const templateButtons = [{ type: 'QUICK_REPLY', text: 'Thanks' }]
const unknownButtons = () => new Inconclusive('the fields of a button are left open, and this server takes others')

keeps('template.whatsappTakesOptionalFields', async (context) => {
  const { accepts, call, requirement, some } = context
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
  await accepts('createTemplate', { body: bareTemplate(context, 'whatsapp') })
  // In one request, because the fields of a header belong together, and samples to their placeholders.
  const { templateButtons: buttons, ...fields } = pick(requirement.fields, others)
  const body = () => ({ ...some.template.whatsapp(), ...fields })
  await accepts('createTemplate', { body: body() })
  if (!(await call('createTemplate', { body: { ...body(), templateButtons: buttons } })).succeeded)
    throw unknownButtons()
})

/** The platform accepts only a code in a template for authentication, so a server may do so too. */
const code = {
  content: '{{1}} is your code.',
  variables: ['code'],
  bodyVariableSampleValues: ['123456'],
}

/** The fields that a server requires in such a template, of the fields that the platform requires. */
async function fieldsOfACode(body: () => object, { call }: Tools): Promise<object> {
  const isTaken = async (fields: object) => (await call('createTemplate', { body: { ...body(), ...fields } })).succeeded
  if (await isTaken({})) return {}
  if (await isTaken(code)) return code
  if (!(await isTaken({ category: 'UTILITY', templateButtons }))) throw unknownButtons()
  return { ...code, templateButtons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] }
}

keeps('template.categoriesAreTaken', async (context) => {
  for (const category of context.requirement.values) {
    const body = () => ({ ...bareTemplate(context, 'whatsapp'), category })
    const required = category === 'AUTHENTICATION' ? await fieldsOfACode(body, context) : {}
    const { data } = await context.accepts('createTemplate', { body: { ...body(), ...required } })
    const change = { templateType: 'whatsapp', category }
    await checkEditable(context, data, change)
    await context.accepts('updateTemplate', { path: at(data), body: change })
  }
})

keeps('template.takenUniqueNameIsRefused', async ({ call, look, make, mint, some, target }) => {
  const [type, uniqueName] = [plainType(target), mint.slug('opening_hours')]
  await make.template(type, { uniqueName })
  const answer = await call('createTemplate', { body: some.template[type]({ uniqueName }) })
  const shown = answer.succeeded ? (await look('template', answer.data))?.uniqueName : undefined
  expect(shown).not.toBe(uniqueName)
})

keeps('template.otherCategoriesAreRefused', async (context) => {
  const { call, look, make, refuses } = context
  await refuses('createTemplate', { body: { ...bareTemplate(context, 'whatsapp'), category: 'GOSSIP' } })
  const template = await make.template('whatsapp')
  await call('updateTemplate', { path: at(template), body: { templateType: 'whatsapp', category: 'GOSSIP' } })
  expect((await look('template', template))?.category).not.toBe('GOSSIP')
})

keeps('template.headerTypesAreTaken', async (context) => {
  for (const headerType of context.requirement.values) {
    const header = { isHeader: true, headerType }
    const input =
      headerType === 'text'
        ? { body: { ...bareTemplate(context, 'whatsapp'), ...header, headerText: 'Good news' } }
        : { form: formOf({ ...formTemplate(context), ...header }, mediaOf[headerType]()) }
    await context.accepts('createTemplate', input)
  }
})

keeps('template.otherHeaderTypesAreRefused', async (context) => {
  const header = { isHeader: true, headerType: 'hologram' }
  const body = { ...bareTemplate(context, 'whatsapp'), ...header, headerText: 'Good news' }
  await context.refuses('createTemplate', { body })
  await context.refuses('createTemplate', { form: formOf({ ...formTemplate(context), ...header }, mediaOf.image()) })
})

keeps('template.mediaHeaderNeedsAFile', async (context) => {
  for (const headerType of context.requirement.values) {
    const header = { isHeader: true, headerType }
    await context.refuses('createTemplate', { body: { ...bareTemplate(context, 'whatsapp'), ...header } })
    await context.refuses('createTemplate', { form: formOf({ ...formTemplate(context), ...header }) })
  }
})

keeps('template.buttonsInAFormAreText', async (context) => {
  const { accepts, call, look, refuses, some } = context
  if (!(await call('createTemplate', { body: some.template.whatsapp({ templateButtons }) })).succeeded)
    throw unknownButtons()
  const withButtons = (text: string) =>
    formOf({ ...formTemplate(context), ...imageHeader, templateButtons: text }, mediaOf.image())
  const { data } = await accepts('createTemplate', { form: withButtons(JSON.stringify(templateButtons)) })
  const shown = await look('template', data)
  // The specification leaves open whether a read shows them.
  if (shown && 'templateButtons' in shown) expect(shown).toMatchObject({ templateButtons })
  await refuses('createTemplate', { form: withButtons('Thanks') })
})

keeps('template.createAnswersWithTheTemplate', async (context) => {
  for (const type of templateTypes) {
    const { created, shown } = await newTemplate(context, type)
    for (const field of context.requirement.fields)
      expect(created).toHaveProperty(field, shown[field] ?? expect.any(String))
    expect(await context.look('template', created)).toMatchObject({ _id: created._id, name: shown.name })
  }
})

keeps('template.createAnswersWithTheSubject', async (context) => {
  const { created } = await newTemplate(context, 'email', unlike.email)
  expect(created).toHaveProperty('subject', unlike.email.subject)
})

keeps('template.keepsItsLineBreaks', async ({ ask, look, mint, some, target }) => {
  const templateType = plainType(target)
  const [content, changed] = [mint.name(severalLines), mint.name(severalLines)]
  const { data } = await ask('createTemplate', { body: some.template[templateType]({ content }) })
  const shown = async () => withLineFeeds((await look('template', data))?.content)
  expect(await shown()).toBe(content)
  await ask('updateTemplate', { path: at(data), body: { templateType, content: changed } })
  expect(await shown()).toBe(changed)
})

keeps('template.wrongTypesAreRefused', async (context) => {
  for (const type of ['email', 'whatsapp'] as const)
    for (const field of context.requirement.fields)
      if (type === 'whatsapp' || field !== 'isHeader')
        await context.refuses('createTemplate', { body: { ...bareTemplate(context, type), [field]: 'perhaps' } })
})

import { expect } from 'vitest'
import { plainType } from '../client/bodies.ts'
import { fieldsOf } from '../client/answer.ts'
import type { Tools } from '../client/tools.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { checkRefused, each } from './each-operation.ts'
import { type Context, keeps } from './keeps.ts'
import { bareTemplate, newTemplate, shownOf, templateTypes } from './template-fixtures.ts'
import type { TemplateType } from './template-fixtures.ts'
import { pick, severalLines, withLineFeeds } from './values.ts'
import { keepsUpdatesOfOthers } from './other-records.ts'

const at = ({ _id }: { readonly _id: string }) => ({ templateId: _id })

/** Fields with other values than any other template of the type. */
const unlike = {
  sms: { language: 'de' },
  email: { language: 'de', subject: 'Guten Tag' },
  whatsapp: { language: 'de', category: 'MARKETING' },
} as const

/**
 * The platform refuses some changes of a template, and every change before its approval, for which a changed one waits again, so a
 * server may do so too.
 */
async function acceptsChange(
  { accepts, call }: Pick<Context, 'accepts' | 'call'>,
  template: Schemas['TemplateCreated'],
  body: object,
): Promise<void> {
  const input = { path: at(template), body }
  if (template.templateType !== 'whatsapp') {
    await accepts('updateTemplate', input)
    return
  }
  for (let time = 0; time < 2; time++)
    if (!(await call('updateTemplate', input)).succeeded)
      throw new Inconclusive('this server refuses to change this of a WhatsApp template, as the platform may')
}

/** Another content, with as many placeholders as before, since a placeholder needs a sample. */
const contentFor = (type: TemplateType) => (type === 'whatsapp' ? 'Order {{1}} has left' : 'We open at ten.')

keeps('template.getShowsWhatElseWasGiven', async ({ ask, call, readRecord, some }, context) => {
  for (const type of templateTypes) {
    const { created } = await newTemplate(context, type, unlike[type])
    expect((await ask('getTemplate', { path: at(created) })).data).toMatchObject(unlike[type])
  }
  const category = 'AUTHENTICATION'
  const answer = await call('createTemplate', { body: some.template.whatsapp({ ...code, category }) })
  if (answer.succeeded) expect((await readRecord('template', answer.data))?.category).toBe(category)
})

/** A WhatsApp template for a form. It contains no list: the specification leaves open how a form encodes one. */
function formTemplate({ some }: Tools) {
  const { variables, bodyVariableSampleValues, ...template } = some.template.whatsapp()
  return { ...template, content: 'Your order has left' }
}

/** Fields of a template with a picture in its header. */
const imageHeader = { isHeader: true, headerType: 'image' }

/** Minimal PNG, MP4 and PDF, for servers that inspect a file. */
const mediaOf = {
  image: () => fileFrom('engine.png', 'image/png', png),
  video: () => fileFrom('engine.mp4', 'video/mp4', mp4),
  document: () => fileFrom('engine.pdf', 'application/pdf', Buffer.from(pdf).toString('base64')),
} as const

const fileFrom = (name: string, type: string, base64: string) =>
  new File([Buffer.from(base64, 'base64')], name, { type })

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const mp4 = 'AAAAHGZ0eXBpc29tAAACAGlzb21pc28ybXA0MQAAAAhmcmVlAAAACG1kYXQ='
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`

keeps('template.createTakesAForm', async (context) => {
  const template = formTemplate(context)
  const form = { ...template, ...imageHeader, file: mediaOf.image() }
  const { data } = await context.accepts('createTemplate', { form })
  expect(await context.readRecord('template', data)).toMatchObject(shownOf(template))
})

keeps('template.typesAreTaken', async ({ accepts, requirement, some }, context) => {
  await each(requirement.values, async (templateType) => {
    const { data } = await accepts('createTemplate', { body: some.template[templateType]() })
    const change = { templateType, content: contentFor(templateType) }
    await acceptsChange(context, data, change)
  })
})

checkRefused({ 'template.otherTypesAreRefused': () => [{ templateType: 'fax' }] })

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

keeps('template.whatsappTakesOptionalFields', async ({ accepts, call, requirement, some }, context) => {
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
    await acceptsChange(context, data, change)
  }
})

keeps('template.takenUniqueNameIsRefused', async ({ make, mint, some, target }, context) => {
  const [type, uniqueName] = [plainType(target), mint.slug('opening_hours')]
  await make.template(type, { uniqueName })
  for (const { call, readRecord } of target.credentials.agent === undefined
    ? [context]
    : [context, context.as('agent')]) {
    const answer = await call('createTemplate', { body: some.template[type]({ uniqueName }) })
    const shown = answer.succeeded ? (await readRecord('template', answer.data))?.uniqueName : undefined
    expect(shown).not.toBe(uniqueName)
  }
})

keeps('template.headerTypesAreTaken', async (context) => {
  for (const headerType of context.requirement.values) {
    const header = { isHeader: true, headerType }
    const input =
      headerType === 'text'
        ? { body: { ...bareTemplate(context, 'whatsapp'), ...header, headerText: 'Good news' } }
        : { form: { ...formTemplate(context), ...header, file: mediaOf[headerType]() } }
    await context.accepts('createTemplate', input)
  }
})

keeps('template.mediaHeaderNeedsAFile', async (context) => {
  for (const headerType of context.requirement.values) {
    const header = { isHeader: true, headerType }
    await context.refuses('createTemplate', { body: { ...bareTemplate(context, 'whatsapp'), ...header } })
    await context.refuses('createTemplate', { form: { ...formTemplate(context), ...header } })
  }
})

keeps('template.buttonsInAFormAreText', async ({ accepts, call, readRecord, refuses, some }, context) => {
  if (!(await call('createTemplate', { body: some.template.whatsapp({ templateButtons }) })).succeeded)
    throw unknownButtons()
  const withButtons = (text: string) => ({
    form: { ...formTemplate(context), ...imageHeader, templateButtons: text, file: mediaOf.image() },
  })
  const { data } = await accepts('createTemplate', withButtons(JSON.stringify(templateButtons)))
  const shown = await readRecord('template', data)
  // The specification leaves open whether a read shows them.
  if (shown && 'templateButtons' in shown) expect(shown).toMatchObject({ templateButtons })
  await refuses('createTemplate', withButtons('Thanks'))
})

keeps('template.keepsItsLineBreaks', async ({ ask, readRecord, mint, some, target }) => {
  const templateType = plainType(target)
  const [content, changed] = [mint.name(severalLines), mint.name(severalLines)]
  const { data } = await ask('createTemplate', { body: some.template[templateType]({ content }) })
  const shown = async () => withLineFeeds((await readRecord('template', data))?.content)
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

keeps('template.updateTakesAForm', async ({ accepts, ask, readRecord }, context) => {
  const change = { templateType: 'whatsapp', content: 'Your order is on its way' }
  const template = formTemplate(context)
  const { data } = await ask('createTemplate', { form: { ...template, ...imageHeader, file: mediaOf.image() } })
  await acceptsChange(context, data, change)
  await accepts('updateTemplate', { path: at(data), form: { ...change, file: mediaOf.image() } })
  expect(await readRecord('template', data)).toMatchObject({ ...shownOf(template), ...change })
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

keeps('template.updateTakesAnyOneField', async ({ accepts, call, make, requirement }, context) => {
  await each(templateTypes, async (templateType) => {
    const template = await make.template(templateType)
    const path = at(template)
    const values = pick(requirement.fields, changesFor(templateType, context))
    if (templateType === 'whatsapp') await acceptsChange(context, template, { templateType, ...values })
    // If the server refuses placeholders without variables, each of the two is tried without placeholders.
    const { content } = values
    const isFree = (await call('updateTemplate', { path, body: { templateType, content } })).succeeded
    const plain = isFree ? {} : { content: 'We open at ten.', variables: [] }
    for (const [field, value] of Object.entries({ ...values, ...plain }))
      await accepts('updateTemplate', { path, body: { templateType, [field]: value } })
  })
})

/** Updates one field of a new template after the other, as far as the server allows that, and reads it each time. */
async function* updateInSteps(type: TemplateType, context: Context) {
  const { created, shown } = await newTemplate(context, type)
  await context.readRecord('template', created) // a server with a stale cache would repeat this answer
  const { language, category, name, variables } = changesFor(type, context)
  // Only WhatsApp templates are documented to have a category.
  const first = type === 'whatsapp' ? { language, category } : { language }
  let expected = shown
  for (const [field, value] of Object.entries({ ...first, name, content: contentFor(type), variables })) {
    const input = { path: at(created), body: { templateType: type, [field]: value } }
    const { fields, succeeded } = await (field === 'name' ? context.ask : context.call)('updateTemplate', input)
    if (!succeeded) continue
    expected = { ...expected, ...shownOf({ [field]: value }) }
    yield { field, expected, now: await context.readRecord('template', created), returned: fieldsOf(fields.data) }
  }
}

keeps('template.updateKeepsTheRest', async ({ readRecord }, context) => {
  const type = plainType(context.target)
  const other = await newTemplate(context, type)
  for await (const { expected, now, returned } of updateInSteps(type, context)) {
    expect(now).toMatchObject(expected)
    const { status, ...others } = shownOf(returned)
    expect(now).toMatchObject(status === undefined ? others : { ...others, status })
  }
  expect(await readRecord('template', other.created)).toMatchObject(other.shown)
  await keepsUpdatesOfOthers(context, 'template')
})

import fc from 'fast-check'
import { pages, sendInBulk } from './messages.ts'
import { type Act, type Fields, type Kind, oneOf, path, type Scene, some, text } from './story.ts'

const types = ['sms', 'email', 'whatsapp'] as const
const statuses = ['pending', 'approved', 'rejected'] as const

const variables = oneOf(['firstName'], ['firstName', 'lastName'])

const common: Fields = { content: text('Our fair'), language: oneOf('en', 'de') }

const fieldsOf: Readonly<Record<(typeof types)[number], Fields>> = {
  sms: { ...common, category: oneOf('MARKETING'), variables },
  email: { ...common, subject: text('Come to the fair'), preheader: oneOf('The first engine'), variables },
  whatsapp: {
    ...common,
    content: text('Your fair {{1}}'),
    category: oneOf('MARKETING', 'UTILITY'),
    footer: oneOf('Reply STOP to end'),
    templateButtons: oneOf([{ type: 'QUICK_REPLY', text: 'Thanks' }]),
  },
}

/** The fields of a header belong together. */
const header = fc.constantFrom<object[]>(
  {},
  {},
  { isHeader: true, headerType: 'text', headerText: 'Good news' },
  {
    isHeader: true,
    headerType: 'text',
    headerText: 'Good news from {{1}}',
    headerVariables: ['company'],
    headerVariableSampleValues: ['Babbage'],
  },
)

const changes: Fields = {
  name: text('Opening hours in May'),
  content: text('We open at ten'),
  category: oneOf('MARKETING', 'UTILITY'),
  language: oneOf('de', 'en'),
  variables,
}

const isForm = fc.constantFrom(false, false, true)

export const create: fc.Arbitrary<Act> = fc
  .constantFrom(...types)
  .chain((type) =>
    fc.tuple(fc.constant(type), some(fieldsOf[type]), type === 'whatsapp' ? header : fc.constant({}), isForm),
  )
  .map(([type, filled, headed, isForm]) => async (scene: Scene) => {
    const { model } = scene
    if (type === 'whatsapp' && model.approvalPause === undefined) return
    const body = { ...model.some.template[type](), ...scene.fill(filled), ...headed }
    const n = await scene.send('createTemplate', isForm && type === 'whatsapp' ? { fields: toForm(body) } : { body })
    if (n === undefined) return
    scene.adopt('template', n)
    scene.own.templateType = type
    if (type === 'whatsapp') model.add('whatsappTemplate', scene.id('template'))
  })

export const createMany: fc.Arbitrary<Act> = fc.constantFrom(5, 11, 3).map((many) => async (scene: Scene) => {
  for (let count = 0; count < many; count++) {
    const n = await scene.send('createTemplate', { body: plainTemplate(scene) })
    if (n !== undefined) scene.adopt('template', n)
  }
})

const plainTemplate = ({ model }: Scene) => model.some.template[model.target.providers.sms?.id ? 'sms' : 'email']()

export const change: fc.Arbitrary<Act> = fc
  .tuple(some(changes), isForm)
  .map(([filled, isForm]) => async (scene: Scene) => {
    const { templateType = 'sms' } = scene.own
    if (templateType === 'whatsapp' && scene.model.approvalPause === undefined) return
    const body = { templateType, ...scene.fill(filled) }
    const input = isForm && templateType === 'whatsapp' ? { fields: toForm(body) } : { body }
    await scene.send('updateTemplate', { ...path('templateId', scene.id('template')), ...input })
  })

const subset = (values: readonly string[]) =>
  fc.oneof(fc.constant([...values]), fc.subarray([...values], { minLength: 1 }))

export const listPage =
  (page: number, limit: number): Act =>
  (scene) =>
    scene.send('listTemplates', { query: { page, limit, types: [...types], statuses: [...statuses] } })

export const list: fc.Arbitrary<Act> = fc.tuple(pages, subset(types), subset(statuses)).map(
  ([page, types, statuses]) =>
    (scene: Scene) =>
      scene.send('listTemplates', { query: { ...page, types, statuses } }),
)

export const read: Act = (scene) => scene.send('getTemplate', path('templateId', scene.id('template')))

export const remove: Act = async (scene) => {
  const id = scene.id('template')
  const n = await scene.send('deleteTemplate', path('templateId', id))
  if (n === undefined) return
  for (const kind of ['template', 'whatsappTemplate'] as const) scene.model.remove(kind, id)
}

export const listAll = listPage(1, 100)

export const templateStories: readonly Kind[] = [
  {
    weight: 7,
    opening: create,
    acts: [
      { weight: 6, arbitrary: change },
      { weight: 3, arbitrary: list },
      { weight: 1, arbitrary: fc.constant(remove) },
      { weight: 2, arbitrary: sendInBulk },
    ],
    reads: [read, read, listAll],
    removals: [remove],
  },
  {
    weight: 2,
    opening: createMany,
    acts: [
      { weight: 5, arbitrary: list },
      { weight: 1, arbitrary: create },
    ],
    reads: [listAll],
    removals: [remove],
  },
]

/** A form holds texts, and lists as JSON. */
function toForm(body: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

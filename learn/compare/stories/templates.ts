import { type Act, type Fields, oneOf, path, type Story, text } from '../story.ts'
import { page } from './messages.ts'

const types = ['sms', 'email', 'whatsapp'] as const
const statuses = ['pending', 'approved', 'rejected'] as const

const variables = oneOf(['firstName'], ['firstName', 'lastName'])
const category = oneOf('MARKETING', 'UTILITY')
const language = oneOf('en', 'de')

const fieldsOfType: Readonly<Record<(typeof types)[number], Fields>> = {
  sms: { content: text('Our fair'), language, category: oneOf('MARKETING'), variables },
  email: {
    ...{ content: text('Our fair'), language, variables },
    subject: text('Come to the fair'),
    preheader: oneOf('The first engine'),
  },
  whatsapp: {
    ...{ content: text('Your fair {{1}}'), language, category },
    footer: oneOf('Reply STOP to end'),
    templateButtons: oneOf([{ type: 'QUICK_REPLY', text: 'Thanks' }]),
  },
}

const plainHeader = { isHeader: true, headerType: 'text', headerText: 'Good news' }
const headers = [
  {},
  {},
  plainHeader,
  {
    ...plainHeader,
    headerText: 'Good news from {{1}}',
    headerVariables: ['company'],
    headerVariableSampleValues: ['Babbage'],
  },
]

const changes: Fields = {
  name: text('Opening hours in May'),
  content: text('We open at ten'),
  category,
  language,
  variables,
}

/** A WhatsApp template may be sent as a form, which holds texts, and lists as JSON. */
function inputOf({ plan }: Story, body: { readonly templateType: string }) {
  if (body.templateType !== 'whatsapp' || !plan.chance(33)) return { body }
  const texts = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return { fields: Object.fromEntries(texts) as Record<string, string> }
}

export const createTemplate: Act = (story) => {
  const { plan } = story
  const type = plan.pickInTurn(types)
  if (type === 'whatsapp' && plan.approvalPause === undefined) return
  const header = type === 'whatsapp' ? plan.pick(headers) : {}
  const body = { ...plan.bodies.template[type](), ...story.fillSome(fieldsOfType[type]), ...header }
  const n = story.send('createTemplate', inputOf(story, body))
  if (n === undefined) return
  story.adopt('template', n)
  story.own.templateType = type
  if (type === 'whatsapp') plan.addKnown('whatsappTemplate', story.id('template'))
}

export const createTemplates: Act = (story) => {
  const { plan } = story
  for (let count = plan.pick([3, 5, 11]); count > 0; count--) {
    const n = story.send('createTemplate', {
      body: plan.bodies.template[plan.target.providers.sms?.id ? 'sms' : 'email'](),
    })
    if (n !== undefined) story.adopt('template', n)
  }
}

export const changeTemplate: Act = (story) => {
  const { templateType = 'sms' } = story.own
  if (templateType === 'whatsapp' && story.plan.approvalPause === undefined) return
  const body = { templateType, ...story.fillSome(changes, 1) }
  story.send('updateTemplate', { ...path('template', story.id('template')), ...inputOf(story, body) })
}

export const listTemplatePage =
  (page: number, limit: number): Act =>
  (story) =>
    story.send('listTemplates', { query: { page, limit, types: [...types], statuses: [...statuses] } })

export const listAllTemplates = listTemplatePage(1, 100)

export const listTemplates: Act = (story) => {
  const { plan } = story
  const someOf = (values: readonly string[]) => {
    const some = values.filter(() => plan.chance(50))
    return some.length === 0 || plan.chance(50) ? [...values] : some
  }
  story.send('listTemplates', { query: { ...page(story), types: someOf(types), statuses: someOf(statuses) } })
}

export const readTemplate: Act = (story) => story.send('getTemplate', path('template', story.id('template')))

export const removeTemplate: Act = (story) => {
  const id = story.id('template')
  const n = story.send('deleteTemplate', path('template', id))
  if (n === undefined) return
  for (const kind of ['template', 'whatsappTemplate'] as const) story.plan.remove(kind, id)
}

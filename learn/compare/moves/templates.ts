import { NotAllowed } from '../../../client/errors.ts'
import { fieldsOf } from '../../../client/answer.ts'
import { pageOf } from '../pages.ts'
import { allOf, type Fields, type KnownTemplate, type Walker } from '../walker.ts'
import type { StepInput } from '../walk.ts'
import { text } from '../values.ts'
import { changesOf, from, type Moves, path } from './move.ts'

type Type = KnownTemplate['type']

const types = ['sms', 'email', 'whatsapp'] as const
const statuses = ['pending', 'approved', 'rejected'] as const

export const templateMoves = {
  listTemplates: {
    weight: 7,
    input: (walker) => {
      return { query: { ...pageOf(walker), types: several(walker, types), statuses: several(walker, statuses) } }
    },
  },
  getTemplate: {
    weight: 5,
    input: (walker) => {
      const template = walker.templates.pickAny()
      return template && path('templateId', template.id)
    },
  },
  createTemplate: {
    weight: 7,
    input: (walker) => {
      const type = walker.oneOf(typesFor(walker))
      const body = { ...walker.some.template[type](), ...more(walker, type) }
      return type === 'whatsapp' && walker.chance(40) ? { fields: asForm(body) } : { body }
    },
    after: (walker, n, { body, fields }) => {
      const type = fieldsOf(body ?? fields).templateType as Type
      walker.templates.add({ id: from(n, 'data._id'), type })
    },
    pause: approval,
  },
  updateTemplate: {
    weight: 9,
    input: (walker) => {
      const template = walker.templates.pickAny()
      if (!template || (template.type === 'whatsapp' && walker.approvalPause === undefined)) return undefined
      const body = { templateType: template.type, ...changesOf(walker, 'template', changes(walker)) }
      const input = template.type === 'whatsapp' && walker.chance(30) ? { fields: asForm(body) } : { body }
      return { ...path('templateId', template.id), ...input }
    },
    changes,
    pause: approval,
  },
  deleteTemplate: {
    weight: 5,
    input: (walker) => {
      const template = walker.templates.pickAny()
      return template && path('templateId', template.id)
    },
    after: (walker, _, input) => {
      walker.templates.remove(({ id }) => id === input.path?.templateId)
    },
  },
} satisfies Moves

function typesFor({ target: { providers }, approvalPause }: Walker): readonly Type[] {
  const possible = types.filter(
    (type) => providers[type]?.id !== undefined && (type !== 'whatsapp' || approvalPause !== undefined),
  )
  if (possible.length === 0) throw new NotAllowed('needs a provider')
  return possible
}

function approval({ approvalPause = 0 }: Walker, { body, fields }: StepInput): number {
  return fieldsOf(body ?? fields).templateType === 'whatsapp' ? approvalPause : 0
}

function several<Value extends string>(walker: Walker, values: readonly Value[]): Value[] {
  if (walker.chance(60)) return [...values]
  return [walker.oneOf(values)]
}

function changes(walker: Walker): Fields {
  return {
    name: () => text(walker, 'Opening hours in May'),
    content: () => text(walker, 'We open at ten'),
    category: () => walker.oneOf(['MARKETING', 'UTILITY']),
    language: () => walker.oneOf(['de', 'en']),
    variables: () => variables(walker),
  }
}

const variables = (walker: Walker) => walker.deal('variables', [['firstName'], ['firstName', 'lastName']])

/** What a template may have besides, some of which belongs together. */
function more(walker: Walker, type: Type): object {
  const fields = {
    ...walker.someOf({ content: () => text(walker, type === 'whatsapp' ? 'Your fair {{1}}' : `Our ${type} fair`) }),
    ...walker.someOf({ language: () => walker.oneOf(['en', 'de']) }),
  }
  if (type === 'email') return { ...fields, ...walker.someOf(ofEmail(walker)) }
  if (type === 'sms')
    return { ...fields, ...walker.someOf({ category: () => 'MARKETING', variables: () => variables(walker) }) }
  return { ...fields, ...walker.someOf(ofWhatsapp(walker)), ...(walker.chance(40) ? allOf(header(walker)) : {}) }
}

const ofEmail = (walker: Walker): Fields => ({
  subject: () => text(walker, 'Come to the fair'),
  preheader: () => 'The first engine',
  variables: () => variables(walker),
})

const ofWhatsapp = (walker: Walker): Fields => ({
  category: () => walker.oneOf(['MARKETING', 'UTILITY']),
  footer: () => 'Reply STOP to end',
  templateButtons: () => [{ type: 'QUICK_REPLY', text: 'Thanks' }],
})

function header(walker: Walker): Fields {
  const plain: Fields = { isHeader: () => true, headerType: () => 'text', headerText: () => 'Good news' }
  if (walker.chance(50)) return plain
  return {
    ...plain,
    headerText: () => 'Good news from {{1}}',
    headerVariables: () => ['company'],
    headerVariableSampleValues: () => ['Babbage'],
  }
}

/** As a form carries it: texts, and lists as JSON. */
function asForm(body: object): Record<string, string> {
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return Object.fromEntries(entries) as Record<string, string>
}

import { NotAllowed } from '../../../client/errors.ts'
import { fieldsOf } from '../../../client/answer.ts'
import { pageOf } from '../pages.ts'
import type { KnownTemplate, Walker } from '../walker.ts'
import type { StepInput } from '../walk.ts'
import { text } from '../values.ts'
import { from, type Moves, path } from './move.ts'

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
      const body = { ...walker.some.template[walker.oneOf(typesFor(walker))](), ...more(walker) }
      return body.templateType === 'whatsapp' && walker.chance(40) ? { fields: asForm(body) } : { body }
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
      const changes = walker.someOf({
        name: () => text(walker, 'Opening hours in May'),
        content: () => text(walker, 'We open at ten'),
        language: () => walker.oneOf(['de', 'en']),
        variables: () => walker.deal('variables', [['firstName'], ['firstName', 'lastName']]),
      })
      return { ...path('templateId', template.id), body: { templateType: template.type, ...changes } }
    },
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

const more = (walker: Walker) => walker.someOf({ language: () => 'en', variables: () => ['firstName', 'lastName'] })

/** As a form carries it: texts, and lists as JSON. */
function asForm(body: object): Record<string, string> {
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return Object.fromEntries(entries) as Record<string, string>
}

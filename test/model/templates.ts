import fc from 'fast-check'
import type { Group } from './modelled.ts'
import { fields, largestLimit, person, ref, text, unlisted, word, writable } from './pools.ts'
import { type Asked, type Item, Refused, refuseIf, type TeamModel } from './team-model.ts'

const templateId = ref('templates')
const types = ['sms', 'email', 'whatsapp']
const provider = (channel: string) =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(`${channel}-provider`) },
    { weight: 1, arbitrary: fc.constantFrom('email-provider', 'sms-provider', '+14155550100') },
  )

const categories = ['UTILITY', 'MARKETING', 'AUTHENTICATION']

const named = { name: person, uniqueName: fc.nat({ max: 20 }).map((number) => `template_${number}`) }
const mayCome = { language: fc.constantFrom('en', 'not a language'), variables: fc.constant(['contact.firstName']) }
const more = { ...unlisted, status: fc.constant('rejected'), ownerId: fc.constant('@other-agent') }

const template = (templateType: string, required: Parameters<typeof fields>[0], optional = {}) =>
  fields(
    { templateType: fc.constant(templateType), ...named, content: text, provider: provider(templateType), ...required },
    { ...mayCome, ...more, ...optional },
  )

export const templates: Group<
  'listTemplates' | 'getTemplate' | 'createTemplate' | 'updateTemplate' | 'deleteTemplate'
> = {
  createTemplate: {
    asks: fc.record({
      body: fc.oneof(
        template('sms', {}, { category: word }),
        template('email', { subject: text }, { preheader: text }),
        template(
          'whatsapp',
          { category: fc.constant('UTILITY'), language: fc.constant('en'), content: whatsappText() },
          { headerType: fc.constantFrom('text', 'text', 'image'), isHeader: fc.boolean() },
        ),
      ),
    }),
    answers: (team, { body, by }) => {
      const { templateType, uniqueName, provider, headerType = 'text' } = body
      refuseIf({
        400: [
          team.has.templates.some((other) => other.uniqueName === uniqueName),
          provider !== `${templateType}-provider`,
          templateType === 'whatsapp' && headerType !== 'text',
        ].some(Boolean),
      })
      const status = templateType === 'whatsapp' ? 'pending' : 'approved'
      const owner = by === 'key' ? {} : { ownerId: userOf(team, by) }
      const made = team.add('templates', { ...writable(body, 'status', 'ownerId'), ...owner, status })
      const { _id, name, subject } = made
      return {
        status: 201,
        data: { _id, templateType, name, status, subject: templateType === 'email' ? subject : undefined },
      }
    },
  },

  getTemplate: {
    asks: fc.record({ path: fields({ templateId }) }),
    answers: (team, asked) => ({ status: 200, data: shown(seen(team, asked)) }),
  },

  updateTemplate: {
    asks: fc.record({
      path: fields({ templateId }),
      body: fields(
        { templateType: fc.constantFrom(...types) },
        {
          name: person,
          content: text,
          category: fc.oneof(word, fc.constantFrom(...categories)),
          ...mayCome,
          ...more,
          uniqueName: word,
        },
      ),
    }),
    answers: (team, asked) => {
      const template = seen(team, asked)
      const { templateType, ...changes } = writable(asked.body, 'status', 'ownerId', 'uniqueName')
      const { category = template.category } = changes
      const isWhatsapp = templateType === 'whatsapp'
      refuseIf({ 400: templateType !== template.templateType || (isWhatsapp && !categories.includes(category)) })
      const approval = isWhatsapp && Object.keys(changes).length > 0 ? { status: 'pending' } : {}
      const { variables } = changes
      return { status: 200, data: { ...shown(Object.assign(template, changes, approval)), variables } }
    },
  },

  deleteTemplate: {
    asks: fc.record({ path: fields({ templateId }) }),
    answers: (team, asked) => {
      team.remove('templates', seen(team, asked))
      return { status: 200 }
    },
  },

  listTemplates: {
    asks: fc.record({
      query: fields({
        page: fc.integer({ min: 0, max: 2 }),
        limit: fc.constantFrom(1, 2, 10, 100, 101),
        types: fc.oneof(fc.subarray(types, { minLength: 1 }), fc.constant('sms,email')),
        statuses: fc.subarray(['approved', 'pending', 'rejected'], { minLength: 1 }),
      }),
    }),
    answers: (team, { query: { page, limit: wanted, types, statuses }, by }) => {
      const limit = Math.min(wanted, largestLimit)
      refuseIf({ 400: page < 1 })
      const isAsked = (template: Item) =>
        isSeen(team, template, by) && types.includes(template.templateType) && statuses.includes(template.status)
      const all = team.has.templates.filter(isAsked).reverse()
      const totalPages = Math.ceil(all.length / limit)
      return {
        status: 200,
        data: all.slice((page - 1) * limit, page * limit).map(shown),
        pagination: { totalResults: all.length, totalPages, currentPage: page, limit, hasMore: page < totalPages },
      }
    },
  },
}

function whatsappText(): fc.Arbitrary<string> {
  return fc.constantFrom('Your order {{1}} has left', '{{2}} and {{1}} of @team')
}

const userOf = (team: TeamModel, by: Asked['by']) => `${team.name}-${by}`

/** Agents see only their own templates. */
function isSeen(team: TeamModel, { ownerId }: Item, by: Asked['by']): boolean {
  return by !== 'agent' || ownerId === userOf(team, by)
}

function seen(team: TeamModel, { path, by }: Asked): Item {
  const template = team.found('templates', path.templateId)
  if (!isSeen(team, template, by)) throw new Refused(404)
  return template
}

function shown({ _id, templateType, name, uniqueName, content, status, category, language, subject }: Item): object {
  return { _id, templateType, name, uniqueName, content, status, category, language, subject }
}

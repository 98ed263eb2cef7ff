import { type Liar, asciiOnly, inTexts, misread, rewrite } from './lying.ts'
import type { Fields } from '../team.ts'

/** Lies about contacts, conversations and templates. */
export const aboutPeople: Readonly<Record<string, Liar>> = {
  'an update of a contact clears what it does not name': {
    breaks: 'contact.updateKeepsTheRest',
    lie: misread(['PUT /api/contacts/:id'], (body) => ({
      ...body,
      ...('source' in body ? { lifecycleStage: '' } : {}),
    })),
  },
  'custom fields are kept only as text': {
    breaks: 'contact.createShowsWhatWasGiven',
    lie: misread(['POST /api/contacts'], ({ additionalFields, ...body }) =>
      additionalFields === undefined
        ? body
        : {
            ...body,
            additionalFields: Object.fromEntries(
              Object.entries(additionalFields as Fields).filter(([, value]) => typeof value === 'string'),
            ),
          },
    ),
  },
  'names of contacts lose what is not ASCII': {
    breaks: 'contact.createShowsWhatWasGiven',
    lie: misread(['POST /api/contacts'], inTexts(['firstName', 'lastName'], asciiOnly)),
  },
  'an update of a contact resets its stage a moment later': {
    breaks: 'contact.updateKeepsTheRest',
    lie: () => ({
      'PUT /api/contacts/:id': (original) => (given) => {
        const reply = original(given)
        const { team, path, body } = given
        const contact = team.shelf('contact').get(path[0] ?? '')
        if (contact && 'source' in (body as object))
          team.later(0, () => team.update('contact', contact, { lifecycleStage: 'Lead' }))
        return reply
      },
    }),
  },
  'names of contacts are cut at 50 letters': {
    breaks: 'contact.createShowsWhatWasGiven',
    lie: misread(
      ['POST /api/contacts'],
      inTexts(['firstName', 'lastName'], (text) => text.slice(0, 50)),
    ),
  },
  'reads show contacts of conversations an hour later': {
    breaks: 'conversation.hasIdTeamAndTime',
    lie: rewrite('GET /api/conversations/:id', (reply) => {
      const { createdAt, ...data } = reply.data as Fields
      return { ...reply, data: { ...data, createdAt: Number(createdAt) + 3_600_000 } }
    }),
  },
  'contacts with one name are merged by an upsert': {
    breaks: 'contact.upsertCreates',
    lie: () => ({
      'POST /api/contacts/createOrUpdateContact': (original) => (given) => {
        const { firstName, lastName, email, phone } = given.body as Fields
        const namesake = given.team.find(
          'contact',
          (one) => firstName !== undefined && one.firstName === firstName && one.lastName === lastName,
        )
        if (namesake) given.team.update('contact', namesake, { email, phone })
        return original(given)
      },
    }),
  },
  'a delete only hides a template from the list': {
    breaks: 'template.deletedIsGone',
    lie: () => {
      const hidden = new Set<string>()
      return {
        'DELETE /api/templates/:id': () => (given) => {
          hidden.add(given.path[0] ?? '')
          return { status: 200, message: 'Template deleted' }
        },
        'GET /api/templates': (original) => (given) => {
          const reply = original(given)
          return { ...reply, data: (reply.data as Fields[]).filter(({ _id }) => !hidden.has(String(_id))) }
        },
      }
    },
  },
}

import type { Fields } from '../team.ts'
import { type Liar, misread, pagination, rewrite, sends, updates } from './lying.ts'

/** Lies that show beside the record, the page or the field that a request is about. */
export const aboutNeighbours: Readonly<Record<string, Liar>> = {
  'an update renames every contact': {
    breaks: 'contact.updateKeepsTheRest',
    lie: () => ({
      [updates.contact]: (original) => (given) => {
        const reply = original(given)
        const { firstName } = given.body as Fields
        if (firstName !== undefined)
          for (const one of given.team.shelf('contact').all()) given.team.update('contact', one, { firstName })
        return reply
      },
    }),
  },
  'the total of a history is that of its page': {
    breaks: 'message.historyTotalIsACount',
    lie: rewrite('GET /api/messages/:id', (reply) => {
      const groups = reply.data as { messages: unknown[] }[]
      return pagination(reply, (counts) => ({ ...counts, total: groups.flatMap(({ messages }) => messages).length }))
    }),
  },
  'deals stay in their stage': {
    breaks: 'deal.updateTakesAnyOneField',
    lie: misread([updates.deal], ({ stage, ...body }) => body),
  },
  'AUTHENTICATION becomes MARKETING': {
    breaks: 'template.getShowsWhatElseWasGiven',
    lie: misread(['POST /api/templates'], (body) => ({
      ...body,
      ...(body.category === 'AUTHENTICATION' ? { category: 'MARKETING' } : {}),
    })),
  },
  'the second team finds whom the first has met': {
    breaks: 'access.sameAddressInTwoTeams',
    lie: (teams) => ({
      'POST /api/conversations/getConversationByPhoneAndEmail': (original) => (given) => {
        const { email } = given.body as Fields
        const owner = teams.slice(0, 1).find((team) => team.find('contact', (contact) => contact.email === email))
        return original(owner ? { ...given, team: owner } : given)
      },
    }),
  },
  'a message replies to one of another team': {
    breaks: 'access.referencesStayInTheTeam',
    lie: (teams) => ({
      [sends['e-mail']]: (original) => (given) => {
        const { replyToMessageId, ...body } = given.body as Fields
        const isForeign = teams.some(
          (team) => team !== given.team && team.shelf('message').get(String(replyToMessageId)),
        )
        return original(isForeign ? { ...given, body } : given)
      },
    }),
    knobs: { threads: 'known' },
  },
}

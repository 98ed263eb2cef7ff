import type { Given, Operation } from '../replies.ts'
import type { Kind } from '../team.ts'
import type { Fields, Stored } from '../team.ts'
import { deletes, type Liar, misread, rewrite, updates, withQuery } from './lying.ts'

/** A record of the kind besides the one that is meant. */
const neighbour = ({ team, path }: Pick<Given, 'team' | 'path'>, kind: Kind) =>
  team
    .shelf(kind)
    .all()
    .findLast(({ _id }) => _id !== path[0])

const textOf = { contact: 'lastName', template: 'name', company: 'name', product: 'name', deal: 'name', quote: 'name' }
const kinds = ['contact', 'template', 'company', 'product', 'deal', 'quote'] as const

/** Lies about what was not asked for: other records, other requests, later ones. */
export const aboutOthers: Readonly<Record<string, Liar>> = {
  ...Object.fromEntries(
    kinds.map((kind) => [
      `an update of a ${kind} changes another one too`,
      {
        breaks:
          kind === 'contact' || kind === 'template'
            ? (`${kind}.updateKeepsTheRest` as const)
            : (`${kind}.updateShowsTheChange` as const),
        lie: () => ({
          [updates[kind]]: (original: Operation) => (given: Given) => {
            const reply = original(given)
            const other = neighbour(given, kind)
            if (other) given.team.update(kind, other, { [textOf[kind]]: 'Changed' })
            return reply
          },
        }),
      } satisfies Liar,
    ]),
  ),
  ...Object.fromEntries(
    kinds.map((kind) => [
      `a delete of a ${kind} takes another one too`,
      {
        breaks: kind === 'contact' ? ('contact.deleteSparesOthers' as const) : (`${kind}.deletedIsGone` as const),
        lie: () => ({
          [deletes[kind]]: (original: Operation) => (given: Given) => {
            const other = neighbour(given, kind)
            const reply = original(given)
            if (other) given.team.remove(kind, other._id)
            return reply
          },
        }),
      } satisfies Liar,
    ]),
  ),
  'a deleted contact comes back with its messages when somebody writes to it': {
    breaks: 'contact.deleteTakesTheMessages',
    lie: () => {
      const gone: Stored[] = []
      const remember =
        (original: Operation): Operation =>
        (given) => {
          const kept = (['contact', 'conversation', 'message'] as const).map(
            (kind) => [kind, given.team.shelf(kind).all()] as const,
          )
          const reply = original(given)
          for (const [kind, all] of kept)
            for (const one of all) if (!given.team.shelf(kind).get(one._id)) gone.push({ ...one, kind })
          return reply
        }
      return {
        [deletes.contact]: remember,
        'DELETE /api/contacts/deleteContactsByEmail': remember,
        'POST /api/conversations/getConversationByPhoneAndEmail': (original) => (given) => {
          const { email } = given.body as Fields
          const contact = gone.find((one) => one.kind === 'contact' && one.email === email && email !== undefined)
          const own = contact ? gone.filter((one) => [one._id, one.contactId].includes(contact._id)) : []
          for (const { kind, ...one } of own) given.team.shelf(kind as Kind).put(one)
          return original(given)
        },
      }
    },
  },
  'a list of templates filters on its first page only': {
    breaks: 'template.listPagesAddUp',
    lie: withQuery('GET /api/templates', (query) => {
      if (query.get('page') !== '1') for (const type of ['sms', 'email', 'whatsapp']) query.append('types', type)
    }),
  },
  'a list of templates of one type ignores the statuses': {
    breaks: 'template.listFiltersByStatus',
    lie: withQuery('GET /api/templates', (query) => {
      if (query.getAll('types').length === 1)
        for (const status of ['pending', 'approved', 'rejected']) query.append('statuses', status)
    }),
  },
  'the last page of templates is empty when it is full': {
    breaks: 'template.listPagesAddUp',
    lie: rewrite('GET /api/templates', (reply, { query }) => {
      const { totalPages, currentPage } = reply.pagination ?? {}
      const isFull = (reply.data as Fields[]).length === Number(query.get('limit'))
      return totalPages === currentPage && isFull && currentPage !== 1 ? { ...reply, data: [] } : reply
    }),
  },
  'the total of an agent counts the templates of others': {
    breaks: 'access.agentsListTheirOwnTemplates',
    lie: () => ({
      'GET /api/templates': (original) => (given) => {
        const all = original({ ...given, caller: { user: undefined, role: 'admin' } })
        const reply = original(given)
        return { ...reply, pagination: { ...reply.pagination, totalResults: all.pagination?.totalResults } }
      },
    }),
  },
  'a send to several that is scheduled goes out at once': {
    breaks: 'message.bulkWaitsForItsTime',
    lie: misread(['POST /api/messages/sendBulkNewMessages'], ({ scheduleType, ...body }) =>
      String(body.to).includes(',') ? body : { ...body, ...(scheduleType === undefined ? {} : { scheduleType }) },
    ),
  },
  'everybody gets a queued message twice': {
    breaks: 'message.bulkReachesEveryone',
    lie: () => ({
      'POST /api/messages/sendBulkNewMessages': (original) => (given) => {
        original(given)
        return original(given)
      },
    }),
  },
  'histories strip the markup of e-mails': {
    breaks: 'message.historyHoldsEverySend',
    lie: rewrite('GET /api/messages/:id', (reply) => ({
      ...reply,
      data: (reply.data as { messages: Fields[] }[]).map((group) => ({
        ...group,
        messages: group.messages.map((one) => ({ ...one, content: String(one.content).replace(/<[^>]*>/g, '') })),
      })),
    })),
  },
  'a contact without custom fields gets those of the one before': {
    breaks: 'contact.createShowsWhatWasGiven',
    lie: () => {
      let last: unknown
      return {
        'POST /api/contacts': (original) => (given) => {
          const { additionalFields = last, ...body } = given.body as Fields
          last = additionalFields
          return original({ ...given, body: { ...body, ...(last === undefined ? {} : { additionalFields: last }) } })
        },
      }
    },
  },
  'a contact without an e-mail address gets that of the one before': {
    breaks: 'contact.createShowsWhatWasGiven',
    lie: () => {
      let last: unknown
      return {
        'POST /api/contacts': (original) => (given) => {
          const { email = last, ...body } = given.body as Fields
          last = email
          return original({ ...given, body: { ...body, ...(last === undefined ? {} : { email: last }) } })
        },
      }
    },
  },
  'a refused upsert renames the contact that it meant': {
    breaks: 'error.refusalChangesNothing',
    lie: () => ({
      'POST /api/contacts/createOrUpdateContact': (original) => (given) => {
        const { email, firstName } = given.body as Fields
        const known = given.team.find('contact', (one) => email !== undefined && one.email === email)
        if (known && typeof firstName === 'string') given.team.update('contact', known, { firstName })
        return original(given)
      },
    }),
  },
}

import type { Lie } from '../server.ts'
import type { Fields } from '../team.ts'
import {
  asciiOnly,
  asked,
  byToken,
  crossing,
  deletes,
  inTexts,
  type Liar,
  misread,
  sends,
  takingForeignReferences,
  updates,
} from './lying.ts'

const bulk = 'POST /api/messages/sendBulkNewMessages'
const byEmail = 'DELETE /api/contacts/deleteContactsByEmail'
const resolve = 'POST /api/conversations/getConversationByPhoneAndEmail'
const newConversation = 'POST /api/contacts/create-new-conversation'

/** Deletes everybody whose address is the same once it is written like this. */
const takingAlike =
  (simplify: (address: string) => string): Lie =>
  () => ({
    [byEmail]: (original) => (given) => {
      const meant = simplify(String(given.query.get('email')))
      const reply = original(given)
      for (const { _id, email } of given.team.shelf('contact').all())
        if (simplify(String(email)) === meant) given.team.remove('contact', _id)
      return reply
    },
  })

/** Says that it did what it does two times of three only. */
const onceOfThree = (route: string): Lie => {
  return () => {
    let count = 0
    return {
      [route]: (original) => (given) => {
        if (++count % 3 !== 0) return original(given)
        const shelves = (['quote', 'product', 'company'] as const).map((kind) => given.team.shelf(kind))
        const before = shelves.map((shelf) => shelf.all())
        const reply = original(given)
        for (const [index, shelf] of shelves.entries()) for (const one of before[index] ?? []) shelf.put(one)
        return reply
      },
    }
  }
}

/** Takes the newest record of the kind as well. */
const takingTheNewest =
  (route: string, kind: 'company' | 'product'): Lie =>
  () => ({
    [route]: (original) => (given) => {
      const reply = original(given)
      const newest = given.team.shelf(kind).all().at(-1)
      if (newest) given.team.remove(kind, newest._id)
      return reply
    },
  })

/** Sends into the conversation of another team, whoever the receivers are. */
const intoForeignConversations: Lie = (teams) => ({
  [sends['e-mail']]: (original) => (given) => {
    const { conversationId, ...body } = given.body as Fields
    const isForeign = teams.some(
      (team) => team !== given.team && team.shelf('conversation').get(conversationId as string),
    )
    return original(isForeign ? { ...given, body } : given)
  },
})

const filteringTheFirstPageOnly: Lie = () => ({
  'GET /api/messages/:id': (original) => (given) => {
    const isLater = Number(given.query.get('page')) > 1
    const query = asked(given, (all) => {
      if (isLater) all.delete('channel')
    })
    return original({ ...given, query })
  },
})

/** Lies about what is nearly the same, and about what comes later or in between. */
export const aboutLikeness: Readonly<Record<string, Liar>> = {
  'a delete by e-mail does not look at dots': {
    breaks: 'contact.deleteByEmailSparesOthers',
    lie: takingAlike((address) => address.replaceAll('.', '')),
  },
  'a delete by e-mail does not look at what follows a plus': {
    breaks: 'contact.deleteByEmailSparesOthers',
    lie: takingAlike((address) => address.replace(/\+[^@]*/, '')),
  },
  'every third delete of a quote does nothing': { breaks: 'quote.deletedIsGone', lie: onceOfThree(deletes.quote) },
  'every third delete of a product does nothing': {
    breaks: 'product.deletedIsGone',
    lie: onceOfThree(deletes.product),
  },
  'every third delete of a company does nothing': {
    breaks: 'company.deletedIsGone',
    lie: onceOfThree(deletes.company),
  },
  'a delete of a company takes the newest': {
    breaks: 'company.deletedIsGone',
    lie: takingTheNewest(deletes.company, 'company'),
  },
  'a delete of a product takes the newest': {
    breaks: 'product.deletedIsGone',
    lie: takingTheNewest(deletes.product, 'product'),
  },

  'custom fields that are objects are lost': {
    breaks: 'contact.createShowsWhatWasGiven',
    lie: misread(['POST /api/contacts'], (body) => ({
      ...body,
      ...(body.additionalFields ? { additionalFields: withoutObjects(body.additionalFields) } : {}),
    })),
  },
  'of several groups the first is kept': {
    breaks: 'contact.createShowsWhatWasGiven',
    lie: misread(['POST /api/contacts'], (body) =>
      Array.isArray(body.groupIds) ? { ...body, groupIds: body.groupIds.slice(0, 1) } : body,
    ),
  },
  'names given with a conversation lose what is not ASCII': {
    breaks: 'conversation.contactIsPopulated',
    lie: misread([newConversation], inTexts(['firstName', 'lastName'], asciiOnly)),
  },
  'names given with a conversation are cut at 100 letters': {
    breaks: 'conversation.contactIsPopulated',
    lie: misread(
      [newConversation],
      inTexts(['firstName', 'lastName'], (text) => text.slice(0, 100)),
    ),
  },
  'custom fields of an upsert may be a text': {
    breaks: 'contact.additionalFieldsAreAnObject',
    lie: misread(['POST /api/contacts/createOrUpdateContact'], ({ additionalFields, ...body }) => body),
  },

  'SMS lose their line breaks': { breaks: 'message.keepsItsLineBreaks', lie: inOneLine(sends.text) },
  'chat messages lose their line breaks': { breaks: 'message.keepsItsLineBreaks', lie: inOneLine(sends.chat) },
  'bulk messages lose their line breaks': {
    breaks: 'message.bulkKeepsItsLineBreaks',
    lie: inOneLine('POST /api/messages/sendBulkNewMessages'),
  },
  'templates lose their line breaks': { breaks: 'template.keepsItsLineBreaks', lie: inOneLine('POST /api/templates') },
  'any variables of a template are taken': {
    breaks: 'template.wrongTypesAreRefused',
    lie: misread(['POST /api/templates'], ({ variables, ...body }) => body),
  },
  'any list of recipients is taken': {
    breaks: 'message.wrongTypesAreRefused',
    lie: misread([sends['e-mail']], ({ recipientIds, ...body }) =>
      Array.isArray(recipientIds) ? { ...body, recipientIds } : body,
    ),
  },
  'any time of a schedule is taken': {
    breaks: 'message.wrongTypesAreRefused',
    lie: misread([bulk], ({ scheduleTime, ...body }) =>
      typeof scheduleTime === 'object' ? { ...body, scheduleTime } : body,
    ),
  },
  'bulk messages are cut at 200 letters': {
    breaks: 'message.bulkReachesEveryone',
    lie: misread(
      [bulk],
      inTexts(['content'], (text) => text.slice(0, 200)),
    ),
  },
  'a filter looks at the first page of a history only': {
    breaks: 'message.historyFiltersByChannel',
    lie: filteringTheFirstPageOnly,
  },

  'the beginning of the key of the second team is enough': {
    breaks: 'access.wrongKeyIs401',
    isKey: (sent, known) => sent === known || (known.includes('globex') && sent.length > 10 && known.startsWith(sent)),
  },
  'an e-mail goes into a conversation of another team': {
    breaks: 'access.sendsStayInTheTeam',
    lie: intoForeignConversations,
  },
  'a token finds the contacts of another team': {
    breaks: 'access.sameAddressInTwoTeams',
    lie: (teams) => ({
      [resolve]: (original) => (given) => {
        const { email } = given.body as Fields
        const owner = byToken(given)
          ? teams.find((team) => team.find('contact', (one) => one.email === email))
          : undefined
        return original(owner ? { ...given, team: owner } : given)
      },
    }),
  },
  'a token names records of another team in a deal': {
    breaks: 'access.referencesStayInTheTeam',
    knobs: { references: 404 },
    lie: (teams) => {
      const { 'POST /api/deals/create': takesForeign } = takingForeignReferences('POST /api/deals/create')(teams)
      return {
        'POST /api/deals/create': (original) => (given) =>
          byToken(given) && takesForeign ? takesForeign(original)(given) : original(given),
      }
    },
  },
  'a token sends chat into conversations of another team': {
    breaks: 'access.sendsStayInTheTeam',
    lie: crossing(sends.chat, byToken),
  },
  'an update of a quote clears its template': {
    breaks: 'quote.updateShowsTheChange',
    lie: () => ({
      [updates.quote]: (original) => (given) => {
        const reply = original(given)
        const [id = ''] = given.path
        const quote = given.team.shelf('quote').get(id)
        if (!quote || Object.keys(given.body as Fields).length === 0) return reply
        const { template, ...others } = quote
        given.team.shelf('quote').put(others)
        return reply
      },
    }),
  },
}

function inOneLine(route: string): Lie {
  return misread(
    [route],
    inTexts(['content'], (text) => text.replaceAll('\n', ' ')),
  )
}

function withoutObjects(fields: unknown): Fields {
  const isPlain = (value: unknown) => typeof value !== 'object' || Array.isArray(value)
  return Object.fromEntries(Object.entries(fields as Fields).filter(([, value]) => isPlain(value)))
}

import type { Operation } from '../replies.ts'
import type { Given } from '../replies.ts'
import type { Fields } from '../team.ts'
import {
  asciiOnly,
  type Attacker,
  byToken,
  crossing,
  deletes,
  inTexts,
  type Liar,
  misread,
  pagination,
  rewrite,
  second,
  sends,
  takingForeignReferences,
  updates,
} from './lying.ts'
import type { Lie } from '../server.ts'

const kinds = ['contact', 'template', 'company', 'product', 'deal', 'quote'] as const
const callers = { 'the second team': second, 'a token': byToken } as const

/** Answers as if it had done something for this caller. */
const ignoring =
  (route: string, isIgnored: Attacker): Lie =>
  () => ({
    [route]: (original) => (given) => (isIgnored(given) ? undo(original, given) : original(given)),
  })

function undo(original: Operation, given: Given) {
  const shelves = (
    ['contact', 'conversation', 'message', 'template', 'company', 'product', 'deal', 'quote'] as const
  ).map((kind) => [given.team.shelf(kind), given.team.shelf(kind).all()] as const)
  const reply = original(given)
  for (const [shelf, all] of shelves) {
    for (const { _id } of shelf.all()) if (!all.some((one) => one._id === _id)) shelf.remove(_id)
    for (const one of all) shelf.put(one)
  }
  return reply
}

const perCaller = (liarFor: (who: string, isMeant: Attacker) => Record<string, Liar>) =>
  Object.fromEntries(Object.entries(callers).flatMap(([who, isMeant]) => Object.entries(liarFor(who, isMeant))))

const texts = ['name', 'firstName', 'lastName', 'content']

/** Lies to some callers only, and about some texts and recipients only. */
export const aboutCallers: Readonly<Record<string, Liar>> = {
  ...perCaller((who, isMeant) =>
    Object.fromEntries(
      kinds.flatMap((kind) => [
        [
          `updates of a ${kind} by ${who} are lost`,
          {
            breaks:
              kind === 'template' ? ('template.updateIsKept' as const) : (`${kind}.updateShowsTheChange` as const),
            lie: ignoring(updates[kind], isMeant),
          },
        ],
        [
          `deletes of a ${kind} by ${who} do nothing`,
          { breaks: `${kind}.deletedIsGone` as const, lie: ignoring(deletes[kind], isMeant) },
        ],
      ]),
    ),
  ),
  ...perCaller((who, isMeant) => ({
    [`chat messages of ${who} are lost`]: {
      breaks: 'message.historyHoldsEverySend',
      lie: ignoring(sends.chat, isMeant),
    },
  })),
  ...Object.fromEntries(
    (
      [
        ['an update of a contact', updates.contact, 'contact.updateShowsTheChange'],
        ['an upsert', 'POST /api/contacts/createOrUpdateContact', 'contact.upsertShowsWhatWasGiven'],
        ['an update of a template', updates.template, 'template.updateIsKept'],
        ['a create of a template', 'POST /api/templates', 'template.updateIsKept'],
        ['an update of a company', updates.company, 'company.updateShowsTheChange'],
        ['a bulk send', 'POST /api/messages/sendBulkNewMessages', 'message.bulkReachesEveryone'],
      ] as const
    ).map(([what, route, breaks]) => [
      `${what} loses text beyond ASCII`,
      { breaks, lie: misread([route], inTexts(texts, asciiOnly)) } satisfies Liar,
    ]),
  ),
  'a bulk send stops after ten': {
    breaks: 'message.bulkReachesEveryone',
    lie: misread(['POST /api/messages/sendBulkNewMessages'], (body) => ({
      ...body,
      to: String(body.to).split(',').slice(0, 10).join(','),
    })),
  },
  'SMS in bulk reach the first only': {
    breaks: 'message.bulkReachesEveryone',
    lie: misread(['POST /api/messages/sendBulkNewMessages'], (body) =>
      body.channel === 'sms' ? { ...body, to: String(body.to).split(',')[0] } : body,
    ),
  },
  'bulk e-mails get another subject': {
    breaks: 'message.bulkReachesEveryone',
    lie: misread(
      ['POST /api/messages/sendBulkNewMessages'],
      inTexts(['subject'], () => 'News'),
    ),
  },
  'a delete of a contact takes every deal': {
    breaks: 'contact.deleteSparesOthers',
    lie: takingAll(deletes.contact, 'deal'),
  },
  'a delete of a deal takes every quote': { breaks: 'deal.deletedIsGone', lie: takingAll(deletes.deal, 'quote') },
  'the total of a filtered history counts all messages': {
    breaks: 'message.historyTotal',
    lie: rewrite('GET /api/messages/:id', (reply, { team, path, query }) =>
      query.get('channel') === null
        ? reply
        : pagination(reply, (counts) => ({
            ...counts,
            total: team
              .shelf('message')
              .all()
              .filter(({ conversationId }) => conversationId === path[0]).length,
          })),
    ),
  },
  'an update of a deal takes references to the other team': {
    breaks: 'access.referencesStayInTheTeam',
    knobs: { references: 404 },
    lie: takingForeignReferences(updates.deal),
  },
  'an update of a company takes contacts of the other team': {
    breaks: 'access.referencesStayInTheTeam',
    knobs: { references: 404 },
    lie: takingForeignReferences(updates.company),
  },
  'a recipientId may be of the other team': {
    breaks: 'access.sendsStayInTheTeam',
    lie: (teams) => {
      const letIn = crossing(sends.chat, ({ body }) => (body as Fields).recipientId !== undefined)
      return letIn(teams)
    },
  },
}

function takingAll(route: string, kind: 'deal' | 'quote'): Lie {
  return () => ({
    [route]: (original) => (given) => {
      const reply = original(given)
      for (const { _id } of given.team.shelf(kind).all()) given.team.remove(kind, _id)
      return reply
    },
  })
}

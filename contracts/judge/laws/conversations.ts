import { fieldsOf, idOf } from '../../client/answer.ts'
import { resolutions, singleSends } from '../../../spec/operation-groups.ts'
import { contactMeant, leads } from './contacts.ts'
import { type Law, listOf, state, type Statement } from './law.ts'
import { isNone, isSame } from './same-value.ts'

// A contact has one conversation, and a conversation shows its contact.

const showing = [...resolutions, 'getConversation', 'listConversationsOfContact'] as const

const shownIn = (data: unknown) =>
  [data].flat().map((one) => {
    const { contactId } = fieldsOf(one)
    return { id: idOf(one), contactId: idOf(contactId) ?? contactId, contact: fieldsOf(contactId) }
  })

const oneEachContact: Law = {
  promises: ['conversation.oneEachContact', 'conversation.contactIsTheOneMeant'],
  needsAll: true,
  operations: [...showing, ...singleSends],
  judge: ({ request: { operation }, answer, repeatsKey }, facts) => {
    const { data } = answer.fields
    const isSend = singleSends.some((one) => one === operation)
    const { conversationId, contactId } = fieldsOf(data)
    const pairs = isSend ? [{ id: conversationId, contactId }] : shownIn(data)
    return pairs.flatMap(({ id, contactId: of }): Statement[] => {
      if (typeof id !== 'string' || typeof of !== 'string' || repeatsKey) return []
      const known = facts.conversationOf(of)
      const contact = isSend ? undefined : facts.contactOf(id)
      if (!known)
        return contact === undefined
          ? []
          : [state('conversation.contactIsTheOneMeant', contact === of, `the contact ${contact}`, of)]
      return [
        state('conversation.oneEachContact', known.id === id, `the conversation ${known.id}`, id, {
          since: known.since,
        }),
      ]
    })
  },
}

/** The answer has the ids of the request. */
const isTheOneAsked: Law = {
  promises: ['conversation.idOpensIt', 'conversation.contactIsTheOneMeant', 'conversation.listIsOfOneContact'],
  operations: showing,
  judge: ({ request: { operation, path, body }, answer, repeatsKey }) => {
    if (repeatsKey) return []
    const [first, ...others] = shownIn(answer.fields.data)
    if (operation === 'getConversation' && typeof first?.id === 'string')
      return [state('conversation.idOpensIt', first.id === path.conversationId, path.conversationId, first.id)]
    const named = operation === 'createConversation' ? fieldsOf(body).contactId : path.contactId
    if (typeof named !== 'string') return []
    const promise =
      operation === 'createConversation' ? 'conversation.contactIsTheOneMeant' : 'conversation.listIsOfOneContact'
    return [first, ...others].flatMap((one) =>
      typeof one?.contactId === 'string' ? [state(promise, one.contactId === named, named, one.contactId)] : [],
    )
  },
}

const contactIsTheOneMeant: Law = {
  promises: ['conversation.contactIsTheOneMeant'],
  needsAll: true,
  operations: showing,
  judge: ({ open, request, answer, repeatsKey }, facts) => {
    if (repeatsKey) return []
    return shownIn(answer.fields.data).flatMap(({ contactId, contact }) => {
      const known = facts.record('contact', contactId)
      if (!facts.isSettled(known, open) || known.deletedBy !== undefined) return []
      return (
        [
          ['email', 'email'],
          ['phone', 'phoneNumber'],
        ] as const
      ).flatMap(([field, shownAs]): Statement[] => {
        const fact = known.fields.get(field)
        const shown = contact[shownAs]
        if (!fact) return []
        const holds = isSame(field, fact.value, shown)
        const wasTrue = isNone(shown)
          ? fact.since !== known.madeBy
          : (known.earlier.get(field) ?? []).some((value) => isSame(field, value, shown))
        return [
          state('conversation.contactIsTheOneMeant', holds, fact.value, shown, {
            field: shownAs,
            since: fact.since,
            mayLag: !holds && wasTrue && request.method === 'GET',
          }),
        ]
      })
    })
  },
}

/** The list of a contact contains its one conversation, until the contact is deleted. */
const listHoldsIt: Law = {
  promises: ['conversation.listHoldsTheConversation', 'conversation.oneEachContact'],
  needsAll: true,
  operations: ['listConversationsOfContact'],
  judge: ({ open, request: { path, caller }, answer, began }, facts) => {
    const contactId = String(path.contactId)
    const known = facts.conversationOf(contactId)
    const contact = facts.record('contact', contactId)
    const ids = listOf(answer.fields.data).map(idOf)
    if (!known || known.since > began || !facts.isSettled(contact, open) || contact.caller !== caller) return []
    if (contact.deletedBy !== undefined) return []
    const [holds, isOne] = [ids.includes(known.id), ids.length <= 1]
    return [
      state('conversation.listHoldsTheConversation', holds, `the conversation ${known.id}`, `${ids.length} others`, {
        since: known.since,
        mayLag: !holds,
      }),
      state('conversation.oneEachContact', isOne, 'one conversation', `a list of ${ids.length}`),
    ]
  },
}

/** Messages in the most likely languages of a service. */
const saysItExists =
  /exist|esist|already|found|before|earlier|previous|\bha[sd]\b|bereits|schon|vorhanden|déjà|\bya\b|já|già/i
const saysOtherwise = /\b(ok|okay|done|success\w*|created|new|added|started)\b/i

/** `undefined` for a message in words that are not known. */
const saysItExisted = (message: string) =>
  saysItExists.test(message) || (saysOtherwise.test(message) ? false : undefined)

const isCreatedOnce: Law = {
  promises: ['conversation.createAgainAnswers200', 'conversation.createAgainSaysSo'],
  needsAll: true,
  operations: ['createConversation'],
  judge: ({ request: { body }, answer, began, repeatsKey }, facts) => {
    const { contactId } = fieldsOf(body)
    const known = typeof contactId === 'string' ? facts.conversationOf(contactId) : undefined
    if (repeatsKey || !known || known.since > began) return []
    const { status, message } = answer
    const { since } = known
    const says = saysItExisted(message)
    return [
      state('conversation.createAgainAnswers200', status === 200, '200', String(status), { since }),
      ...(status === 200 && says !== undefined
        ? [state('conversation.createAgainSaysSo', says, 'a message that it already exists', message, { since })]
        : []),
    ]
  },
}

/** The addresses of a request lead to the contact that has them. */
const addressLeads: Law = {
  promises: [
    'conversation.findAgainIsTheSame',
    'conversation.emailFindsTheContact',
    'conversation.phoneFindsTheContact',
    'conversation.missingContactIsMade',
  ],
  needsAll: true,
  operations: ['findOrCreateConversation', 'createContactWithConversation'],
  judge: ({ open, request, answer, began, repeatsKey }, facts) => {
    const [shown] = shownIn(answer.fields.data)
    const { email, phone } = fieldsOf(request.body)
    if (repeatsKey || request.complaint || typeof shown?.contactId !== 'string') return []
    const isFind = request.operation === 'findOrCreateConversation'
    // Whether one of two addresses is enough, a server may decide.
    const known = contactMeant(facts, open)
    if (known && (known.madeBy ?? began) < began) {
      const promise = isFind
        ? 'conversation.findAgainIsTheSame'
        : email !== undefined
          ? 'conversation.emailFindsTheContact'
          : 'conversation.phoneFindsTheContact'
      return [leads(promise, known, shown.contactId)]
    }
    const given = [email, phone].filter((address) => address !== undefined).map(String)
    const isNew = given.length > 0 && given.every((address) => facts.contactsAt(request.caller, address)?.length === 0)
    const found = facts.record('contact', shown.contactId)
    if (!isNew || found?.deletedBy !== undefined) return []
    return [
      state(
        'conversation.missingContactIsMade',
        found === undefined,
        'a new contact',
        `the contact ${shown.contactId}`,
        { since: found?.madeBy },
      ),
    ]
  },
}

export const conversations: readonly Law[] = [
  oneEachContact,
  isTheOneAsked,
  contactIsTheOneMeant,
  listHoldsIt,
  isCreatedOnce,
  addressLeads,
]

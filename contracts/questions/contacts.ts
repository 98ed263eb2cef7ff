import { contactStatuses, isEmailAddress, isPhoneNumber, lifecycleStages } from '../../spec/forms.ts'
import { contactWrites } from '../../spec/operation-groups.ts'
import { capitalize } from '../../lib/text.ts'
import type { contacts } from '../../spec/assumptions/contacts.ts'
import { byRefusal, byStatus, byValue, describe, Other, requireUnchanged, requireThat } from './finding.ts'
import {
  byOddFields,
  checkedOrAny,
  insteadOf,
  outside,
  refusedOrAccepted,
  unless,
  valueOfAnother,
} from './odd-requests.ts'
import { type ProbeContext, tryEach, unknownId } from './probe.ts'
import { createdWithout, isText, on, onSuccess, type Questions, sameInAll } from './question.ts'

export const contactQuestions: Questions<typeof contacts> = {
  contactMatching: async ({ call, make, mint }) => {
    const addresses = { email: mint.email(), phone: mint.phone() }
    const one = await make.contact({ email: addresses.email })
    const other = await make.contact({ phone: addresses.phone })
    const answer = await call('findOrCreateConversation', { body: addresses })
    if (!answer.succeeded) return byStatus(answer, { 400: 'refuse' })
    return byRecord(answer.data.contactId._id, { emailThenPhone: one._id, phoneThenEmail: other._id })
  },

  upsertMatching: async ({ ask, call, make, some, mint }) => {
    const addresses = { email: mint.email(), phone: mint.phone() }
    const contact = await make.contact(addresses)
    const answer = await call('createOrUpdateContact', { body: some.upsert({ ...addresses, phone: mint.phone() }) })
    if (answer.succeeded) return answer.data._id === contact._id ? 'either' : 'both'
    await ask('createOrUpdateContact', { body: some.upsert(addresses) })
    // With the address of another contact no second one can be made.
    const taken = await call('createContact', { body: some.contact({ email: addresses.email }) })
    requireThat(taken.status === 400, `the upsert is refused: ${answer.summary}`)
    return 'both'
  },

  severalMatches: async ({ call, make }, context) => {
    const address = await tryEach<Twins>(
      async () => {
        const email = context.mint.email()
        const oldest = await make.contact({ email })
        const twin = await call('createContact', { body: context.some.contact({ email }) })
        requireThat(twin.succeeded, `no two contacts can have one address (sameAddressTwice): ${twin.summary}`)
        return { body: { email }, oldest, newest: twin.data }
      },
      () => fillInTaken(context),
    )
    const { oldest, newest, body } = address
    // Now the newest contact is not the last changed one.
    await context.ask('updateContact', { path: { contactId: oldest._id }, body: { firstName: 'Augusta' } })
    const answer = await call('findOrCreateConversation', { body })
    if (!answer.succeeded) return byStatus(answer, { 400: 'refused' })
    return byRecord(answer.data.contactId._id, { oldest: oldest._id, newest: newest._id })
  },

  // A delete compares the address as it was sent, also where the server stores addresses in lower case.
  addressCompare: async ({ ask, call, make, readRecord, mint }) => {
    const email = mint.email()
    const contact = await make.contact({ email })
    await call('deleteContactsByEmail', { query: { email: email.toUpperCase() } })
    if ((await readRecord('contact', contact)) === undefined) return 'ignoringCase'
    await ask('deleteContactsByEmail', { query: { email } })
    requireThat((await readRecord('contact', contact)) === undefined, 'a delete by e-mail does not delete')
    return 'exact'
  },

  phoneCompare: async ({ call, some, mint, ask }) => {
    const phone = mint.phone()
    const spaced = phone.replace(/^(\+\d{4})/, '$1 ')
    const made = await call('createContact', { body: some.contact({ phone: spaced }) })
    requireThat(made.succeeded, `a phone number with a space is refused (contactPhoneForm): ${made.summary}`)
    requireThat(made.data.phone === spaced, `a phone number with a space is stored as ${describe(made.data.phone)}`)
    const { data } = await ask('findOrCreateConversation', { body: { phone } })
    return data.contactId._id === made.data._id ? 'ignoringPunctuation' : 'exact'
  },

  emailStored: {
    ask: ({ make, mint }) => make.contact({ email: capitalize(mint.email()) }),
    read: onSuccess(contactWrites, ({ sent: { email }, data }) => {
      const hasCapitals = isText(email) && /^[^@]*[A-Z]/.test(email)
      return hasCapitals && byValue('the address', data.email, { asSent: email, lowerCase: email.toLowerCase() })
    }),
  },

  contactEmailForm: checkedOrAny('contact', { email: ({ mint }) => mint.slug('address') }, unless(isEmailAddress)),

  contactPhoneForm: checkedOrAny('contact', { phone: ({ mint }) => mint.name('no number') }, unless(isPhoneNumber)),

  sameAddressTwice: refusedOrAccepted(...valueOfAnother('contact', 'email')),

  newContactStatus: {
    ask: ({ make }) => make.contact({ status: undefined }),
    read: createdWithout(['status'], ([status]) => byValue('the status', status, { open: 'open', absent: null })),
  },

  unchangedUpdate: async ({ ask, make, timeUntil }) => {
    const { _id: contactId, firstName, updatedAt } = await make.contact()
    const update = () => ask('updateContact', { path: { contactId }, body: { firstName } })
    const delay = await timeUntil(async () => (await update()).data.updatedAt !== updatedAt)
    return delay === undefined ? 'stays' : 'moves'
  },

  statusMoves: sameInAll({
    contacts: async ({ ask, call, make }) => {
      const refused: string[] = []
      for (const [from, to] of statusMoves) {
        const { _id: contactId, status } = await make.contact({ status: from })
        requireThat(status === from, `a contact cannot be made ${from}: it is ${describe(status)}`)
        await ask('updateContact', { path: { contactId }, body: { firstName: 'Augusta' } })
        const answer = await call('updateContact', { path: { contactId }, body: { status: to } })
        if (answer.succeeded) requireUnchanged('the status', answer.data.status, to)
        if (byRefusal(answer, true, false)) refused.push(`${from} to ${to}`)
      }
      const back = statusMoves.slice(3).map(([from, to]) => `${from} to ${to}`)
      if (refused.length === 0) return 'any'
      if (refused.join() === back.join()) return 'forwardOnly'
      throw new Other(`a status cannot go from ${refused.join(', nor from ')}`)
    },
    quotes: async ({ ask, call, make }) => {
      const path = { quoteId: (await make.quote())._id }
      for (const status of ['sent', 'accepted'] as const) await ask('updateQuote', { path, body: { status } })
      return byRefusal(await call('updateQuote', { path, body: { status: 'draft' } }), 'forwardOnly', 'any')
    },
  }),

  otherLifecycleStage: refusedOrAccepted(
    'contact',
    { lifecycleStage: insteadOf('Customer', 'Pigeon fancier') },
    outside(lifecycleStages),
  ),

  upsertStatus: byOddFields(
    'upsert',
    ['sameEnum', 'anyString'],
    { status: insteadOf('open', 'pigeon') },
    outside(contactStatuses),
  ),

  upsertUnsentFields: async ({ ask, make, some, mint }) => {
    const addresses = { email: mint.email(), phone: mint.phone() }
    const contact = await make.contact(addresses)
    requireThat(contact.source !== undefined, 'a contact does not show its source')
    const { source: _, ...body } = some.upsert(addresses)
    const { data } = await ask('createOrUpdateContact', { body })
    requireThat(data._id === contact._id, 'the contact is not found by its addresses')
    return byValue('the source', data.source, { kept: contact.source, cleared: undefined })
  },

  fieldsNotGiven: {
    ask: ({ make }) => make.contact({ groupIds: undefined, additionalFields: undefined }),
    read: createdWithout(['groupIds', 'additionalFields'], (shown) =>
      byValue('the groups and custom fields', shown, { empty: [[], {}], absent: [null, null] }),
    ),
  },

  contactReferences: sameInAll({
    'the company of a contact': async ({ ask, call, make }, context) => {
      const { _id: contactId } = await make.contact()
      const { _id: company } = await make.company()
      await ask('updateContact', { path: { contactId }, body: { company } })
      const unknown = await unknownId(context, 'company')
      const answer = await call('updateContact', { path: { contactId }, body: { company: unknown } })
      if (answer.succeeded) requireUnchanged('the company', answer.data.company, unknown)
      return byRefusal(answer, 'refused', 'accepted')
    },
    'the group of a contact': refusedOrAccepted('contact', {
      groupIds: async (context) => [await unknownId(context, 'company')],
    }),
    'a contact of a company': refusedOrAccepted('company', {
      contacts: insteadOf(
        async ({ make }) => [(await make.contact())._id],
        async (context) => [await unknownId(context, 'contact')],
      ),
    }),
  }),

  noContactWithEmail: {
    probe: async ({ call, mint }) =>
      byStatus(await call('deleteContactsByEmail', { query: { email: mint.email() } }), {
        404: 'notFound',
        ok: 'countsZero',
      }),
    read: on(['deleteContactsByEmail'], ({ answer }) => answer.status === 404 && 'notFound'),
  },

  deletedWithContact: async ({ ask, call, make, readAnswer }) => {
    const { _id: conversationId, contactId: person } = await make.conversation()
    const contactId = person._id
    const deal = await make.deal({ contactId })
    await ask('deleteContact', { path: { contactId } })
    const conversation = await call('getConversation', { path: { conversationId } })
    if (byStatus(conversation, { ok: true, 404: false })) throw new Other('the conversation stays')
    const { status } = await readAnswer('deal', deal)
    if (status === 404) return 'alsoDealsAndQuotes'
    requireThat(status === 200, `the deal gets ${status}`)
    requireThat((await readAnswer('contact', { _id: contactId })).status === 404, 'the contact is still there')
    return 'conversationAndMessages'
  },

  referencesAfterDelete: async ({ ask, make, readRecord }) => {
    const contact = await make.contact()
    const { _id: company } = await make.company()
    const updated = await ask('updateContact', { path: { contactId: contact._id }, body: { company } })
    requireThat(updated.data.company === company, 'a contact does not show its company')
    await ask('deleteCompany', { path: { companyId: company } })
    return byValue('the company', (await readRecord('contact', contact))?.company, {
      kept: company,
      cleared: undefined,
    })
  },
}

/** The first three go forward, the others back. */
const statusMoves = [
  ['open', 'in-progress'],
  ['open', 'closed'],
  ['in-progress', 'closed'],
  ['in-progress', 'open'],
  ['closed', 'open'],
  ['closed', 'in-progress'],
] as const

/** Returns the choice with the id of the used record. */
function byRecord<Choice extends string>(used: string, ids: Readonly<Record<Choice, string>>): Choice {
  for (const choice of Object.keys(ids) as Choice[]) if (ids[choice] === used) return choice
  throw new Other('neither of the two contacts is used, but another one')
}

/** Two contacts with one address, and that address. */
interface Twins {
  readonly oldest: { readonly _id: string }
  readonly newest: { readonly _id: string }
  readonly body: { readonly email: string } | { readonly phone: string }
}

/** Gives two contacts one address on a server that refuses it: a resolution fills in a missing address. */
async function fillInTaken({ call, make, readRecord, mint }: ProbeContext): Promise<Twins> {
  const [email, phone] = [mint.email(), mint.phone()]
  const oldest = await make.contact({ email, phone: undefined })
  const newest = await make.contact({ email: undefined, phone })
  await call('findOrCreateConversation', { body: { email, phone } })
  const [one, other] = [await readRecord('contact', oldest), await readRecord('contact', newest)]
  const body = one?.phone === phone ? { phone } : other?.email === email ? { email } : undefined
  requireThat(body !== undefined, 'an address is not filled in either (addressFilledIn, contactMatching)')
  return { body, oldest, newest }
}

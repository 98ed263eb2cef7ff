import fc from 'fast-check'
import { type Act, type ActAndRead, type Scene, Story } from './story.ts'
import * as contacts from './contacts.ts'
import {
  listMessages,
  listPage,
  readHistory,
  reply,
  send,
  sendInto,
  sendTemplate,
  sendText,
  sendToRecipient,
  sendToThree,
  sendToTwo,
} from './messages.ts'
import { change, create, only, remove, view } from './records.ts'
import * as templates from './templates.ts'
import { plain, type Twist, withKey } from './twists.ts'
import type { RecordKind } from '../model.ts'

type Part = Act | fc.Arbitrary<Act> | fc.Arbitrary<ActAndRead>

/** Sends the first request of the story again. */
const repeatOpening: Act = (scene) => scene.repeat(Infinity)
const repeat =
  (back: number): Act =>
  (scene: Scene) =>
    scene.repeat(back)

const as = (twist: Twist, act: Act | fc.Arbitrary<Act>): fc.Arbitrary<ActAndRead> =>
  (typeof act === 'function' ? fc.constant(act) : act).map((one) => [one, twist, null])

const byOtherTeam: Twist = ({ input, model }) =>
  model.target.credentials.otherTeam
    ? { input: { ...input, caller: 'otherTeam' }, isGood: false }
    : { input, isGood: true }

type Script = (oneIn: number, at: number) => fc.Arbitrary<Story>

/** A story in a fixed order, of which each part may be left out. */
const script =
  (opening: fc.Arbitrary<Act>, ...parts: readonly Part[]): Script =>
  (oneIn, at) =>
    fc
      .tuple(
        opening,
        fc.tuple(
          ...parts.map((part) => {
            const one = typeof part === 'function' ? fc.constant(part) : (part as fc.Arbitrary<Act | ActAndRead>)
            return fc.option(
              one.map((act): ActAndRead => (typeof act === 'function' ? [act, plain, null] : act)),
              { freq: 12 },
            )
          }),
        ),
      )
      .map(([first, following]) => {
        const acts = following.filter((one) => one !== null)
        return new Story({ kind: `script ${at}`, oneIn }, first, acts)
      })

const { absent, converse, createContact, find, listConversations, newEmail, newPhone, ownEmail, ownPhone } = contacts
const { readContact, readConversation, update, upsert } = contacts
const everywhere = [readConversation, listConversations, readHistory, readContact]
const findNew = find(fc.constant([newEmail, newPhone] as const))
const findOwn = find(fc.constant([ownEmail, absent] as const))
const findByPhone = find(fc.constant([absent, ownPhone] as const))

const lifeOf = (kind: RecordKind) =>
  script(
    create(kind),
    ...[change(kind), change(kind), change(kind), change(kind), change(kind)],
    ...[remove(kind), view(kind), remove(kind)],
  )

const toStatus = (status: string) => change('quote', fc.constant([['status', status]] as const))
const quoteWith = (name: string) => change('quote', only('quote', name))
const dealWith = (name: string) => change('deal', only('deal', name))
const [rename, stage] = [dealWith('name'), dealWith('stage')]
const arriveAgain = contacts.arrive(fc.constant(ownEmail))

const keyed = (kind: RecordKind) =>
  script(
    create(kind),
    ...[as(withKey, create(kind)), repeat(0), as(withKey, change(kind)), change(kind), repeat(1)],
    ...[view(kind), as(withKey, remove(kind)), repeat(0), view(kind)],
  )

const kinds = ['company', 'product', 'deal', 'quote'] as const

export const scripts: readonly Script[] = [
  ...kinds.map(lifeOf),
  ...kinds.slice(0, 2).map(keyed),
  // A deal and its quotes.
  script(
    create('deal'),
    ...[create('quote'), change('quote'), rename, create('quote'), toStatus('published'), change('quote')],
    ...[quoteWith('expirationDate'), quoteWith('acceptOnlinePayment'), toStatus('accepted'), view('deal')],
    ...[change('quote'), stage, stage, stage, dealWith('amount'), dealWith('amount'), remove('deal'), view('quote')],
  ),
  // Records that refer to each other.
  script(
    create('company'),
    ...[createContact, create('deal'), create('deal'), change('company'), view('deal'), contacts.remove, view('deal')],
    ...[remove('company'), view('deal')],
  ),
  // The life of a contact.
  script(
    createContact,
    ...[
      converse,
      update,
      update,
      send('sendLiveMessage'),
      upsert,
      update,
      readContact,
      contacts.updateOnly('groupIds'),
    ],
    ...[contacts.updateOnly('status'), update, contacts.updateOnly('groupIds'), update, contacts.remove],
    ...[...everywhere, converse, contacts.remove, upsert],
  ),
  // The addresses of a contact: former, present and free again.
  script(
    createContact,
    ...[findOwn, contacts.updateOnly('email'), upsert, contacts.updateOnly('phone'), findByPhone, arriveAgain],
    ...[readContact, fc.constantFrom(contacts.remove, contacts.removeByEmail), readConversation, findOwn, upsert],
  ),
  // Several contacts with one address.
  script(
    createContact,
    ...[contacts.createNamesake, converse, contacts.createNamesake, findOwn, upsert, contacts.removeByEmail],
    ...[readContact, readConversation, contacts.removeByEmail],
  ),
  // A contact that is created with its conversation.
  script(
    contacts.arrive(fc.constant(newEmail)),
    ...[readContact, readConversation, findOwn, converse, contacts.remove, findOwn, readConversation],
  ),
  // More messages than a page holds.
  script(
    findNew,
    ...[sendInto, sendInto, sendText, sendInto, sendInto, sendInto, readHistory, listPage({ page: 2, limit: 2 })],
    ...[listPage({ page: 2, limit: 3 }), listMessages, listPage({ page: 1, limit: 10, channel: 'sms' }), listMessages],
  ),
  script(
    findNew,
    ...[sendInto, sendText, readHistory, update, sendInto, sendInto, readConversation, listMessages, listMessages],
    ...[listPage({ page: 1, limit: 10, channel: 'sms' }), contacts.remove, readHistory],
  ),
  // E-mails to several contacts, and answers; each way to name a receiver.
  script(createContact, createContact, sendToTwo, reply, reply, readHistory, listConversations),
  script(createContact, ...[send('sendMessage'), sendToRecipient, send('sendLiveMessage'), send('sendEmailMessage')]),
  script(createContact, ...[sendToThree, sendToThree, sendToThree]),
  // More templates than a page holds.
  script(
    templates.createMany,
    ...[templates.listAll, templates.listPage(1, 3), templates.listPage(2, 3), templates.list, templates.list],
    ...[templates.remove, templates.listAll, templates.list],
  ),
  script(
    templates.create,
    ...[templates.read, templates.change, templates.read, templates.listAll, templates.change, sendTemplate],
    ...[templates.read, templates.remove, templates.read, templates.list, repeatOpening],
  ),
  script(templates.create, sendTemplate, templates.change, templates.read, templates.remove, repeatOpening),
  // Requests of another team.
  script(
    createContact,
    ...[converse, templates.create, create('company')],
    ...[readConversation, readContact, templates.read, listConversations, readHistory, view('company')].map((act) =>
      as(byOtherTeam, act),
    ),
    ...[readContact, view('company')],
  ),
]

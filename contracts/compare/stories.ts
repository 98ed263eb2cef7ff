import fc from 'fast-check'
import { NotAllowed } from '../client/errors.ts'
import { capitalize } from '../../lib/text.ts'
import { sendsByPhone, singleSends } from '../../spec/operation-groups.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Model, Real } from './model.ts'
import { type Act, as, repeat, request } from './requests.ts'
import { by, type Twist, twist, withKey } from './twists.ts'
import { absent, newEmail, newPhone, own, ownEmail, ownPhone, unknownId, type Value, type Values } from './values.ts'

/** A model command: creates a record, and sends further requests about it. */
class Story implements fc.AsyncCommand<Model, Real> {
  readonly #script: Script
  readonly #acts: readonly (Act | null)[]

  constructor(script: Script, acts: readonly (Act | null)[]) {
    this.#script = script
    this.#acts = acts
  }

  check(model: Readonly<Model>): boolean {
    return model.mayBegin(this.#script, scripts.length)
  }

  async run(model: Model, real: Real): Promise<void> {
    model.begin(this.#script)
    for (const act of this.#acts) {
      try {
        await act?.(model, (operation, input) => model.send(real, operation, input))
      } catch (error) {
        if (!(error instanceof NotAllowed)) throw error
      }
    }
  }
}

/** The requests that create the records of a story, and those that may follow. */
type Script = readonly [opening: fc.Arbitrary<Act>, ...parts: readonly fc.Arbitrary<Act>[]]

type RecordKind = 'company' | 'product' | 'deal' | 'quote'

const ofKind = (verb: 'create' | 'update' | 'delete', kind: string) => `${verb}${capitalize(kind)}` as OperationId
const create = (kind: RecordKind) => request(ofKind('create', kind))
const change = (kind: RecordKind, ...only: readonly string[]) =>
  request(ofKind('update', kind), only.length === 0 ? {} : { only })
/** An update without fields, since no operation reads these records. */
const view = (kind: RecordKind | 'contact') => request(ofKind('update', kind), { only: [] })
const remove = (kind: string) => request(ofKind('delete', kind))
const toStatus = (status: string) => request('updateQuote', { only: [], fixed: fc.constant({ status: () => status }) })

const withTwist = (twist: Twist, act: fc.Arbitrary<Act>) => act.map((one) => as(twist, one))
const keyed = (act: fc.Arbitrary<Act>) => withTwist(withKey, act)
const again = (back: number) => fc.constant(repeat(back))

const fixed = (...values: readonly Values[]) => ({ fixed: fc.constantFrom(...values) })
const newPerson = [{ email: newEmail, phone: newPhone }, { email: newEmail }, { phone: newPhone }]
const ownPerson = [
  { email: ownEmail, phone: absent },
  { email: ownEmail, phone: ownPhone },
  { email: absent, phone: ownPhone },
]

const createContact = request('createContact')
const createNamesake = request('createContact', fixed({ email: ownEmail }))
const changeOnly = (name: string) => request('updateContact', { only: [name] })
const changeContact = request('updateContact')
const upsert = request(
  'createOrUpdateContact',
  fixed(...ownPerson, { email: ownEmail, phone: newPhone }, { email: newEmail, phone: newPhone }),
)
const arrive = (email: Value) => request('createContactWithConversation', fixed({ email }))
const findNew = request('findOrCreateConversation', fixed(...newPerson))
const findOwn = request('findOrCreateConversation', fixed(...ownPerson))
/** The contact of an address that a bulk send has reached. */
const findReached = request(
  'findOrCreateConversation',
  fixed({ email: ({ own }) => own.email, phone: ({ own }) => own.phone }),
)
const converse = request('createConversation', fixed({ contactId: own('contact') }))
const removeByEmail = request('deleteContactsByEmail', fixed({ email: ownEmail }))
const readContact = view('contact')
const readConversation = request('getConversation')
const listConversations = request('listConversationsOfContact')
const everywhere = [readConversation, listConversations, readContact]

/** A page, most often the first; small pages so that few records fill them. */
const pages = fc.record({
  page: fc.constantFrom(1, 1, 1, 2, 2, 3, 4),
  limit: fc.constantFrom(1, 2, 3, 3, 100),
})

const toValues = (fields: object): Values =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, () => value as unknown]))

const pageOfHistory = (query: fc.Arbitrary<object>) => request('listMessages', { fixed: query.map(toValues) })
const readHistory = pageOfHistory(fc.constant({ page: 1, limit: 100 }))
const readText = pageOfHistory(fc.constant({ page: 1, limit: 10, channel: 'sms' }))
const secondPage = pageOfHistory(fc.record({ page: fc.constant(2), limit: fc.constantFrom(2, 3) }))
const anyPage = pageOfHistory(
  fc
    .tuple(fc.option(pages, { freq: 8 }), fc.option(fc.constantFrom('chat', 'email', 'sms', 'whatsapp'), { freq: 1 }))
    .map(([page, channel]) => ({ ...page, ...(channel && { channel }) })),
)

const [conversationId, contactId] = [own('conversation'), own('contact')]
const ownRecipient: Value = (model) => [model.id('contact')]

/** The ways to name the receiver of a message, the usual one first. */
const byPhone: readonly Values[] = [
  { conversationId },
  { contactId },
  { recipientId: contactId },
  { to: ownPhone },
  { to: newPhone },
  { conversationId: unknownId },
  { contactId: unknownId },
  { contactId, to: newPhone },
  {},
]

const byEmail: readonly Values[] = [
  { conversationId, recipientIds: ownRecipient },
  { recipientIds: ownRecipient },
  { conversationId },
  { recipientIds: (model) => [model.id('contact'), model.idBefore('contact', 3)] },
  { recipientIds: (model) => [model.id('contact'), model.mint.unknownId()] },
  { to: ownEmail },
  { to: newEmail },
]

/** Sends a message; by default to any recipient. On another machine, only to the recipients that the operator named. */
function send(operation: (typeof singleSends)[number], only?: number): fc.Arbitrary<Act> {
  const [ways, kind] = operation === 'sendEmailMessage' ? ([byEmail, 'email'] as const) : ([byPhone, 'phone'] as const)
  const chosen = only === undefined ? ways : ways.slice(only, only + 1)
  const toRecipient: Values = { to: ({ recipient }) => recipient(kind) }
  const toAny = request(operation, { fixed: fc.constantFrom(...chosen) })
  return fc.tuple(toAny, request(operation, { fixed: fc.constant(toRecipient) })).map(
    ([here, elsewhere]): Act =>
      (model, send) =>
        (model.target.loopback ? here : elsewhere)(model, send),
  )
}

const sendInto = fc.oneof(...singleSends.map((operation) => send(operation, 0)))
const sendAny = fc.oneof(...singleSends.map((operation) => send(operation)))
const sendToRecipient = fc.oneof(...sendsByPhone.map((operation) => send(operation, 2)))
const sendToTwo = send('sendEmailMessage', 3)
const bulk = request('sendBulkMessages')
const sendTemplate = request(
  'sendBulkMessages',
  fixed({ channel: ({ own }) => own.templateType, templateId: own('template') }),
)

const types = ['sms', 'email', 'whatsapp'] as const
const statuses = ['pending', 'approved', 'rejected'] as const

const listTemplates = (query: fc.Arbitrary<object>) => request('listTemplates', { fixed: query.map(toValues) })
const pageOfTemplates = (page: number, limit: number) => listTemplates(fc.constant({ page, limit, types, statuses }))
const allTemplates = pageOfTemplates(1, 100)
const subset = (values: readonly string[]) =>
  fc.oneof(fc.constant([...values]), fc.subarray([...values], { minLength: 1 }))
const anyTemplates = listTemplates(
  fc.tuple(pages, subset(types), subset(statuses)).map(([page, types, statuses]) => ({ ...page, types, statuses })),
)

/** The fields of a header belong together. */
const headers = [
  {},
  {},
  { isHeader: true, headerType: 'text', headerText: 'Good news' },
  {
    isHeader: true,
    headerType: 'text',
    headerText: 'Good news from {{1}}',
    headerVariables: ['company'],
    headerVariableSampleValues: ['Babbage'],
  },
]

const createTemplate = request('createTemplate', {
  fixed: fc
    .tuple(fc.constantFrom(...types), fc.constantFrom(...headers))
    .map(([templateType, header]) => toValues({ templateType, ...header })),
})
const plainType: Value = ({ target }) => (target.providers.sms?.id ? 'sms' : 'email')
const createPlain = request('createTemplate', fixed({ templateType: plainType }))
/** More than a page holds. */
const createMany = fc
  .array(createPlain, { minLength: 1, maxLength: 11, size: 'max' })
  .map((creates): Act => async (model, send) => {
    for (const one of creates) await one(model, send)
  })
const changeTemplate = request('updateTemplate', fixed({ templateType: ({ own }) => own.templateType ?? 'sms' }))
const readTemplate = request('getTemplate')
const removeTemplate = remove('template')

const lifeOf = (kind: RecordKind): Script => [
  create(kind),
  ...[change(kind), change(kind), change(kind), change(kind), change(kind)],
  ...[remove(kind), view(kind), remove(kind)],
]

const keysOf = (kind: RecordKind): Script => [
  create(kind),
  ...[keyed(create(kind)), again(0), keyed(change(kind)), change(kind), again(1)],
  ...[view(kind), keyed(remove(kind)), again(0), view(kind)],
]

const records = ['company', 'product', 'deal', 'quote'] as const

const scripts: readonly Script[] = [
  ...records.map((kind): Script =>
    kind === 'quote' ? [create('deal'), create('quote'), ...lifeOf(kind)] : lifeOf(kind),
  ),
  ...records.slice(0, 3).map(keysOf),
  // A deal and its quotes.
  [
    create('deal'),
    ...[create('quote'), change('quote'), change('deal', 'name'), create('quote'), toStatus('published')],
    ...[change('quote'), change('quote', 'expirationDate'), change('quote', 'acceptOnlinePayment')],
    ...[toStatus('accepted'), view('deal'), change('quote'), change('deal', 'stage'), change('deal', 'stage')],
    ...[change('deal', 'stage'), change('deal', 'amount'), change('deal', 'amount'), remove('deal'), view('quote')],
  ],
  // Records that refer to each other.
  [
    create('company'),
    ...[createContact, create('deal'), create('quote'), create('deal'), create('quote'), change('company')],
    ...[view('deal'), remove('contact'), view('deal'), remove('company'), view('deal'), view('quote')],
  ],
  // The life of a contact.
  [
    createContact,
    ...[converse, changeContact, changeContact, send('sendLiveMessage'), upsert, readConversation, changeContact],
    ...[changeOnly('groupIds'), changeOnly('status'), changeContact, changeOnly('groupIds'), changeContact],
    ...[readHistory, remove('contact'), readHistory, ...everywhere, converse, remove('contact'), upsert],
  ],
  // The addresses of a contact: former, present and free again.
  [
    createContact,
    ...[findOwn, changeOnly('email'), upsert, changeOnly('phone'), findOwn, arrive(ownEmail), readContact],
    ...[fc.oneof(remove('contact'), removeByEmail), readConversation, findOwn, upsert],
  ],
  // Several contacts with one address.
  [
    createContact,
    ...[createNamesake, converse, createNamesake, findOwn, upsert, removeByEmail, readContact, readConversation],
    removeByEmail,
  ],
  // A contact that is created with its conversation.
  [
    arrive(newEmail),
    ...[readContact, readConversation, findOwn, converse, remove('contact'), findOwn, readConversation],
  ],
  // More messages than a page holds.
  [
    findNew,
    ...[sendInto, sendInto, send('sendMessage', 0), sendInto, sendInto, sendInto, readHistory, secondPage],
    ...[secondPage, anyPage, readText, anyPage],
  ],
  [
    findNew,
    ...[sendInto, send('sendMessage', 0), readHistory, changeContact, sendInto, sendInto, readConversation, anyPage],
    ...[anyPage, readText, remove('contact'), readHistory],
  ],
  // E-mails to several contacts, and answers; each way to name a receiver.
  [
    createContact,
    ...[createContact, sendToTwo, send('sendEmailMessage', 0), send('sendEmailMessage', 0), readHistory],
    listConversations,
  ],
  [createContact, sendAny, sendToRecipient, sendAny, sendInto, sendInto, readContact, readHistory, sendInto],
  // Bulk sends, and the messages that the last address has received.
  [bulk, findReached, readHistory, readHistory, bulk, findReached, readHistory],
  // More templates than a page holds.
  [
    createMany,
    ...[allTemplates, pageOfTemplates(1, 3), pageOfTemplates(2, 3), anyTemplates, anyTemplates, removeTemplate],
    ...[allTemplates, anyTemplates],
  ],
  [
    createTemplate,
    ...[readTemplate, changeTemplate, readTemplate, allTemplates, changeTemplate, sendTemplate, readTemplate],
    ...[removeTemplate, readTemplate, anyTemplates, again(Infinity)],
  ],
  [createTemplate, sendTemplate, changeTemplate, readTemplate, removeTemplate, again(Infinity)],
  // Requests of another team.
  [
    createContact,
    ...[converse, createTemplate, create('company')],
    ...[...everywhere, readHistory, readTemplate, view('company')].map((act) => withTwist(by('otherTeam'), act)),
    ...[readContact, view('company')],
  ],
]

/** More requests in any order would hide the cause of a difference. */
const mostParts = 9

/** The requests of a script in its order, of which each may be left out, or some of them in any order. */
const stories = scripts.map((script) => {
  const [opening, ...parts] = script
  const inOrder = fc.tuple(...parts.map((part) => fc.option(twisted(part), { freq: 12 })))
  const again = fc.nat({ max: 3 }).map(repeat)
  const inAnyOrder = fc.array(fc.oneof(...parts.map(twisted), again), { maxLength: mostParts, size: 'max' })
  return fc
    .tuple(opening, fc.oneof({ weight: 4, arbitrary: inOrder }, { weight: 1, arbitrary: inAnyOrder }))
    .map(([first, others]) => new Story(script, [first, ...others]))
})

function twisted(act: fc.Arbitrary<Act>): fc.Arbitrary<Act> {
  return fc.tuple(act, twist).map(([act, twist]) => (twist ? as(twist, act) : act))
}

/** How many simpler lists of commands are tried after a difference. */
const mostShrinks = 200

/** A random list of model commands. Many do not run, since enough stories of their kind have run. */
export const randomCommands = fc.limitShrink(
  fc.commands(stories, { maxCommands: 200, size: 'max', disableReplayLog: true }),
  mostShrinks,
)

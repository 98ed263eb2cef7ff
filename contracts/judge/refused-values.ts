import { bulkChannel, plainType } from '../../client/bodies.ts'
import type { Answer } from '../../client/answer.ts'
import { NotAllowed, StepFailed, TooBusy } from '../../client/errors.ts'
import { domainOfExamples } from '../../client/mint.ts'
import type { Tools } from '../../client/tools.ts'

/** A made-up value that a server may refuse although it keeps every promise. */
interface MadeUpValue {
  /** Matches the text of a request with the value. */
  readonly pattern: RegExp
  /** Whether the server refuses a request with the value, and accepts the same request without it. */
  readonly isRefused: (tools: Tools) => Promise<boolean>
  readonly reason: (tools: Tools) => string
}

/** Sends a valid request with these fields. */
type Create = (tools: Tools, fields: object) => Promise<Answer>

/** Returns a function that finds the made-up value for which the server refused a request. It tries each value once. */
export function createExcuses(tools: Tools): (request: string) => Promise<string | undefined> {
  const known = new Map<MadeUpValue, boolean>()
  return async (request) => {
    for (const value of madeUpValues) {
      if (!value.pattern.test(request)) continue
      const isRefused = known.get(value) ?? (await tryPatiently(() => value.isRefused(tools)))
      known.set(value, isRefused)
      if (isRefused) return value.reason(tools)
    }
    return undefined
  }
}

/** Tries again when the server was too busy. A trial that cannot be completed excuses no refusal. */
async function tryPatiently(isRefused: () => Promise<boolean>, attempts = 3): Promise<boolean> {
  try {
    return await isRefused()
  } catch (error) {
    if (error instanceof TooBusy && attempts > 1) return tryPatiently(isRefused, attempts - 1)
    if (error instanceof NotAllowed || error instanceof StepFailed) return false
    throw error
  }
}

const isRefusal = ({ status }: Answer) => status >= 400 && status < 500

/** Whether the server refuses the first fields, and accepts one of the others. */
async function refusesOnly(tools: Tools, create: Create, first: object, ...others: object[]): Promise<boolean> {
  if (!isRefusal(await create(tools, first))) return false
  for (const fields of others) if ((await create(tools, fields)).succeeded) return true
  return false
}

async function refusesAll(tools: Tools, ...requests: readonly (readonly [Create, object])[]): Promise<boolean> {
  for (const [create, fields] of requests) if (!isRefusal(await create(tools, fields))) return false
  return true
}

/** Without an e-mail address the name has the mark of the run. */
const contact = ({ call, mint }: Tools, fields: object) => {
  const lastName = 'email' in fields ? 'Lovelace' : mint.surname('Lovelace')
  return call('createContact', { body: { firstName: 'Ada', lastName, ...fields } })
}
const company: Create = ({ call, mint }, fields) =>
  call('createCompany', { body: { name: mint.name('Engines'), ...fields } })
const product: Create = ({ call, some }, fields) => call('createProduct', { body: some.product(fields) })
const deal: Create = ({ call, some }, fields) =>
  call('createDeal', { body: { ...some.deal(), currency: undefined, ...fields } })
const template: Create = ({ call, some, target }, fields) =>
  call('createTemplate', { body: { ...some.template[plainType(target)](), language: undefined, ...fields } })
const resolve: Create = ({ call }, body) => call('findOrCreateConversation', { body })
const chat: Create = ({ call, some }, fields) => call('sendLiveMessage', { body: some.chat(fields) })
const text: Create = ({ call, some }, fields) => call('sendMessage', { body: some.text(fields) })
const email: Create = ({ call, some }, fields) => call('sendEmailMessage', { body: some.email(fields) })
const bulk: Create = (
  { call, some, target },
  { channel = bulkChannel(target), ...fields }: { channel?: 'email' | 'sms' },
) => call('sendBulkMessages', { body: some.bulk(channel, fields) })

/** Fields of contacts without an address. A server may accept only letters in a name. */
const withoutAddress = ({ mint }: Tools) => [
  { source: mint.name('contract') },
  { lastName: mint.name('Lovelace') },
  { lastName: inLetters(mint.name('Lovelace')) },
]

const inLetters = (name: string) =>
  name.replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit))).replace(/[^\p{L} -]/gu, '')

/** Creates a contact with the first kind of address that the server accepts. */
const reachable = async (tools: Tools, fields: object = {}) => {
  const { mint } = tools
  let last = await contact(tools, { email: mint.email(), ...fields })
  for (const identity of [{ phone: mint.phone() }, ...withoutAddress(tools)])
    if (!last.succeeded) last = await contact(tools, { ...identity, ...fields })
  return last
}

const idOfContact = async (tools: Tools, fields: object) => (await contact(tools, fields)).data._id
const idOfReachable = async (tools: Tools) => (await reachable(tools)).data._id

const refusedEmail: MadeUpValue['reason'] = ({ mint }) =>
  `this server refuses the e-mail address ${mint.email()}; name another domain with --email-domain`
const refusedPhone: MadeUpValue['reason'] = ({ mint }) =>
  `this server refuses the phone number ${mint.phone()}, which is reserved for fiction`

const refusesEmailOfContact: MadeUpValue['isRefused'] = (tools) =>
  refusesOnly(tools, contact, { email: tools.mint.email() }, { phone: tools.mint.phone() }, ...withoutAddress(tools))
const refusesPhoneOfContact: MadeUpValue['isRefused'] = (tools) =>
  refusesOnly(tools, contact, { phone: tools.mint.phone() }, { email: tools.mint.email() }, ...withoutAddress(tools))

/** In this order: the first reason that applies is reported. */
const madeUpValues: readonly MadeUpValue[] = [
  { pattern: /@[\w-]+(\.|%2E)/i, isRefused: refusesEmailOfContact, reason: refusedEmail },
  {
    pattern: /"to":"[^"]*@/,
    isRefused: async (tools) => {
      const recipientIds = [await idOfReachable(tools)]
      const to = tools.recipient.email()
      if (!(await refusesOnly(tools, email, { to }, { recipientIds }))) return false
      return refusesOnly(tools, email, { recipientIds, to: tools.recipient.email() }, { recipientIds })
    },
    reason: refusedEmail,
  },
  {
    pattern: /"channel":"email"/,
    isRefused: async (tools) => {
      const { mint, target } = tools
      if (target.emailDomain !== domainOfExamples) return false
      const recipientIds = [await idOfContact(tools, { email: mint.email() })]
      const channel = 'email'
      return refusesAll(tools, [email, { to: mint.email() }], [email, { recipientIds }], [bulk, { channel }])
    },
    reason: ({ mint }) => `this server sends no e-mail to ${mint.email()}; name another domain with --email-domain`,
  },
  {
    pattern: /"to":"[^"]*\+\d{7}/,
    isRefused: async (tools) => {
      const contactId = await idOfReachable(tools)
      const refusesTo = (send: Create) => refusesOnly(tools, send, { to: tools.recipient.phone() }, { contactId })
      return ((await refusesTo(chat)) || (await refusesTo(text))) && refusesPhoneInAnotherField(tools)
    },
    reason: refusedPhone,
  },
  {
    pattern: /sendBulkNewMessages.*"to":"[^",]*"/,
    isRefused: async (tools) => {
      const { mint, target } = tools
      const to = () => (bulkChannel(target) === 'email' ? mint.email() : mint.phone())
      return target.loopback && refusesOnly(tools, bulk, { to: to() }, { to: `${to()},${to()}` })
    },
    reason: () => 'this server sends in bulk to more than one recipient only',
  },
  {
    pattern: /"channel":"(chat|sms|whatsapp)"/,
    isRefused: async (tools) => (await refusesEverySms(tools)) || refusesChatByPhone(tools),
    reason: ({ mint }) => `this server sends nothing to ${mint.phone()}, which is reserved for fiction`,
  },
  {
    pattern: /"domain":"/,
    isRefused: (tools) => refusesOnly(tools, company, { domain: tools.some.company().domain }, {}),
    reason: ({ some }) =>
      `this server refuses a company at ${String(some.company().domain)}; name another domain with --email-domain`,
  },
  {
    pattern: /"currency":"/,
    isRefused: (tools) => refusesOnly(tools, deal, { currency: tools.some.deal().currency }, {}),
    reason: ({ some }) => `this server refuses deals in ${String(some.deal().currency)}`,
  },
  {
    pattern: /\+\d{7}/,
    isRefused: async (tools) => {
      const { mint } = tools
      if (!isRefusal(await resolve(tools, { email: mint.email(), phone: mint.phone() }))) return false
      // If the server refuses the e-mail address too, there is no other address to try.
      return (await resolve(tools, { email: mint.email() })).succeeded || refusesEmailOfContact(tools)
    },
    reason: refusedPhone,
  },
  { pattern: /\+\d{7}/, isRefused: refusesPhoneOfContact, reason: refusedPhone },
  {
    pattern: /"https:\/\/[\w.]*example\.com\//,
    isRefused: refusesMedia,
    reason: () => 'this server refuses files that it cannot fetch; name a picture with --media-url',
  },
  // A server may accept only listed values, or another format, for these texts.
  choiceOf('industry', company, ['Machinery', 'Software', 'Technology', 'COMPUTER_SOFTWARE', 'Retail']),
  choiceOf('state', company, ['Greater London', 'CA', 'California', 'London']),
  choiceOf('zip', company, ['NW1 4RY', '94105', 'NW14RY']),
  choiceOf('postalCode', company, ['NW1 4RY', '94105', 'NW14RY']),
  choiceOf('country', company, ['GB', 'United Kingdom', 'US', 'United States', 'GBR', 'UK']),
  choiceOf('term', product, ['12', '12 months', 'annual', 'yearly', 'P12M', '1 year']),
  choiceOf('productType', product, ['machine', 'service', 'inventory', 'physical', 'goods']),
  {
    pattern: /"language":"|name="language"/,
    isRefused: async (tools) =>
      (await refusesOnly(tools, template, { language: 'en' }, {})) ||
      refusesOnly(tools, template, { language: 'de' }, { language: 'en' }, {}),
    reason: () => 'this server does not take the language en without a region, or not the language de',
  },
  {
    pattern: /"source":"/,
    isRefused: async (tools) => {
      if (await refusesOnly(tools, reachable, { source: tools.mint.name('contract') }, {})) return true
      const contactId = await idOfReachable(tools)
      return refusesOnly(tools, chat, { contactId, source: 'Contract' }, { contactId })
    },
    reason: () => 'this server refuses sources that nobody has defined',
  },
  {
    pattern: /"additionalFields":\{"/,
    isRefused: (tools) => refusesOnly(tools, reachable, { additionalFields: { favouriteColour: 'teal' } }, {}),
    reason: () => 'this server refuses custom fields that nobody has defined',
  },
]

/** A server that refuses the first of these texts and accepts another has a list of values. */
function choiceOf(field: string, create: Create, [first, ...others]: readonly string[]): MadeUpValue {
  return {
    pattern: new RegExp(`"${field}":"`),
    isRefused: (tools) =>
      refusesOnly(tools, create, { [field]: first }, ...others.map((other) => ({ [field]: other }))),
    reason: () => `this server does not take ${String(first)} as ${field}`,
  }
}

/** Whether the server refuses a phone number in a field other than `to`. */
async function refusesPhoneInAnotherField(tools: Tools): Promise<boolean> {
  const { mint } = tools
  if (!(await resolve(tools, { phone: mint.phone() })).succeeded) return true
  const created = await contact(tools, { phone: mint.phone() })
  if (!created.succeeded) return true
  const contactId = created.data._id
  return !(await chat(tools, { contactId })).succeeded || !(await text(tools, { contactId })).succeeded
}

async function refusesEverySms(tools: Tools): Promise<boolean> {
  const { mint } = tools
  const contactId = await idOfContact(tools, { phone: mint.phone() })
  const channel = 'sms'
  return refusesAll(tools, [text, { channel, to: mint.phone() }], [text, { channel, contactId }], [bulk, { channel }])
}

/** Whether the server refuses a chat message to a contact with a phone number only. */
async function refusesChatByPhone(tools: Tools): Promise<boolean> {
  const contactId = await idOfContact(tools, { phone: tools.mint.phone() })
  const other = await idOfContact(tools, { email: tools.mint.email() })
  return refusesOnly(tools, chat, { contactId }, { contactId: other })
}

/** Whether the server refuses a link to a file that does not exist. */
async function refusesMedia(tools: Tools): Promise<boolean> {
  const missing = 'https://files.example.com/engine.png'
  if (await refusesOnly(tools, product, { imageUrl: missing }, {})) return true
  if (await refusesOnly(tools, company, { logoUrl: missing }, {})) return true
  const contactId = await idOfReachable(tools)
  return refusesOnly(tools, chat, { contactId, mediaUrl: missing, mediaType: 'image' }, { contactId })
}

import { bulkChannel, plainType } from '../client/bodies.ts'
import type { Answer } from '../client/answer.ts'
import { NotAllowed, StepFailed, TooBusy } from '../client/errors.ts'
import { domainOfExamples, type Mint } from '../client/mint.ts'
import { historyOf, messagesOn } from '../client/messages.ts'
import { sleep } from '../client/sleep.ts'
import type { Tools } from '../client/tools.ts'

/** After so many milliseconds, a bulk send has reached the histories of its recipients. */
const longestDelivery = 2000

/** A made-up value that a server may refuse although it keeps every promise. */
interface MadeUpValue {
  /** Matches the text of a request with the value. */
  readonly pattern: RegExp
  /** Whether the server refuses a request with the value, and accepts the same request without it. */
  readonly isRefused: () => Promise<boolean>
  readonly reason: string
}

/** Sends a valid request with these fields. */
type Create = (fields: object) => Promise<Answer>

/** Returns a function that finds the made-up value for which the server refused a request. It tries each value once. */
export function createExcuses(tools: Tools): (request: string) => Promise<string | undefined> {
  const values = madeUpValues(tools)
  const known = new Map<MadeUpValue, boolean>()
  return async (request) => {
    for (const value of values) {
      if (!value.pattern.test(request)) continue
      const isRefused = known.get(value) ?? (await tryPatiently(value.isRefused))
      known.set(value, isRefused)
      if (isRefused) return value.reason
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
async function refusesOnly(create: Create, first: object, ...others: object[]): Promise<boolean> {
  if (!isRefusal(await create(first))) return false
  for (const fields of others) if ((await create(fields)).succeeded) return true
  return false
}

async function refusesAll(...requests: readonly (readonly [Create, object])[]): Promise<boolean> {
  for (const [create, fields] of requests) if (!isRefusal(await create(fields))) return false
  return true
}

const inLetters = (name: string) =>
  name.replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit))).replace(/[^\p{L} -]/gu, '')

/** In this order: the first reason that applies is reported. */
function madeUpValues(tools: Tools): readonly MadeUpValue[] {
  const trials = createTrials(tools)
  return [
    ...emailAddresses(trials),
    ...recipients(trials),
    ...valuesOfRecords(trials),
    ...phoneNumbers(trials),
    media(trials),
    ...listedValues(trials),
    ...definedValues(trials),
  ]
}

type Trials = ReturnType<typeof createTrials>

/** Requests that are valid but for the fields under trial. */
function createTrials(tools: Tools) {
  const { call, mint, some, target } = tools
  /** Without an e-mail address the name has the mark of the run. */
  const contact = (fields: object) => {
    const lastName = 'email' in fields ? 'Lovelace' : mint.surname('Lovelace')
    return call('createContact', { body: { firstName: 'Ada', lastName, ...fields } })
  }
  const company: Create = (fields) => call('createCompany', { body: { name: mint.name('Engines'), ...fields } })
  const product: Create = (fields) => call('createProduct', { body: some.product(fields) })
  const deal: Create = (fields) => call('createDeal', { body: { ...some.deal(), currency: undefined, ...fields } })
  const template: Create = (fields) =>
    call('createTemplate', { body: { ...some.template[plainType(target)](), language: undefined, ...fields } })
  const resolve: Create = (body) => call('findOrCreateConversation', { body })
  const chat: Create = (fields) => call('sendLiveMessage', { body: some.chat(fields) })
  const text: Create = (fields) => call('sendMessage', { body: some.text(fields) })
  const email: Create = (fields) => call('sendEmailMessage', { body: some.email(fields) })
  const bulk: Create = ({ channel = bulkChannel(target), ...fields }: { channel?: 'email' | 'sms' }) =>
    call('sendBulkMessages', { body: some.bulk(channel, fields) })

  /** Fields of contacts without an address. A server may accept only letters in a name. */
  const withoutAddress = () => [
    { source: mint.name('contract') },
    { lastName: mint.name('Lovelace') },
    { lastName: inLetters(mint.name('Lovelace')) },
  ]
  /** Creates a contact with the first kind of address that the server accepts. */
  const reachable = async (fields: object = {}) => {
    let last = await contact({ email: mint.email(), ...fields })
    for (const identity of [{ phone: mint.phone() }, ...withoutAddress()])
      if (!last.succeeded) last = await contact({ ...identity, ...fields })
    return last
  }
  return {
    ...tools,
    contact,
    company,
    product,
    deal,
    template,
    resolve,
    chat,
    text,
    email,
    bulk,
    withoutAddress,
    reachable,
    idOfContact: async (fields: object) => (await contact(fields)).data._id,
    idOfReachable: async () => (await reachable()).data._id,
    refusesEmailOfContact: () =>
      refusesOnly(contact, { email: mint.email() }, { phone: mint.phone() }, ...withoutAddress()),
  }
}

function emailAddresses(trials: Trials): MadeUpValue[] {
  const { mint, recipient, target, email, bulk, idOfContact, idOfReachable, refusesEmailOfContact, resolve } = trials
  const reason = `this server refuses the e-mail address ${mint.email()}; name another domain with --email-domain`
  return [
    { pattern: /@[\w-]+(\.|%2E)/i, isRefused: refusesEmailOfContact, reason },
    {
      pattern: /"to":"[^"]*@/,
      isRefused: async () => {
        const recipientIds = [await idOfReachable()]
        if (!(await refusesOnly(email, { to: recipient.email() }, { recipientIds }))) return false
        return refusesOnly(email, { recipientIds, to: recipient.email() }, { recipientIds })
      },
      reason,
    },
    {
      pattern: /"channel":"email"/,
      isRefused: async () => {
        if (target.emailDomain !== domainOfExamples) return false
        const to = mint.email()
        const recipientIds = [await idOfContact({ email: to })]
        if (!(await refusesAll([email, { to: mint.email() }], [email, { recipientIds }]))) return false
        if (!(await bulk({ channel: 'email', to })).succeeded) return true
        // A server may skip the addresses that it refuses.
        const { _id } = (await resolve({ email: to })).data as { readonly _id: string }
        await sleep(longestDelivery)
        return messagesOn(await historyOf(trials, _id)).length === 0
      },
      reason: `this server sends no e-mail to ${mint.email()}; name another domain with --email-domain`,
    },
  ]
}

const refusedPhone = (mint: Mint) =>
  `this server refuses the phone number ${mint.phone()}, which is reserved for fiction`

function recipients(trials: Trials): MadeUpValue[] {
  const { mint, recipient, target, contact, resolve, chat, text, bulk, idOfContact, idOfReachable } = trials

  /** Whether the server refuses a phone number in a field other than `to`. */
  const refusesPhoneInAnotherField = async () => {
    if (!(await resolve({ phone: mint.phone() })).succeeded) return true
    const created = await contact({ phone: mint.phone() })
    if (!created.succeeded) return true
    const contactId = created.data._id
    return !(await chat({ contactId })).succeeded || !(await text({ contactId })).succeeded
  }

  const refusesEverySms = async () => {
    const contactId = await idOfContact({ phone: mint.phone() })
    const channel = 'sms'
    return refusesAll([text, { channel, to: mint.phone() }], [text, { channel, contactId }], [bulk, { channel }])
  }

  /** Whether the server refuses a chat message to a contact with a phone number only. */
  const refusesChatByPhone = async () => {
    const contactId = await idOfContact({ phone: mint.phone() })
    return refusesOnly(chat, { contactId }, { contactId: await idOfContact({ email: mint.email() }) })
  }

  return [
    {
      pattern: /"to":"[^"]*\+\d{7}/,
      isRefused: async () => {
        const contactId = await idOfReachable()
        const refusesTo = (send: Create) => refusesOnly(send, { to: recipient.phone() }, { contactId })
        return ((await refusesTo(chat)) || (await refusesTo(text))) && refusesPhoneInAnotherField()
      },
      reason: refusedPhone(mint),
    },
    {
      pattern: /sendBulkNewMessages.*"to":"[^",]*"/,
      isRefused: async () => {
        const to = () => (bulkChannel(target) === 'email' ? mint.email() : mint.phone())
        return target.loopback && refusesOnly(bulk, { to: to() }, { to: `${to()},${to()}` })
      },
      reason: 'this server sends in bulk to more than one recipient only',
    },
    {
      pattern: /"channel":"(chat|sms|whatsapp)"/,
      isRefused: async () => (await refusesEverySms()) || refusesChatByPhone(),
      reason: `this server sends nothing to ${mint.phone()}, which is reserved for fiction`,
    },
  ]
}

function valuesOfRecords({ company, deal, some }: Trials): MadeUpValue[] {
  const { domain } = some.company()
  const { currency } = some.deal()
  return [
    {
      pattern: /"domain":"/,
      isRefused: () => refusesOnly(company, { domain }, {}),
      reason: `this server refuses a company at ${String(domain)}; name another domain with --email-domain`,
    },
    {
      pattern: /"currency":"/,
      isRefused: () => refusesOnly(deal, { currency }, {}),
      reason: `this server refuses deals in ${String(currency)}`,
    },
  ]
}

function phoneNumbers({ contact, mint, refusesEmailOfContact, resolve, withoutAddress }: Trials): MadeUpValue[] {
  const pattern = /\+\d{7}/
  const reason = refusedPhone(mint)
  return [
    {
      pattern,
      isRefused: async () => {
        if (!isRefusal(await resolve({ email: mint.email(), phone: mint.phone() }))) return false
        // If the server refuses the e-mail address too, there is no other address to try.
        return (await resolve({ email: mint.email() })).succeeded || refusesEmailOfContact()
      },
      reason,
    },
    {
      pattern,
      isRefused: () => refusesOnly(contact, { phone: mint.phone() }, { email: mint.email() }, ...withoutAddress()),
      reason,
    },
  ]
}

function media({ chat, company, idOfReachable, product }: Trials): MadeUpValue {
  const missing = 'https://files.example.com/engine.png'
  return {
    pattern: /"https:\/\/[\w.]*example\.com\//,
    isRefused: async () => {
      if (await refusesOnly(product, { imageUrl: missing }, {})) return true
      if (await refusesOnly(company, { logoUrl: missing }, {})) return true
      const contactId = await idOfReachable()
      return refusesOnly(chat, { contactId, mediaUrl: missing, mediaType: 'image' }, { contactId })
    },
    reason: 'this server refuses files that it cannot fetch; name a picture with --media-url',
  }
}

/** A server may accept only listed values, or another format, for these texts. */
function listedValues({ company, product, template }: Trials): MadeUpValue[] {
  /** A server that refuses the first of these texts and accepts another has a list of values. */
  const choiceOf = (field: string, create: Create, [first, ...others]: readonly string[]): MadeUpValue => ({
    pattern: new RegExp(`"${field}":"`),
    isRefused: () => refusesOnly(create, { [field]: first }, ...others.map((other) => ({ [field]: other }))),
    reason: `this server does not take ${String(first)} as ${field}`,
  })
  return [
    choiceOf('industry', company, ['Machinery', 'Software', 'Technology', 'COMPUTER_SOFTWARE', 'Retail']),
    choiceOf('state', company, ['Greater London', 'CA', 'California', 'London']),
    choiceOf('zip', company, ['NW1 4RY', '94105', 'NW14RY']),
    choiceOf('postalCode', company, ['NW1 4RY', '94105', 'NW14RY']),
    choiceOf('country', company, ['GB', 'United Kingdom', 'US', 'United States', 'GBR', 'UK']),
    choiceOf('term', product, ['12', '12 months', 'annual', 'yearly', 'P12M', '1 year']),
    choiceOf('productType', product, ['machine', 'service', 'inventory', 'physical', 'goods']),
    {
      pattern: /"language":"|name="language"/,
      isRefused: async () =>
        (await refusesOnly(template, { language: 'en' }, {})) ||
        refusesOnly(template, { language: 'de' }, { language: 'en' }, {}),
      reason: 'this server does not take the language en without a region, or not the language de',
    },
  ]
}

/** A server may accept only the sources and the custom fields that a team has defined. */
function definedValues({ chat, idOfReachable, mint, reachable }: Trials): MadeUpValue[] {
  return [
    {
      pattern: /"source":"/,
      isRefused: async () => {
        if (await refusesOnly(reachable, { source: mint.name('contract') }, {})) return true
        const contactId = await idOfReachable()
        return refusesOnly(chat, { contactId, source: 'Contract' }, { contactId })
      },
      reason: 'this server refuses undefined sources',
    },
    {
      pattern: /"additionalFields":\{"/,
      isRefused: () => refusesOnly(reachable, { additionalFields: { favouriteColour: 'teal' } }, {}),
      reason: 'this server refuses undefined custom fields',
    },
  ]
}

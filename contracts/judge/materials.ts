import type { Answer } from '../../client/answer.ts'
import { NotAllowed, StepFailed, TooBusy } from '../../client/errors.ts'
import { domainOfExamples } from '../../client/mint.ts'
import { bulkChannel } from '../../client/operations/messages.ts'
import { plainType } from '../../client/operations/templates.ts'
import type { Tools } from '../../client/tools.ts'

/** What the checks write in free texts, and what a server may take instead that has a list or a form for them. */
const freeTexts = {
  createCompany: {
    industry: ['Machinery', 'Software', 'Technology', 'COMPUTER_SOFTWARE', 'Retail'],
    state: ['Greater London', 'CA', 'California', 'London'],
    zip: ['NW1 4RY', '94105', 'NW14RY'],
    postalCode: ['NW1 4RY', '94105', 'NW14RY'],
    country: ['GB', 'United Kingdom', 'US', 'United States', 'GBR', 'UK'],
  },
  createProduct: {
    term: ['12', '12 months', 'annual', 'yearly', 'P12M', '1 year'],
    productType: ['machine', 'service', 'inventory', 'physical', 'goods'],
  },
} as const

const companyWith: CreateWith = ({ call, mint }, fields) =>
  call('createCompany', { body: { name: mint.name('Engines'), ...fields } })

const productWith: CreateWith = ({ call, some }, fields) => call('createProduct', { body: some.product(fields) })

/** What a run makes up, and what a server may refuse although it keeps every promise. */
export interface Material {
  readonly isIn: (request: string) => boolean
  /** Whether a request is refused with it, and the same succeeds without. */
  readonly isRefused: (tools: Tools) => Promise<boolean>
  readonly words: (tools: Tools) => string
}

const hasEmail: Material['isIn'] = (request) => /@[\w-]+(\.|%2E)/i.test(request)
const hasPhone: Material['isIn'] = (request) => /\+\d{7}/.test(request)

const refusedEmail: Material['words'] = ({ mint }) =>
  `this server refuses the e-mail address ${mint.email()}; name another domain with --email-domain`
const refusedPhone: Material['words'] = ({ mint }) =>
  `this server refuses the phone number ${mint.phone()}, which is reserved for fiction`

const emailAddress: Material = {
  isIn: hasEmail,
  isRefused: async (tools) =>
    isOnly(await create(tools, { email: tools.mint.email() }), [
      () => create(tools, { phone: tools.mint.phone() }),
      ...withoutAddress(tools),
    ]),
  words: refusedEmail,
}

export const materials: readonly Material[] = [
  emailAddress,
  {
    isIn: (request) => /"to":"[^"]*@/.test(request),
    isRefused: async (tools) => {
      const { call, recipient, some } = tools
      const recipientIds = [await somebody(tools)]
      const send = (fields: object) => call('sendEmailMessage', { body: some.email(fields) })
      const without = [() => send({ recipientIds })]
      return (
        (await isOnly(await send({ to: recipient.email() }), without)) &&
        isOnly(await send({ recipientIds, to: recipient.email() }), without)
      )
    },
    words: refusedEmail,
  },
  {
    isIn: (request) => request.includes('"channel":"email"'),
    isRefused: refusesEveryEmail,
    words: ({ mint }) => `this server sends no e-mail to ${mint.email()}; name another domain with --email-domain`,
  },
  {
    isIn: (request) => /"to":"[^"]*\+\d{7}/.test(request),
    isRefused: async (tools) => {
      const { call, recipient, some } = tools
      const contactId = await somebody(tools)
      const chat = (fields: object) => call('sendLiveMessage', { body: some.chat(fields) })
      const text = (fields: object) => call('sendMessage', { body: some.text(fields) })
      const isRefused =
        (await isOnly(await chat({ to: recipient.phone() }), [() => chat({ contactId })])) ||
        (await isOnly(await text({ to: recipient.phone() }), [() => text({ contactId })]))
      return isRefused && refusesNumbers(tools)
    },
    words: refusedPhone,
  },
  {
    isIn: (request) => /sendBulkNewMessages.*"to":"[^",]*"/.test(request),
    isRefused: async ({ call, mint, some, target }) => {
      const channel = bulkChannel(target)
      const to = () => (channel === 'email' ? mint.email() : mint.phone())
      if (!target.loopback) return false
      const bulk = (fields: object) => call('sendBulkMessages', { body: some.bulk(channel, fields) })
      return isOnly(await bulk({ to: to() }), [() => bulk({ to: `${to()},${to()}` })])
    },
    words: () => 'this server sends in bulk to more than one recipient only',
  },
  {
    isIn: (request) => /"channel":"(chat|sms|whatsapp)"/.test(request),
    isRefused: async (tools) => (await refusesEverySms(tools)) || refusesEveryChat(tools),
    words: ({ mint }) => `this server sends nothing to ${mint.phone()}, which is reserved for fiction`,
  },
  {
    isIn: (request) => request.includes('"domain":"'),
    isRefused: async ({ call, some }) => {
      const { name, ...others } = some.company()
      return isOnly(await call('createCompany', { body: { name, ...others } }), [
        () => call('createCompany', { body: { name: some.company().name } }),
      ])
    },
    words: ({ some }) =>
      `this server refuses a company at ${String(some.company().domain)}; name another domain with --email-domain`,
  },
  {
    isIn: (request) => request.includes('"currency":"'),
    isRefused: async ({ call, some }) => {
      const { currency, ...deal } = some.deal()
      return isOnly(await call('createDeal', { body: { ...deal, currency } }), [
        () => call('createDeal', { body: deal }),
      ])
    },
    words: ({ some }) => `this server refuses deals in ${String(some.deal().currency)}`,
  },
  {
    isIn: hasPhone,
    isRefused: async (tools) => {
      const { call, mint } = tools
      const resolve = (body: object) => call('findOrCreateConversation', { body })
      if (!isRefusal((await resolve({ email: mint.email(), phone: mint.phone() })).status)) return false
      // Where it refuses the e-mail address too, nothing is left to try.
      return (await resolve({ email: mint.email() })).succeeded || emailAddress.isRefused(tools)
    },
    words: refusedPhone,
  },
  {
    isIn: hasPhone,
    isRefused: async (tools) =>
      isOnly(await create(tools, { phone: tools.mint.phone() }), [
        () => create(tools, { email: tools.mint.email() }),
        ...withoutAddress(tools),
      ]),
    words: refusedPhone,
  },
  {
    isIn: (request) => /"https:\/\/[\w.]*example\.com\//.test(request),
    isRefused: async (tools) => (await refusesMedia(tools)) || (await refusesPictures(tools)),
    words: () => `this server refuses files that it cannot fetch; name a picture with --media-url`,
  },
  ...Object.entries(freeTexts.createCompany).map(([field, values]) => freeText(field, values, companyWith)),
  ...Object.entries(freeTexts.createProduct).map(([field, values]) => freeText(field, values, productWith)),
  {
    isIn: (request) => /"language":"|name="language"/.test(request),
    isRefused: refusesLanguages,
    words: () => 'this server does not take the language en without a region, or not the language de',
  },
  {
    isIn: (request) => request.includes('"source":"'),
    isRefused: async (tools) =>
      (await isOnly(await createReachable(tools, { source: tools.mint.name('contract') }), [
        () => createReachable(tools, {}),
      ])) || refusesSourceOfMessages(tools),
    words: () => 'this server refuses sources that nobody has defined',
  },
  {
    isIn: (request) => request.includes('"additionalFields":{"'),
    isRefused: async (tools) =>
      isOnly(await createReachable(tools, { additionalFields: { favouriteColour: 'teal' } }), [
        () => createReachable(tools, {}),
      ]),
    words: () => 'this server refuses custom fields that nobody has defined',
  },
]

type CreateWith = (tools: Tools, fields: object) => Promise<Answer>

/** A server that refuses the first of these texts, and takes another, keeps a list of its own. */
function freeText(field: string, [ours, ...others]: readonly string[], create: CreateWith): Material {
  return {
    isIn: (request) => request.includes(`"${field}":"`),
    isRefused: async (tools) =>
      isOnly(
        await create(tools, { [field]: ours }),
        others.map((value) => () => create(tools, { [field]: value })),
      ),
    words: () => `this server does not take ${String(ours)} as ${field}`,
  }
}

const names = { firstName: 'Ada', lastName: 'Lovelace' }

const create = ({ call }: Tools, fields: object) => call('createContact', { body: { ...names, ...fields } })

/** Contacts without an address, which are found again by one of these. */
const withoutAddress = (tools: Tools, fields: object = {}) => [
  () => create(tools, { source: tools.mint.name('contract'), ...fields }),
  () => create(tools, { lastName: tools.mint.name('Lovelace'), ...fields }),
  () => create(tools, { lastName: inLetters(tools.mint.name('Lovelace')), ...fields }),
]

/** For a server that takes no other names of people; only its id tells whose such a contact is. */
const inLetters = (text: string) =>
  text.replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit))).replace(/[^\p{L} -]/gu, '')

/** A contact with the first of these addresses that the server takes, or else without. */
async function createReachable(tools: Tools, fields: object) {
  const { mint } = tools
  const byEmail = await create(tools, { email: mint.email(), ...fields })
  if (byEmail.succeeded) return byEmail
  let last = await create(tools, { phone: mint.phone(), ...fields })
  for (const attempt of withoutAddress(tools, fields)) if (!last.succeeded) last = await attempt()
  return last
}

/** The id of such a contact. */
async function somebody(tools: Tools): Promise<string> {
  return (await createReachable(tools, {})).data._id
}

/** Elsewhere than in `to`, or else it is the field that is refused. */
async function refusesNumbers(tools: Tools): Promise<boolean> {
  const { call, mint, some } = tools
  if (!(await call('findOrCreateConversation', { body: { phone: mint.phone() } })).succeeded) return true
  const contact = await create(tools, { phone: mint.phone() })
  if (!contact.succeeded) return true
  const contactId = contact.data._id
  const sends = [
    await call('sendLiveMessage', { body: some.chat({ contactId }) }),
    await call('sendMessage', { body: some.text({ contactId }) }),
  ]
  return sends.some(({ succeeded }) => !succeeded)
}

/** However the receiver is named, and in bulk too. */
async function refusesEveryEmail(tools: Tools): Promise<boolean> {
  const { call, mint, some, target } = tools
  if (target.emailDomain !== domainOfExamples) return false
  const { _id } = (await create(tools, { email: mint.email() })).data
  return isEachRefused([
    () => call('sendEmailMessage', { body: some.email({ to: mint.email() }) }),
    () => call('sendEmailMessage', { body: some.email({ recipientIds: [_id] }) }),
    () => call('sendBulkMessages', { body: some.bulk('email') }),
  ])
}

async function refusesEverySms(tools: Tools): Promise<boolean> {
  const { call, mint, some } = tools
  const { _id: contactId } = (await create(tools, { phone: mint.phone() })).data
  const channel = 'sms' as const
  return isEachRefused([
    () => call('sendMessage', { body: some.text({ channel, to: mint.phone() }) }),
    () => call('sendMessage', { body: some.text({ channel, contactId }) }),
    () => call('sendBulkMessages', { body: some.bulk('sms') }),
  ])
}

/** To somebody with a phone number, where it sends one to somebody without. */
async function refusesEveryChat(tools: Tools): Promise<boolean> {
  const { call, mint, some } = tools
  const { _id: contactId } = (await create(tools, { phone: mint.phone() })).data
  const { _id: other } = (await create(tools, { email: mint.email() })).data
  const chat = (fields: object) => call('sendLiveMessage', { body: some.chat(fields) })
  return isOnly(await chat({ contactId }), [() => chat({ contactId: other })])
}

/** Nobody finds a file there. */
const nowhere = 'https://files.example.com/engine.png'

async function refusesMedia(tools: Tools): Promise<boolean> {
  const { call, some } = tools
  try {
    const contactId = await somebody(tools)
    const send = (fields: object) => call('sendLiveMessage', { body: some.chat({ contactId, ...fields }) })
    return await isOnly(await send({ mediaUrl: nowhere, mediaType: 'image' }), [() => send({})])
  } catch (error) {
    if (error instanceof TooBusy) throw error
    return cannotTell(error)
  }
}

async function refusesPictures({ call, mint, some }: Tools): Promise<boolean> {
  const company = (fields: object) => call('createCompany', { body: { name: mint.name('Engines'), ...fields } })
  const product = (fields: object) => call('createProduct', { body: some.product(fields) })
  return (
    (await isOnly(await product({ imageUrl: nowhere }), [() => product({})])) ||
    isOnly(await company({ logoUrl: nowhere }), [() => company({})])
  )
}

async function refusesSourceOfMessages(tools: Tools): Promise<boolean> {
  const { call, some } = tools
  const contactId = await somebody(tools)
  const chat = (fields: object) => call('sendLiveMessage', { body: some.chat({ contactId, ...fields }) })
  return isOnly(await chat({ source: 'Contract' }), [() => chat({})])
}

/** Those that the checks write in. */
async function refusesLanguages({ call, some, target }: Tools): Promise<boolean> {
  const create = (language: string | undefined) =>
    call('createTemplate', { body: { ...some.template[plainType(target)](), language } })
  return (
    (await isOnly(await create('en'), [() => create(undefined)])) ||
    isOnly(await create('de'), [() => create('en'), () => create(undefined)])
  )
}

type Attempt = () => Promise<Answer>

/** Whether this was refused, and one of the others succeeds. */
async function isOnly({ status }: Answer, others: readonly Attempt[]): Promise<boolean> {
  if (!isRefusal(status)) return false
  for (const attempt of others) if ((await attempt()).succeeded) return true
  return false
}

async function isEachRefused(attempts: readonly Attempt[]): Promise<boolean> {
  for (const attempt of attempts) if (!isRefusal((await attempt()).status)) return false
  return true
}

const isRefusal = (status: number) => status >= 400 && status < 500

/** For an attempt that the operator does not allow, or that another step keeps from being made. */
export function cannotTell(error: unknown): boolean {
  if (error instanceof NotAllowed || error instanceof StepFailed) return false
  throw error
}

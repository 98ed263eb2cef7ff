import { domainOfExamples } from '../../client/mint.ts'
import { bulkChannel } from '../../client/bodies.ts'
import type { Tools } from '../../client/tools.ts'
import { isEachRefused, isOnly, isRefusal } from './attempts.ts'
import type { Material } from './material.ts'
import { create, somebody, withoutAddress } from './reachable-contact.ts'

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

/** E-mail addresses anywhere, and phone numbers of receivers. */
export const emailsAndReceivers: readonly Material[] = [
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
]

/** Phone numbers anywhere else. */
export const otherPhones: readonly Material[] = [
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
]

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

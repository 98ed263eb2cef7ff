import { expect } from 'vitest'
import { seeEachChoice } from './each-choice.ts'
import type { Call, Told } from './harness.ts'
import { ada, unknownId } from './contact-calls.ts'
import { names, contact, resolve, createBoth, create, list, reread } from './conversation-calls.ts'

/** The contact in a conversation, without its id. */
const populated = ({ status, body }: Told) => (status < 400 ? body.data.contactId : status) as unknown

async function afterContact(call: Call, ask: (call: Call) => Promise<Told>) {
  await contact(call)
  return ask(call)
}

seeEachChoice({
  resolveWithoutAddress: {
    story: async (call) => {
      const told = await resolve(call, {})
      return { told, seen: populated(told) }
    },
    shows: { refused: 400, createsEmpty: { _id: expect.any(String) as string, name: '' } },
    otherwise: (call) => resolve(call),
  },
  resolutionEndpoints: {
    story: async (call) => {
      const told = await create(call, await contact(call))
      const strange = await call('createConversation', {
        body: { contactId: told.body.data.contactId._id, pigeon: 'white' },
      })
      return { told: strange, seen: strange.status }
    },
    shows: { allThree: 400, byPhoneAndEmailOnly: 200 },
    otherwise: async (call) => create(call, await contact(call)),
  },
  existingContactOnCreate: {
    story: async (call) => {
      const contactId = await contact(call)
      const told = await createBoth(call, { ...ada, firstName: 'Augusta', lifecycleStage: 'Customer' })
      const { firstName, lifecycleStage } = await reread(call, contactId)
      return { told, seen: [firstName, lifecycleStage] }
    },
    shows: { untouched: ['Ada', undefined], updated: ['Augusta', 'Customer'] },
    otherwise: (call) => afterContact(call, createBoth),
  },
  groupOnReuse: {
    story: async (call) => {
      const contactId = await contact(call, { ...ada, groupIds: ['poets'] })
      const told = await createBoth(call, { ...ada, groupId: 'engineers' })
      return { told, seen: (await reread(call, contactId)).groupIds }
    },
    shows: { ignored: ['poets'], added: ['poets', 'engineers'] },
    otherwise: async (call) => {
      await contact(call, { ...ada, groupIds: ['poets'] })
      return createBoth(call, { ...ada, groupId: 'poets' })
    },
  },
  addressFilledIn: {
    story: async (call) => {
      await contact(call, { ...names, email: ada.email })
      const told = await resolve(call)
      await contact(call, { ...names, phone: '+14155550124' })
      const both = await createBoth(call, { ...names, email: 'other@example.com', phone: '+14155550124' })
      return { told, seen: [told.body.data.contactId.phoneNumber, both.body.data.contactId.email] }
    },
    shows: { untouched: [undefined, undefined], filled: [ada.phone, 'other@example.com'] },
    otherwise: (call) => afterContact(call, resolve),
  },
  nameOfNewContact: {
    story: async (call) => {
      const told = await resolve(call)
      const { firstName, lastName } = await reread(call, told.body.data.contactId._id)
      return { told, seen: [firstName, lastName] }
    },
    shows: { addressAsFirstName: [ada.email, ''], empty: ['', ''] },
    otherwise: (call) => afterContact(call, resolve),
  },
  newContactLifecycle: {
    story: async (call) => {
      const told = await resolve(call)
      return { told, seen: (await reread(call, told.body.data.contactId._id)).lifecycleStage }
    },
    shows: { absent: undefined, lead: 'Lead' },
    otherwise: (call) => createBoth(call),
  },
  populatedName: {
    story: async (call) => {
      const told = await createBoth(call)
      return { told, seen: told.body.data.contactId.name }
    },
    shows: { firstSpaceLast: 'Ada Lovelace', firstOnly: 'Ada' },
    otherwise: (call) => resolve(call),
  },
  populatedAddress: {
    story: async (call) => {
      const told = await resolve(call, { phone: ada.phone })
      return { told, seen: told.body.data.contactId.email }
    },
    shows: { absent: undefined, emptyString: '' },
    otherwise: (call) => resolve(call),
  },
  conversationsOfUnknownContact: {
    story: async (call) => {
      const told = await list(call, unknownId)
      return { told, seen: [told.status, told.body.data] }
    },
    shows: { notFound: [404, undefined], emptyList: [200, []] },
    otherwise: async (call) => list(call, await contact(call)),
  },
})

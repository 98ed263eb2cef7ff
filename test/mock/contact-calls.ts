import type { Call, Told } from './harness.ts'

export const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+14155550123' }

export const grace = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', phone: '+14155550124' }

export const unknownId = '66f0a1b2c3d4e5f601239999'

export const create = (call: Call, body: object = ada, key = 'acme-key') => call('createContact', { body, key })

export const upsert = (call: Call, body: object) => call('createOrUpdateContact', { body })

export const update = (call: Call, contactId: string, body: object = {}, key = 'acme-key') =>
  call('updateContact', { path: { contactId }, body, key })

export const remove = (call: Call, contactId: string, key = 'acme-key') =>
  call('deleteContact', { path: { contactId }, key })

export const idOf = async (telling: Promise<Told>): Promise<string> => (await telling).body.data._id

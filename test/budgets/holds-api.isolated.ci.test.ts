import { mostBetweenTurns } from './work-between-turns.ts'
import { expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import type { Sandbox } from '../../index.ts'
import { type OperationId, operations } from '../../spec/operations.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { startSandbox } from '../for-one-test.ts'
import { twoTeams } from '../mock/helpers.ts'
import { expectWithin, someOf } from './budget.ts'

/** Of a request that walks through many records, and of a body with as many values as a body may have. */
const goals = { records: 100_000, values: 500_000 }

const createdAt = '2026-03-01T09:30:00.000Z'
const listOf = <Item>(length: number, itemAt: (at: number) => Item) => Array.from({ length }, (_, at) => itemAt(at))
const idAt = (at: number) => at.toString(16).padStart(24, '0')
const ids = (length: number) => listOf(length, idAt)

const contact = (at: number) => ({
  ...{ _id: idAt(at), firstName: 'Ada', lastName: 'Lovelace', email: `ada.${at}@example.com`, teamId: 'acme' },
  ...{ createdAt, updatedAt: createdAt },
})
const address = { email: 'ada@example.com', phone: '+14155550123' }
const namesake = (at: number) => ({ ...contact(at), ...address })
const conversation = { _id: idAt(0), contactId: idAt(0), teamId: 'acme', createdAt }
const message = (at: number) => ({
  ...({ _id: idAt(at), channel: 'chat', direction: 'outgoing', content: 'Hello', status: 'sent', createdAt } as const),
  ...{ conversationId: idAt(0), contactId: idAt(0) },
})
const template = (at: number) => ({
  ...{ _id: idAt(at), name: `Template ${at}`, uniqueName: `template_${at}`, templateType: 'sms', status: 'approved' },
  ...{ language: 'en', content: 'Hello', provider: 'sms-provider' },
})
const worldOf = (records: object) =>
  ({ teams: [{ ...twoTeams.teams[0], ...records }, ...twoTeams.teams.slice(1)] }) as World

interface Case {
  readonly goal?: keyof typeof goals
  readonly records?: object
  readonly assume?: WrittenChoices
  readonly faults?: number
  readonly id: OperationId
  readonly path?: string
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
}

const person = { firstName: 'Ada', lastName: 'Byron' }
const email = { channel: 'email', content: 'Hello {{firstName}}', subject: 'News', providerId: 'email-provider' }
const chat = { channel: 'chat', content: 'Hello', contactId: idAt(0) }
const deal = { name: 'Engine', pipeline: 'p', stage: 's' }
const company = { _id: idAt(0), name: 'Engines', teamId: 'acme' }
const attachment = { fileName: 'a', fileSize: '1', mimeType: 'image/png', mediaUrl: 'https://example.com/a' }

const ofOne = { contacts: [contact(0)], conversations: [conversation] }
const contacts = listOf(35_000, contact)
const namesakes = { contacts: listOf(30_000, namesake) }
const someNamesakes = { contacts: listOf(10_000, namesake) }
const messages = { ...ofOne, messages: listOf(30_000, message) }
const emptyObjects = (length: number) => `[${'{},'.repeat(length - 1)}{}]`
const withObjects = (length: number) =>
  `{"firstName":"A","lastName":"B","additionalFields":{"a":${emptyObjects(length)}}}`
const sought = Object.fromEntries(listOf(48, (at) => [`field${at}`, at]))
const key = { 'idempotency-key': 'key' }

const cases: Readonly<Record<string, Case>> = {
  'create a company with 35,000 contacts': {
    ...{ goal: 'values', records: { contacts }, id: 'createCompany', body: { name: 'A', contacts: ids(35_000) } },
    status: 201,
  },
  'update a company with 35,000 contacts': {
    ...{ goal: 'values', records: { contacts, companies: [{ ...company, contacts: ids(34_999) }] } },
    ...{ id: 'updateCompany', path: idAt(0), body: { contacts: ids(35_000) } },
  },
  'create a deal with 35,000 contacts': {
    ...{ goal: 'values', records: { contacts }, id: 'createDeal', body: { ...deal, contacts: ids(35_000) } },
  },
  'create a contact in 10,000 groups': {
    ...{ records: { groups: ids(10_000) }, id: 'createContact', body: { ...person, groupIds: ids(10_000) } },
    status: 201,
  },
  'refuse 340,000 empty objects': {
    ...{ goal: 'values', id: 'createContact', body: withObjects(340_000), status: 400 },
  },
  'store 24,000 empty objects, with a key': {
    ...{ goal: 'values', id: 'createContact', headers: key, body: withObjects(24_000), status: 201 },
  },
  'store 9,000 fields, with a key': {
    ...{ goal: 'values', id: 'createContact', headers: key, status: 201 },
    body: { ...person, ...Object.fromEntries(listOf(9_000, (at) => [`field${at}`, at])) },
  },
  'refuse a form of 20,000 parts': {
    ...{ id: 'createTemplate', headers: { 'content-type': 'multipart/form-data; boundary=b' }, status: 400 },
    body: `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(20_000)}--b--\r\n`,
  },
  'create a contact with the address of 30,000': {
    ...{ records: namesakes, id: 'createContact', body: { ...person, ...address }, status: 201 },
  },
  'create a contact with the address of 30,000 in other capitals': {
    ...{ records: namesakes, assume: { addressCompare: 'exact' }, id: 'createContact', status: 201 },
    body: { ...person, email: 'Ada@example.com' },
  },
  'update a contact to the address of 30,000': {
    ...{ records: { contacts: [...namesakes.contacts, contact(30_000)] }, id: 'updateContact', path: idAt(30_000) },
    body: address,
  },
  'upsert with the address of 30,000': {
    ...{ records: namesakes, id: 'createOrUpdateContact', body: { ...person, ...address } },
  },
  'find or create a conversation by the address of 30,000': {
    ...{ records: namesakes, id: 'findOrCreateConversation', body: address },
  },
  'create a contact with a conversation by the address of 30,000': {
    ...{ records: namesakes, id: 'createContactWithConversation', body: { ...person, ...address } },
  },
  'send to the address of 30,000': {
    ...{ records: namesakes, id: 'sendMessage' },
    body: { channel: 'sms', content: 'Hello', providerId: 'sms-provider', to: address.phone },
  },
  'delete 10,000 contacts by e-mail': {
    ...{ records: someNamesakes, id: 'deleteContactsByEmail', query: `email=${address.email}` },
  },
  'delete 10,000 contacts of one company by e-mail': {
    records: { ...someNamesakes, companies: [{ ...company, contacts: ids(10_000) }] },
    ...{ id: 'deleteContactsByEmail', query: `email=${address.email}` },
  },
  'delete the company of 10,000 contacts': {
    records: { contacts: someNamesakes.contacts.map((one) => ({ ...one, company: idAt(0) })), companies: [company] },
    ...{ id: 'deleteCompany', path: idAt(0) },
  },
  'delete a contact with 30,000 messages': { records: messages, id: 'deleteContact', path: idAt(0) },
  'list 30,000 messages': {
    ...{ records: messages, id: 'listMessages', path: idAt(0), query: 'page=1&limit=30000' },
  },
  'list 30,000 messages by days': {
    ...{
      records: messages,
      assume: { historyCounts: 'days' },
      id: 'listMessages',
      path: idAt(0),
      query: 'page=1&limit=10',
    },
  },
  'list 30,000 templates of several types': {
    ...{ records: { templates: listOf(30_000, template) }, id: 'listTemplates' },
    query: 'page=1&limit=30000&types=sms&types=email&statuses=approved&statuses=pending',
  },
  'list templates with 1,000 filters': {
    ...{ id: 'listTemplates', query: `page=1&limit=10&${'types=sms&'.repeat(500)}${'statuses=approved&'.repeat(500)}` },
  },
  'send an e-mail to 1,500 contacts': {
    ...{ records: { contacts }, id: 'sendEmailMessage', body: { ...email, recipientIds: ids(1_500) } },
  },
  'send a long e-mail with merge fields to 60 contacts': {
    ...{ records: { contacts }, id: 'sendEmailMessage' },
    body: { ...email, content: 'Hello {{firstName}} '.repeat(6_000), recipientIds: ids(60) },
  },
  'queue a message to 35,000 addresses': {
    ...{ records: { contacts }, id: 'sendBulkMessages' },
    body: { ...email, to: contacts.map((one) => one.email).join() },
  },
  'create beside 1,000 faults that look for 49 fields': {
    ...{ faults: 1_000, id: 'createContact', status: 201 },
    body: { ...person, additionalFields: { ...sought, last: 1 } },
  },
  'refuse a list of 200,000 commas': {
    ...{ id: 'sendBulkMessages', body: { ...email, to: ','.repeat(200_000) }, status: 400 },
  },
  'refuse 1,600 attachments with a misspelt field each': {
    ...{ goal: 'values', id: 'sendLiveMessage', records: ofOne, status: 400 },
    body: { ...chat, attachments: listOf(1_600, (at) => ({ ...attachment, [`fileNam${at}`]: 1 })) },
  },
  'send 24,000 empty attachments': {
    ...{ goal: 'values', id: 'sendLiveMessage', records: ofOne },
    body: JSON.stringify({ ...chat, attachments: [] }).replace('[]', emptyObjects(24_000)),
  },
}

async function ask(sandbox: Sandbox, { id, path = '', query = '', body, headers = {} }: Case): Promise<Response> {
  const { method, path: documented } = operations[id]
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return sandbox.fetch(`${documented.replace(/\{\w+\}/, path)}?${query}`, {
    method: method.toUpperCase(),
    headers: { 'x-api-key': 'acme-key', ...type, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

it.each(someOf(cases))('%s holds others for few steps', async (name, one) => {
  const { goal = 'records', records = {}, assume = {}, status = 200 } = one
  const sandbox = await startSandbox({ world: worldOf(records), assume })
  const where = { additionalFields: { ...sought, last: 0 } }
  for (let added = 0; added < (one.faults ?? 0); added++)
    await sandbox.faults.add({ operation: one.id, phase: 'beforeCommit', status: 500, where })
  // Compiles the schemas.
  await ask(sandbox, { ...one, headers: {}, ...(one.body === undefined ? { path: 'none', query: '' } : { body: {} }) })
  let answer: Response | undefined
  const most = await mostBetweenTurns(async () => {
    answer = await ask(sandbox, one)
  })
  expect([answer?.status, await answer?.text()]).toEqual([status, expect.anything()])
  expectWithin(`steps in a row: ${name}`, most, goals[goal])
})

import { describe, expect, it } from 'vitest'
import { Judge } from '../../../contracts/judge/judge.ts'
import { parseRequest } from '../../../contracts/judge/parse-request.ts'
import { contact } from '../client/helpers.ts'

// A law is silent, or excuses a read, wherever an honest server may answer in this way.

interface Asked {
  readonly caller?: string
  readonly role?: string
  readonly at?: number
  readonly key?: string
}

const pagination = { totalResults: 1, totalPages: 1, currentPage: 1, limit: 10, hasMore: false }

/** A judge, and a client whose requests can be in flight together. */
function judging(isAlone = true) {
  const judge = new Judge({ isAlone })
  const begin = (line: string, body?: object, { caller = 'acme', role = 'team', at = 1, key }: Asked = {}) => {
    const [method = '', path = ''] = line.split(' ')
    const headers = { 'x-api-key': caller, 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) }
    const bytes = body && Buffer.from(JSON.stringify(body))
    const request = parseRequest({ method, url: `/api/${path}`, headers, bytes, at, caller, role })
    if (!request) throw new Error(`${line} is no operation`)
    const open = judge.begin(request)
    const answer = (status: number, data?: unknown, message = 'Done') => {
      const text = JSON.stringify({
        success: status < 400,
        message: status === 404 ? 'Resource not found' : message,
        data,
        ...(Array.isArray(data) && { pagination }),
      })
      const { statements } = judge.end(open, { status, headers: { 'content-type': 'application/json' }, text })
      return statements.flatMap(({ promise, holds, mayLag }) => (holds ? [] : [mayLag ? `${promise} (lag)` : promise]))
    }
    return { answer, lose: () => judge.lose(open) }
  }
  const names = { firstName: 'Ada', lastName: 'Lovelace' }
  begin('POST contacts', names).answer(201, contact)
  return { begin, update: (body: object) => begin('PUT contacts/c1', body) }
}

const kept = 'contact.updateKeepsTheRest'
const augusta = { ...contact, firstName: 'Augusta' }

it('a value that no write changed is judged', () =>
  expect(judging().update({ lastName: 'Lovelace' }).answer(200, augusta)).toEqual([kept]))

it('a write that overlaps another may show or change either value', () => {
  const { update } = judging()
  const [one, other] = [update({ firstName: 'Augusta' }), update({ lastName: 'Lovelace' })]
  expect(other.answer(200, augusta)).toEqual([])
  expect(one.answer(200, augusta)).toEqual([])
  expect(update({ lastName: 'Lovelace' }).answer(200, contact)).toEqual([])
})

it.each([
  ['no answer', undefined],
  ['a server error', 500],
])('a write with %s may have been carried out', (_, status) => {
  const { update } = judging()
  const write = update({ firstName: 'Augusta' })
  if (status === undefined) write.lose()
  else write.answer(status)
  expect(update({ lastName: 'Lovelace' }).answer(200, augusta)).toEqual([])
})

it('a repeated key may show the first answer', () => {
  const { begin, update } = judging()
  begin('PUT contacts/c1', { source: 'Web' }, { key: 'k' }).answer(200, { ...contact, source: 'Web' })
  update({ firstName: 'Augusta' }).answer(200, augusta)
  const again = begin('PUT contacts/c1', { source: 'Web' }, { key: 'k' })
  expect(again.answer(200, { ...contact, source: 'Web' })).toEqual([])
})

const template = {
  _id: 't1',
  templateType: 'sms',
  name: 'Hours',
  uniqueName: 'hours',
  content: 'At 9',
  status: 'approved',
}
const list = 'templates?page=1&limit=10&types=sms&statuses=approved'

it.each([
  ['a read', 'GET templates/t1', (shown: object) => shown],
  ['a list', `GET ${list}`, (shown: object) => [shown]],
])('%s may show an earlier value for a while, and no value that was never true', (_, read, asShown) => {
  const { begin } = judging()
  const { _id, status, ...body } = template
  begin('POST templates', { ...body, provider: 'p' }).answer(201, template)
  begin('PUT templates/t1', { templateType: 'sms', content: 'At 10' }).answer(200, { ...template, content: 'At 10' })
  expect(begin(read).answer(200, asShown(template))).toEqual(['template.updateIsKept (lag)'])
  expect(begin(read).answer(200, asShown({ ...template, content: 'At 11' }))).toEqual(['template.updateIsKept'])
})

it('a read may still show a deleted record for a while', () => {
  const { begin } = judging()
  const { _id, status, ...body } = template
  begin('POST templates', { ...body, provider: 'p' }).answer(201, template)
  begin('DELETE templates/t1').answer(200)
  expect(begin('GET templates/t1').answer(200, template)).toEqual(['template.deletedIsGone (lag)'])
})

it('a record that this traffic did not make, or that others may write to, is not judged', () => {
  const { begin } = judging()
  const of = (name: object) => ({ ...contact, _id: 'c2', ...name })
  begin('PUT contacts/c2', { source: 'Web' }).answer(200, of({ source: 'Web' }))
  expect(begin('PUT contacts/c2', { source: 'Web' }).answer(200, of({ source: 'Web', firstName: 'Eve' }))).toEqual([])
  expect(judging(false).update({ lastName: 'Lovelace' }).answer(200, augusta)).toEqual([])
})

it.each([
  ['capitals of an e-mail address', { email: 'Ada@Example.com' }, { email: 'ada@example.com' }],
  ['signs in a phone number', { phone: '+1 415 555 0101' }, { phone: '+14155550101' }],
  ['null for no value', { source: '' }, { source: null }],
  ['a rounded time', {}, { createdAt: '2026-03-01T09:30:00Z' }],
])('%s may be written in another way', (_, sent, shown) => {
  const { begin, update } = judging()
  begin('PUT contacts/c1', sent).answer(200, { ...contact, ...sent })
  expect(update({ lastName: 'Lovelace' }).answer(200, { ...contact, ...shown })).toEqual([])
})

it('the category of a template may move by itself, and so may the status of a contact once it is written to', () => {
  const { begin, update } = judging()
  const whatsapp = { ...template, templateType: 'whatsapp', category: 'UTILITY', language: 'en' }
  const { _id, status, ...body } = whatsapp
  begin('POST templates', { ...body, provider: 'p' }).answer(201, { ...whatsapp, status: 'pending' })
  expect(begin('GET templates/t1').answer(200, { ...whatsapp, category: 'MARKETING' })).toEqual([])

  update({ status: 'closed' }).answer(200, { ...contact, status: 'closed' })
  const message = { _id: 'm1', channel: 'chat', direction: 'outgoing', content: 'Hi', status: 'sent' }
  const shown = { ...message, conversationId: 'v1', contactId: 'c1', createdAt: contact.createdAt }
  begin('POST messages/sendLiveMessage', { channel: 'chat', content: 'Hi', contactId: 'c1' }).answer(200, shown)
  expect(update({ lastName: 'Lovelace' }).answer(200, { ...contact, status: 'open' })).toEqual([])
})

it('a 404 for an update may be about a stage that it names', () => {
  const { begin } = judging()
  const deal = { name: 'Engine', pipeline: 'sales', stage: 'new' }
  begin('POST deals/create', deal).answer(200, { _id: 'd1', ...deal })
  expect(begin('PUT deals/edit/d1', { name: 'Mill' }).answer(404)).toEqual(['deal.updateAnswers200 (lag)'])
  expect(begin('PUT deals/edit/d1', {}, { at: 3000 }).answer(404)).toEqual(['deal.updateAnswers200'])
  expect(begin('PUT deals/edit/d1', { stage: 'won' }).answer(404)).toEqual([])
})

it('the list of an agent may hold templates that a key made, which may be the key of the agent, and none of the admin', () => {
  const { begin } = judging()
  const made = (['agent', 'team', 'admin'] as const).map((role) => ({ ...template, _id: role, uniqueName: role }))
  for (const { _id, status, ...body } of made)
    begin('POST templates', { ...body, provider: 'p' }, { role: _id }).answer(201, { ...body, _id, status })
  const [own, ofKey, ofAdmin] = made
  expect(begin(`GET ${list}`, undefined, { role: 'agent' }).answer(200, [own, ofKey])).not.toContain(onlyOwn)
  expect(begin(`GET ${list}`, undefined, { role: 'team' }).answer(200, [own, ofAdmin])).not.toContain(onlyOwn)
  expect(begin(`GET ${list}`, undefined, { role: 'agent' }).answer(200, [own, ofAdmin])).toContain(onlyOwn)
})
const onlyOwn = 'access.agentsListTheirOwnTemplates'

it('an admin lists the templates of others, in whatever status a WhatsApp template is by then', () => {
  const { begin } = judging()
  const { status: _, ...body } = { ...template, templateType: 'whatsapp' }
  begin('POST templates', { ...body, provider: 'p' }, { role: 'agent' }).answer(201, { ...body, status: 'pending' })
  const lacks = (statuses: string, role: string) =>
    begin(`GET templates?page=1&limit=10&types=whatsapp&${statuses}`, undefined, { role }).answer(200, [])
  const every = 'statuses=pending&statuses=approved&statuses=rejected'
  expect(lacks(every, 'admin')).toContain('access.adminsListAllTemplates (lag)')
  expect(lacks('statuses=pending', 'admin')).not.toContain('access.adminsListAllTemplates (lag)')
  expect(lacks(every, 'team')).not.toContain('access.adminsListAllTemplates (lag)')
})

it('a template that was found is there for the same credential until its team deletes it', () => {
  const { begin } = judging()
  const { _id, status, ...body } = template
  begin('POST templates', { ...body, provider: 'p' }, { role: 'agent' }).answer(201, template)
  expect(begin('GET templates/t1').answer(404)).toEqual([])
  begin('GET templates/t1').answer(200, template)
  expect(begin('DELETE templates/t1').answer(404)).toEqual([])
  begin('DELETE templates/t1', undefined, { caller: 'globex' }).answer(200)
  expect(begin('GET templates/t1').answer(404)).toEqual(['template.getAnswers200 (lag)'])
})

const keepsTheCompany = 'company.updateKeepsTheRest'

it('an update may show the changed fields alone, or else all that it has shown', () => {
  const { begin } = judging()
  const company = { _id: 'o1', name: 'Looms', domain: 'looms.example', teamId: 't1' }
  const { domain: _, ...rest } = company
  const change = (data: object) => begin('PUT companies/edit/o1', { industry: 'Mills' }).answer(200, data)
  begin('POST companies/create', { name: 'Looms', domain: company.domain }).answer(201, company)
  expect(change(rest)).toEqual([])
  expect(change(company)).toEqual([])
  expect(change({ _id: 'o1', industry: 'Mills' })).toEqual([])
  expect(change({ ...rest, domain: null })).toEqual([keepsTheCompany])
  expect(change(rest)).toEqual([keepsTheCompany])
})

it('a contact keeps its custom fields and groups, which may be left out while they are empty', () => {
  const { begin, update } = judging()
  const full = { ...contact, groupIds: ['g1'], additionalFields: { colour: 'red' } }
  update({ groupIds: ['g1'], additionalFields: { colour: 'red' } }).answer(200, full)
  expect(update({ source: 'Web' }).answer(200, { ...full, source: 'Web', additionalFields: undefined })).toEqual([kept])
  const empty = { ...contact, groupIds: [], additionalFields: {} }
  begin('PUT contacts/c1', { groupIds: [], additionalFields: {} }).answer(200, empty)
  expect(update({ source: 'Web' }).answer(200, { ...contact, source: 'Web' })).toEqual([])
})

it.each([
  ['Conversation already exists', []],
  ['Unterhaltung', []],
  ['Conversation created', ['conversation.createAgainSaysSo']],
])('a second conversation of a contact may come with the message %s', (message, broken) => {
  const { begin } = judging()
  const conversation = { _id: 'v1', teamId: 't1', contactId: { _id: 'c1', name: 'Ada' }, createdAt: contact.createdAt }
  begin('POST conversations', { contactId: 'c1' }).answer(201, conversation)
  expect(begin('POST conversations', { contactId: 'c1' }).answer(200, conversation, message)).toEqual(broken)
})

it('a provider that one team may name can be unknown to another', () => {
  const { begin } = judging()
  let count = 0
  const make = (caller: string, provider: string, status: number) => {
    const { _id, status: _, ...body } = { ...template, uniqueName: `hours${'s'.repeat(++count)}`, name: `N${count}` }
    return begin('POST templates', { ...body, provider }, { caller }).answer(status, {
      ...template,
      ...body,
      _id: `n${count}`,
    })
  }
  for (const [caller, own] of ['acme p', 'acme p', 'globex q', 'globex q'].map((pair) => pair.split(' ')))
    make(caller ?? '', own ?? '', 201)
  const refuse = (caller: string, provider: string) => {
    const { _id, status: _, ...body } = { ...template, uniqueName: 'hoursx', name: 'Nx' }
    return begin('POST templates', { ...body, provider }, { caller }).answer(400)
  }
  expect(refuse('globex', 'p')).toEqual([])
})

describe('an address that led to a contact leads to it again', () => {
  const email = 'Ada@example.com'
  const phone = '+12015550100'
  const find = 'POST conversations/getConversationByPhoneAndEmail'
  const of = (id: string) => ({
    ...{ _id: `v${id}`, teamId: 't1', createdAt: contact.createdAt },
    contactId: { _id: id, name: 'Ada', email, phoneNumber: phone },
  })
  const chat = { channel: 'chat', content: 'Hi', to: phone }
  const sent = { _id: 'm1', channel: 'chat', direction: 'outgoing', content: 'Hi', status: 'sent' }
  const reached = { ...sent, contactId: 'c9', conversationId: 'vc9', createdAt: contact.createdAt }

  it.each([
    ['POST messages/sendLiveMessage', chat, reached, ['message.knownContactIsReached (lag)']],
    [find, { email }, of('c9'), ['conversation.findAgainIsTheSame (lag)']],
    // It may have led to a second contact, which is then found as well.
    [find, { email: email.toLowerCase() }, of('c9'), []],
  ])('%s %j', (line, body, shown, broken) => {
    const { begin } = judging()
    begin(find, { email, phone }).answer(200, of('c8'))
    expect(begin(line, body).answer(200, shown)).toEqual(broken)
    expect(begin(line, body).answer(200, shown)).toEqual([])
  })

  it('unless an older contact may have the same number', () => {
    const { begin } = judging()
    begin('POST contacts', { firstName: 'Ada', lastName: 'L', phone }).answer(201, { ...contact, _id: 'c8', phone })
    expect(begin('POST messages/sendLiveMessage', chat).answer(200, reached)).toEqual([])
  })

  it('unless a repeated key may have made a second contact', () => {
    const { begin } = judging()
    for (let time = 0; time < 2; time++) begin(find, { email, phone }, { key: 'k' }).answer(200, of('c8'))
    expect(begin(find, { email }).answer(200, of('c9'))).toEqual([])
  })

  it('unless another request with it is in flight', () => {
    const { begin } = judging()
    begin(find, { email, phone }).answer(200, of('c8'))
    const [one, other] = [begin(find, { email }), begin('PUT contacts/c8', { email: 'grace@example.com' })]
    expect(one.answer(200, of('c9'))).toEqual([])
    other.lose()
  })
})

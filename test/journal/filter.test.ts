import { expect, it } from 'vitest'
import { matches, type Wanted } from '../../mock/journal/filter.ts'
import type { LogEntry } from '../../mock/journal/journal.ts'

const entry = {
  operation: 'updateContact',
  team: 'acme',
  url: '/api/contacts/a%40b?email=query%40example.com',
  status: 201,
  assumed: ['keyScope'],
  learned: ['contactMatching'],
  sent: JSON.stringify({
    email: 'body@example.com',
    address: { city: 'London' },
    'a.b': 1,
    a: { b: 2 },
    files: [{ type: 'image' }],
  }),
} as unknown as LogEntry

it.each<[boolean, Wanted, Partial<LogEntry>?]>([
  [true, { assumed: 'keyScope' }],
  [true, { assumed: 'contactMatching' }],
  [false, { assumed: 'numberRange' }],
  [true, { status: '201' }],
  [false, { status: '202' }],
  [false, { status: '4xx' }],
  [true, { where: { email: 'body@example.com' } }],
  [true, { where: { email: 'query@example.com' } }],
  [false, { where: { email: 'else@example.com' } }],
  [false, { where: { email: 'body@example.com', address: 'London' } }],
  [true, { where: { address: { city: 'London' } } }],
  [false, { where: { address: { city: 'Paris' } } }],
  [true, { where: { files: [{ type: 'image' }] } }],
  [true, { where: { 'address.city': 'London' } }],
  [true, { where: { 'a.b': 1 } }],
  [true, { where: { 'files.0.type': 'image' } }],
  [false, { where: { 'files.1.type': 'image' } }],
  [false, { where: { constructor: Object } }],
  [false, { where: { 0: 'A' } }, { sent: '"Ada"' }],
  [false, { where: { email: 'body@example.com' } }, { sent: '{"email":' }],
  [true, { where: { contactId: 'a@b' } }],
  [true, { where: { contactId: 'a' } }, { url: '/api/contacts/a/' }],
  [true, { where: { contactId: '%zz' } }, { url: '/api/contacts/%zz' }],
])('matches a request: %s for %j with %j', (expected, wanted, others = {}) => {
  expect(matches({ ...entry, ...others }, wanted)).toBe(expected)
})

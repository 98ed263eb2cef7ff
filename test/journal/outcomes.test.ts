import { describe, expect, it } from 'vitest'
import type { ServiceResponse } from '../../mock/core/response.ts'
import { Journal, RequestIds, type Requested } from '../../mock/journal/journal.ts'

const asked: Requested = {
  id: 'one',
  method: 'POST',
  url: '/api/contacts',
  headers: {},
  startedAt: 0,
  text: '{}',
  operation: 'createContact',
  caller: { teamId: 'acme' },
}
const added = { kind: 'contacts', added: 1, updated: 0, removed: 0 } as const
const first: ServiceResponse = {
  status: 201,
  body: '{}',
  assumed: ['contactStatus'],
  learned: ['keyScope'],
  changed: [added],
}
const newJournal = () => new Journal({ now: () => 0 }, new RequestIds(1))

describe('two requests of one operation', () => {
  it.each<[string, ServiceResponse]>([
    ['status', { ...first, status: 200 }],
    ['assumptions', { ...first, assumed: ['contactMatching'] }],
    ['number of assumptions', { ...first, assumed: ['contactStatus', 'contactMatching'] }],
    ['learned choices', { ...first, learned: ['failuresKept'] }],
    ['lack of learned choices', { ...first, learned: undefined }],
    ['kind of what they changed', { ...first, changed: [{ ...added, kind: 'messages' }] }],
    ['number added', { ...first, changed: [{ ...added, added: 2 }] }],
    ['number updated', { ...first, changed: [{ ...added, updated: 2 }] }],
    ['number removed', { ...first, changed: [{ ...added, removed: 2 }] }],
  ])('that differ in %s are both kept as they were', (_what, second) => {
    const journal = newJournal()
    journal.note(asked, first)
    journal.note(asked, second)
    expect([...journal]).toMatchObject([first, second].map(({ body, ...outcome }) => ({ ...outcome, answer: body })))
  })

  it('are both kept as they were when one client left', () => {
    const journal = newJournal()
    journal.note(asked, first)
    journal.note(asked, first, true)
    expect([...journal].map(({ isCutOff }) => isCutOff)).toEqual([false, true])
  })

  it('share one object while their outcomes are alike', () => {
    const journal = newJournal()
    for (let count = 0; count < 3; count++) journal.note(asked, { ...first, changed: [{ ...added }] })
    expect(new Set([...journal].map(({ changed }) => changed)).size).toBe(1)
  })
})

it('keeps no headers of a request that has none', () => {
  const journal = newJournal()
  journal.note(asked, first)
  expect([...journal][0]?.headers).toEqual([])
})

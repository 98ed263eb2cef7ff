import { describe, expect, it, onTestFinished } from 'vitest'
import { fieldsOf } from '../../client/answer.ts'
import { Client } from '../../client/client.ts'
import { idOf } from '../../client/ledger/delete-by-id.ts'
import { Ledger } from '../../client/ledger/ledger.ts'
import { finishLedger, startLedger } from '../../client/ledger/run-ledger.ts'
import { createMint } from '../../client/mint.ts'
import { createTarget } from '../../client/target/target.ts'
import { type Send, Unanswered } from '../../client/transport.ts'
import { undiciTransport } from '../../client/undici-transport.ts'
import type { Knobs } from '../other-server/knobs.ts'
import { credentials, type Lie, startOtherServer } from '../other-server/server.ts'
import { folder } from './harness.ts'

// Numbers that are kept for fiction are those of other people's test data, too.

/** A server where somebody has each number already, for a day, and the ids of these people. */
async function serverOfOthers(fields: object, knobs: Partial<Knobs>) {
  const ids: string[] = []
  const lie: Lie = ([team]) => {
    const known = new Set<unknown>()
    const aDayAgo = Date.now() - 86_400_000
    return Object.fromEntries(
      [
        'POST /api/contacts',
        'POST /api/contacts/createOrUpdateContact',
        'POST /api/conversations/getConversationByPhoneAndEmail',
        'POST /api/contacts/create-new-conversation',
      ].map((route) => [
        route,
        (original) => (given) => {
          const { phone } = (given.body ?? {}) as { phone?: unknown }
          if (typeof phone === 'string' && given.team === team && !known.has(phone)) {
            known.add(phone)
            const _id = (known.size + 4096).toString(16).padStart(24, '0')
            ids.push(_id)
            team.shelf('contact').put({ _id, phone, ...fields, createdAt: aDayAgo, updatedAt: aDayAgo })
          }
          return original(given)
        },
      ]),
    )
  }
  const server = await startOtherServer(knobs, { lie })
  onTestFinished(() => server.close())
  const [team] = server.service.teams
  const deleted = () => ids.filter((id) => team.shelf('contact').get(id) === undefined)
  return { url: server.url, ids, deleted }
}

const others = [
  ['an address', { firstName: 'Grace', email: 'grace@acme.example' }],
  ['a number alone', { firstName: 'Grace' }],
] as const

const servers: readonly [string, Partial<Knobs>][] = [
  ['finds people by their number', {}],
  ['merges contacts with one address', { sameAddress: 'merged' }],
  ['fills in a missing address', { missingAddress: 'filledIn' }],
  ['finds people by their number first', { matching: 'phoneFirst', sameAddress: 'merged', missingAddress: 'filledIn' }],
]

const operations = [
  'createContact',
  'createOrUpdateContact',
  'findOrCreateConversation',
  'createContactWithConversation',
] as const

describe.each(others.flatMap(([has, fields]) => servers.map(([does, knobs]) => [has, does, fields, knobs] as const)))(
  'A contact of somebody else with %s, on a server that %s',
  (_has, _does, fields, knobs) => {
    async function begun() {
      const server = await serverOfOthers(fields, knobs)
      const target = createTarget({ baseUrl: server.url }, { team: credentials.team })
      const { path, marks, release } = startLedger(target, new Date(), folder())
      onTestFinished(release)
      const [mint, ledger] = [createMint(marks), Ledger.open(path, marks.run, credentials.team)]
      const transport = undiciTransport(server.url)
      onTestFinished(() => transport.close())
      return { ...server, target, path, mint, ledger, transport }
    }

    it.each(operations)('is not deleted once %s has found it', async (operation) => {
      const { target, path, mint, ledger, transport, ids, deleted } = await begun()
      const { call } = new Client({ target, mint, ledger, send: transport.send })
      const [email, names] = [mint.email(), { firstName: 'Ada', lastName: 'Lovelace', source: mint.name('contract') }]
      const withNames = operation === 'findOrCreateConversation' ? {} : names
      const { source: _, ...named } = names
      const body = operation === 'createContactWithConversation' ? named : withNames
      const { fields } = await call(operation, { body: { ...body, email, phone: mint.phone() } })
      const id = idOf(fieldsOf(fields.data).contactId ?? fields.data) ?? ''
      await call('deleteContact', { path: { contactId: id } }).catch(() => undefined)
      await call('deleteContactsByEmail', { query: { email } }).catch(() => undefined)
      ledger.close()
      expect([ids.length, deleted()]).toEqual([1, []])
      const { residue } = await finishLedger(path, target, 100)
      expect(deleted()).toEqual([])
      expect(residue.length).toBe(ids.includes(id) ? 1 : 0)
    })

    it.each(operations)(
      'is not deleted when the run was killed after %s, with or without its answer',
      async (operation) => {
        for (const isLost of [false, true]) {
          const { target, path, mint, ledger, transport, ids, deleted } = await begun()
          const send: Send = async (request, timeout) => {
            const answer = await transport.send(request, timeout)
            if (isLost) throw new Unanswered('lost')
            return answer
          }
          const { call } = new Client({ target, mint, ledger, send })
          const names = operation === 'findOrCreateConversation' ? {} : { firstName: 'Ada', lastName: 'Lovelace' }
          const body = { ...names, email: mint.email(), phone: mint.phone() }
          await call(operation, { body }).catch(() => undefined)
          ledger.close()
          await finishLedger(path, target, 100)
          expect([isLost, ids.length, deleted()]).toEqual([isLost, 1, []])
        }
      },
    )
  },
)

it.each([
  ['and is known', true],
  ['and is not known', false],
])('A contact of a run that was killed an hour ago is deleted, when its time began %s', async (_, isKnown) => {
  const server = await startOtherServer()
  onTestFinished(() => server.close())
  const target = createTarget({ baseUrl: server.url }, { team: credentials.team })
  const { path, marks, release } = startLedger(target, new Date(), folder())
  onTestFinished(release)
  const [mint, ledger] = [createMint(marks), Ledger.open(path, marks.run, credentials.team)]
  const [anHourAgo, shelf] = [Date.now() - 3_600_000, server.service.teams[0].shelf('contact')]
  for (const id of ['c1', 'c2'].slice(isKnown ? 0 : 1)) {
    const [phone, times] = [mint.phone(), { createdAt: anHourAgo, updatedAt: anHourAgo }]
    const _id = id.padStart(24, '0')
    shelf.put({ _id, phone, ...times })
    const intent = {
      operation: 'createContact',
      who: 'team',
      kind: 'contact',
      emails: [],
      phones: [phone],
    } as const
    const name = ledger.intend({ ...intent, at: anHourAgo })
    if (id === 'c1') ledger.record({ created: name, id: _id, marked: true, since: anHourAgo })
  }
  ledger.close()
  expect(await finishLedger(path, target, 100)).toEqual({ residue: [], stays: [] })
  expect(shelf.all()).toEqual([])
})

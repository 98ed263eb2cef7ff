import { kindIn, kindNames, kinds, makes } from '../../../contracts/client/kinds.ts'
import { existsSync } from 'node:fs'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { Client } from '../../../contracts/client/client.ts'
import { deleteCreated } from '../../../contracts/client/clean.ts'
import { Ledger } from '../../../contracts/client/ledger.ts'
import { createMint, newMarks } from '../../../contracts/client/mint.ts'
import { rows } from '../../../contracts/client/operations.ts'
import { createTools, newSubjects } from '../../../contracts/client/tools.ts'
import { createTarget } from '../../../contracts/client/target/target.ts'
import { type Send, undiciTransport, NoResponse } from '../../../contracts/client/transport.ts'
import { createSandbox } from '../../../index.ts'
import { operations } from '../../../spec/operations.ts'
import type { OperationId } from '../../../spec/types.ts'
import { recordsIn } from './helpers.ts'
import { newFolder } from '../../for-one-test.ts'

const ids = Object.keys(operations) as OperationId[]

/** The fate of the tested request. */
const fates: Readonly<Record<string, (send: Send) => Send>> = {
  'is answered': (send) => send,
  'is not answered, though it was carried out': (send) => async (request, timeout) => {
    await send(request, timeout)
    throw new NoResponse('no answer')
  },
  'is answered with 500, though it was carried out': (send) => async (request, timeout) => ({
    ...(await send(request, timeout)),
    status: 500,
  }),
  'does not arrive': () => async () => {
    throw new NoResponse('no answer')
  },
}

// Quotes outlive their deal here, so that a remaining quote is visible.
const sandbox = await createSandbox({ port: 0, world: 'two-teams', assume: { quotesOfDeletedDeal: 'kept' } })
afterAll(() => sandbox.close())

describe.each(Object.entries(fates))('When a request %s', (fate, change) => {
  // Every operation, also those without an entry in `makes`: a missing entry leaves a record behind.
  it.each(ids)('%s leaves no trace', async (operation) => {
    const { target, records } = await ownServer()
    const before = await records()
    const ledger = Ledger.create(newFolder(), target, { ledger: 'check', ...newMarks() })
    const { send, close } = undiciTransport(target.origin)
    onTestFinished(close)
    const mint = createMint(ledger.heading)
    let sendNext = send
    const client = new Client({ target, mint, ledger, send: (...request) => sendNext(...request) })
    const tools = createTools(client, target, mint)
    const input = await rows[operation].request(newSubjects(tools), tools)

    sendNext = change(send)
    const answer = await client.call(operation, input).catch(() => undefined)
    expect(answer?.succeeded).toBe(fate === 'is answered' ? true : fate.includes('500') ? false : undefined)
    expect((await deleteCreated(ledger, target, { patience: 0 })).residue).toEqual([])
    expect(existsSync(ledger.path)).toBe(false)
    expect(await records()).toEqual(before)
  })
})

/** The sandbox with the records of its start, which no run may touch. */
async function ownServer() {
  await sandbox.reset()
  const [{ providers = [] } = {}] = (await sandbox.world()).teams
  const [emailProvider, smsProvider, whatsappProvider] = ['email', 'sms', 'whatsapp'].map(
    (wanted) => providers.find(({ channel }) => channel === wanted)?._id,
  )
  const options = { baseUrl: sandbox.url, emailProvider, smsProvider, whatsappProvider }
  return {
    target: createTarget(options, { team: 'acme-key' }),
    records: async () => recordsIn(await sandbox.world()),
  }
}

describe('A kind', () => {
  it.each(kindNames)('%s is created, shown and deleted by operations that name it', (kind) => {
    const { createdBy, shownBy, deletedBy } = kinds[kind]
    expect(makes[createdBy]?.kind).toBe(kind)
    expect([shownBy, deletedBy].map(kindIn)).toEqual([kind, kind])
    expect([createdBy, deletedBy].map((operation) => operations[operation].method)).toEqual(['post', 'delete'])
  })
})

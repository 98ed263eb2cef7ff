import fs, { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { fieldsOf } from '../../../contracts/client/answer.ts'
import { Client } from '../../../contracts/client/client.ts'
import { Ledger } from '../../../contracts/client/ledger.ts'
import { createMint, type Mint, newMarks } from '../../../contracts/client/mint.ts'
import { createTarget } from '../../../contracts/client/target/target.ts'
import { undiciTransport } from '../../../contracts/client/transport.ts'
import { cleanUp } from '../../../contracts/index.ts'
import { readAll, recordsIn, serverThatSays } from './helpers.ts'
import { refuse } from '../other-server/replies.ts'
import { credentials, type Deviation, startOtherServer } from '../other-server/server.ts'
import { usual } from '../other-server/switches.ts'
import { newFolder, serverThat, startSandbox } from '../../for-one-test.ts'

const env = { CRM_API_KEY: 'acme-key' }
const engine = (mint: Mint) => ({ name: mint.name('Engine'), unitPrice: 1 })

/** The ledger of a run that was killed. */
async function killed(
  origin: string,
  act: (ledger: Ledger, mint: Mint) => unknown,
  team = 'acme-key',
): Promise<string> {
  const target = createTarget({ baseUrl: origin }, { team })
  const ledger = Ledger.create(newFolder(), target, { ledger: 'check', ...newMarks() })
  await act(ledger, createMint(ledger.heading))
  ledger.close()
  return ledger.path
}

/** The ledger of a killed run: every answer after this number of requests was lost. */
function killedAfter(
  origin: string,
  answers: number,
  act: (client: Client, mint: Mint) => Promise<unknown>,
  team = 'acme-key',
) {
  return killed(
    origin,
    async (ledger, mint) => {
      const target = createTarget({ baseUrl: origin }, { team })
      const transport = undiciTransport(origin)
      let sent = 0
      const client = new Client({
        target,
        mint,
        ledger,
        send: async (...request) => {
          const answer = await transport.send(...request)
          return ++sent > answers ? { status: 500, headers: {}, text: '' } : answer
        },
      })
      await act(client, mint).catch(() => undefined)
      await transport.close()
    },
    team,
  )
}

async function sandbox(assume = {}) {
  const server = await startSandbox({ port: 0, world: 'two-teams', assume })
  const records = async () => recordsIn(await server.world())
  return { url: server.url, records, before: await records() }
}

const product = { operation: 'createProduct', who: 'team', kind: 'product' } as const

describe('Cleaning up after a killed run', () => {
  it('finds the record of a lost answer by its key, its unique name, its address or its number', async () => {
    const { url, records, before } = await sandbox()
    const path = await killedAfter(url, 0, async (client, mint) => {
      await client.call('createProduct', { body: engine(mint) })
      await client.call('createContact', { body: { firstName: 'Ada', lastName: 'Lovelace', email: mint.email() } })
      await client.call('findOrCreateConversation', { body: { phone: mint.phone() } })
      const template = { templateType: 'sms', name: 'Hours', content: 'At nine', provider: 'sms-provider' }
      await client.call('createTemplate', { body: { ...template, uniqueName: mint.slug('hours') } })
    })
    expect(await records()).not.toEqual(before)
    expect(await cleanUp(path, { env })).toMatchObject({ residue: [] })
    expect(await records()).toEqual(before)
    expect(existsSync(path)).toBe(false)
  })

  it('deletes nothing that a request with the same key made and that was deleted before', async () => {
    const { url, records, before } = await sandbox()
    const path = await killedAfter(url, Infinity, async (client, mint) => {
      const input = { body: engine(mint), key: mint.key() }
      const { data } = await client.call('createProduct', input)
      await client.call('createProduct', input)
      await client.call('deleteProduct', { path: { productId: data._id } })
    })
    expect(await cleanUp(path, { env })).toMatchObject({ residue: [] })
    expect(await records()).toEqual(before)
  })

  it('deletes the contact that a send made beside the contact of its response', async () => {
    const showsTheOther: Deviation = () => ({
      'POST /api/messages/sendEmailMessage': (original) => (given) => {
        const { data, ...reply } = original(given)
        return { ...reply, data: { ...fieldsOf(data), contactId: [fieldsOf(given.body).recipientIds].flat()[0] } }
      },
    })
    const { url, service, close } = await startOtherServer({}, { deviation: showsTheOther })
    onTestFinished(close)
    const send = async (client: Client, mint: Mint) => {
      const body = { firstName: 'Ada', lastName: 'Lovelace', email: mint.email() }
      const { data } = await client.call('createContact', { body })
      const message = { channel: 'email', subject: 'Hours', content: 'At nine', providerId: 'email-provider' } as const
      await client.call('sendEmailMessage', { body: { ...message, recipientIds: [data._id], to: mint.email() } })
    }
    const path = await killedAfter(url, Infinity, send, credentials.team)
    const contacts = () => service.teams[0].shelf('contact').all()
    expect(contacts()).toHaveLength(2)
    expect(await cleanUp(path, { env: { CRM_API_KEY: credentials.team } })).toMatchObject({ residue: [] })
    expect(contacts()).toEqual([])
  })

  it('reports records that are still there after their delete, and conversations that stay', async () => {
    const keeps: Deviation = () => ({
      'DELETE /api/products/:id': () => () => ({ status: 200, message: 'Product deleted' }),
      'DELETE /api/companies/delete/:id': () => () => refuse(usual, 404),
    })
    const { url, close } = await startOtherServer({ withContact: 'nothing' }, { deviation: keeps })
    onTestFinished(close)
    const keys = { CRM_API_KEY: credentials.team }
    const path = await killedAfter(
      url,
      Infinity,
      async (client, mint) => {
        for (let count = 0; count < 30; count++) await client.call('createProduct', { body: engine(mint) })
        const deal = { name: mint.name('Engine'), pipeline: 'pipe-1', stage: 'first' }
        await client.call('createDeal', { body: deal })
        await client.call('createCompany', { body: { name: mint.name('Engine') } })
        await client.call('findOrCreateConversation', { body: { email: mint.email() } })
      },
      credentials.team,
    )
    const { residue, stays } = await cleanUp(path, { env: keys })
    const why = 'its delete succeeded, and it is still there'
    expect(residue).toMatchObject([
      ...Array.from({ length: 30 }, () => ({ kind: 'product', why })),
      { kind: 'company', why: 'its delete found nothing, and it is still there' },
    ])
    expect(stays).toEqual(['conversation'])
    expect((await cleanUp(path, { env: keys })).residue).toHaveLength(31)
  })

  it('reports a record that it cannot find, on a server that ignores keys', async () => {
    const { url, records, before } = await sandbox({ repeatedKey: 'reexecute' })
    let name = ''
    const path = await killedAfter(url, 0, async (client, mint) => {
      const body = engine(mint)
      name = body.name
      await client.call('createProduct', { body })
    })
    const {
      residue: [residue],
    } = await cleanUp(path, { env })
    expect(residue).toMatchObject({ kind: 'product', what: name })
    expect(residue?.why).toContain('the server does not remember an Idempotency-Key')
    expect(JSON.stringify(await records()).split(name).length - 1).toBe(1)
    expect(JSON.stringify(before)).not.toContain(name)
    expect(existsSync(path)).toBe(true)
  })

  it.each([
    ['a lost answer', {}, ['Ada']],
    ['an answer with 500', { status: 500 }, []],
  ])('after %s to a create of a contact without an address, reports %j', async (_, outcome, reported) => {
    const body = { firstName: 'Ada', lastName: 'Lovelace' }
    const path = await killed((await sandbox()).url, (ledger) =>
      ledger.record(ledger.intend({ operation: 'createContact', who: 'team', kind: 'contact', body }), outcome),
    )
    const { residue } = await cleanUp(path, { env })
    expect(residue.map(({ what }) => what)).toEqual(reported)
    for (const { why } of residue) expect(why).toContain('nothing can find it')
  })

  it.each([
    ['shows the name of somebody else', { name: 'Loom' }, true],
    ['shows nothing, and never did', {}, false],
  ])('does not delete a record that %s', async (_, shown, isMarked) => {
    const asked: unknown[] = []
    const url = await serverThat(({ method, url }, answer) => {
      asked.push(`${method} ${url}`)
      answer.writeHead(200, { 'content-type': 'application/json' })
      answer.end(JSON.stringify({ success: true, data: shown }))
    })
    const path = await killed(url, (ledger) =>
      ledger.record(ledger.intend(product), { state: 'created', id: 'p1', isMarked }),
    )
    expect(await cleanUp(path, { env })).toMatchObject({ residue: [{ kind: 'product', what: 'p1' }] })
    expect(asked).toEqual(['GET /_sandbox/teams', 'PUT /api/products/p1'])
  })

  it('deletes no address that the run did not make up, whatever the ledger says', async () => {
    const asked: unknown[] = []
    const url = await serverThat((request, answer) => {
      asked.push(request.url)
      answer.end('{}')
    })
    const body = { email: 'ada@example.com' }
    const path = await killed(url, (ledger) =>
      ledger.intend({ operation: 'createContact', who: 'team', kind: 'contact', body }),
    )
    await cleanUp(path, { env })
    expect(asked).toEqual(['/_sandbox/teams'])
  })

  it('goes from quotes to contacts, so that no record is deleted before those that name it', async () => {
    const { url, records, before } = await sandbox({ quotesOfDeletedDeal: 'kept' })
    const path = await killedAfter(url, Infinity, async (client, mint) => {
      const body = { name: mint.name('Engine'), pipeline: 'sales', stage: 'talking' }
      const { data } = await client.call('createDeal', { body })
      await client.call('createQuote', { body: { dealId: data._id } })
    })
    expect(await cleanUp(path, { env })).toMatchObject({ residue: [] })
    expect(await records()).toEqual(before)
  })

  it('deletes a contact with a number that the server named Unknown, as it names each new contact', async () => {
    const contacts = new Map<string, object>()
    const respond = async (request: IncomingMessage, answer: ServerResponse) => {
      const id = request.url?.split('/').at(-1) ?? ''
      const { email, phone } = JSON.parse(String(await readAll(request)) || '{}') as Record<string, string>
      answer.writeHead(200, { 'content-type': 'application/json' })
      let data = contacts.get(id) ?? {}
      if (request.method === 'DELETE') contacts.delete(id)
      if (request.method === 'POST') {
        const contact = { _id: `c${contacts.size}`, name: 'Unknown', email, phone }
        contacts.set(contact._id, contact)
        data = { _id: `v${contact._id}`, contactId: contact }
      }
      answer.end(JSON.stringify({ success: true, data }))
    }
    const url = await serverThat((request, answer) => void respond(request, answer))
    const path = await killedAfter(url, Infinity, async (client, mint) => {
      await client.call('findOrCreateConversation', { body: { phone: mint.phone() } })
      await client.call('findOrCreateConversation', { body: { email: mint.email() } })
    })
    expect(contacts.size).toBe(2)
    expect(await cleanUp(path, { env })).toMatchObject({ residue: [] })
    expect(contacts.size).toBe(0)
  })

  it('reports every record when the server no longer accepts the key', async () => {
    const url = await serverThatSays(401, { success: false, message: 'Unauthorized' })
    const path = await killed(url, (ledger, mint) => ledger.intend({ ...product, key: 'k', body: engine(mint) }))
    const {
      residue: [residue],
    } = await cleanUp(path, { env })
    expect(residue?.why).toBe('createProduct answering 401 (Unauthorized)')
    await expect(cleanUp(path, { env: { CRM_API_KEY: 'globex-key' } })).rejects.toThrow('with another key')
    await expect(cleanUp(path, { env: {} })).rejects.toThrow('The key of a team is missing: set CRM_API_KEY.')
  })

  it('on another machine needs the host again', async () => {
    const path = await killed('https://crm.example.com', async () => undefined)
    await expect(cleanUp(path, { env })).rejects.toThrow('--confirm-host crm.example.com')
  })

  it('is finished even if the disk is full from then on', async () => {
    const { url, records, before } = await sandbox()
    const path = await killedAfter(url, 0, (client, mint) =>
      client.call('createContact', { body: { firstName: 'Ada', lastName: 'Lovelace', email: mint.email() } }),
    )
    const append = fs.appendFileSync
    vi.spyOn(fs, 'appendFileSync').mockImplementation((file, line) => {
      if (!String(line).startsWith('{"held"')) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      append(file, line)
    })
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await cleanUp(path, { env })).toMatchObject({ residue: [] })
    expect(await records()).toEqual(before)
    expect(existsSync(path)).toBe(false)
  })
})

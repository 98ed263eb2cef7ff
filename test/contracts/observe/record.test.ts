import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadWorld } from '../../../fixtures/load-world.ts'
import { createSandbox } from '../../../index.ts'
import { Recorder } from '../../../contracts/observe/record.ts'
import { observing } from './helpers.ts'
import { newFolder } from '../../for-one-test.ts'

/** Sends a request through the proxy, which must succeed. */
async function ask(url: string, path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<any> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { 'x-api-key': 'demo-key', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answered = (await response.json()) as { data: unknown }
  expect(response.ok, JSON.stringify(answered)).toBe(true)
  return answered.data
}

async function recording(file = 'seen.yaml') {
  const sandbox = await createSandbox({ port: 0 })
  const path = join(newFolder(), file)
  const recorder = await Recorder.open(path)
  const { url } = await observing(sandbox.url, { recorder })
  return { path, recorder, url, [Symbol.asyncDispose]: () => sandbox.close() }
}

const person = { firstName: 'Wilhelmina', lastName: 'Quackenbush', email: 'Mina@private.test', phone: '+4915112345678' }

describe('a recorded world', () => {
  it.each(['seen.yaml', 'seen.json'])('has the records seen with their ids, and can be served (%s)', async (file) => {
    await using recorded = await recording(file)
    const { url, recorder, path } = recorded
    const contact = await ask(url, '/contacts', {
      ...person,
      additionalFields: { born: 19310416193104, note: 'Mina likes tea' },
    })
    const { _id: conversationId } = await ask(url, '/conversations', { contactId: contact._id })
    const content = 'Dear Wilhelmina,\n<b class="x">call 471147114711</b>: mina@private.test'
    const message = await ask(url, '/messages/sendLiveMessage', { channel: 'chat', content, conversationId })
    await ask(url, `/messages/${conversationId as string}?page=1&limit=10`)
    const company = await ask(url, '/companies/create', { name: 'Quackenbush Ltd', domain: 'quackenbush.test' })
    const product = await ask(url, '/products', { name: 'Engine', unitPrice: 12.5 })
    const place = { pipeline: '66f0a1b2c3d4e5f60123b001', stage: '66f0a1b2c3d4e5f60123b002' }
    const deal = await ask(url, '/deals/create', { name: 'Engine for Wilhelmina', amount: 99, ...place })
    const quote = await ask(url, '/quotes', { dealId: deal._id, name: 'For {{contact.name}} Quackenbush' })
    const templates: unknown[] = await ask(url, '/templates?page=1&limit=10&types=sms&statuses=approved')
    const gone = await ask(url, '/contacts', { firstName: 'Gone', lastName: 'Soon' })
    await ask(url, `/contacts/${gone._id as string}`, undefined, 'DELETE')
    expect(recorder.write()).toBe(7 + templates.length)

    const text = readFileSync(path, 'utf8')
    expect(text).not.toMatch(
      /wilhelmina|quackenbush|mina@|likes tea|19310416193104|471147114711|private|15112345678|class=/i,
    )
    await using sandbox = await createSandbox({ world: await loadWorld(path) })
    const recordsOf = async (kind: Parameters<typeof sandbox.records>[1]) =>
      (await sandbox.records('demo', kind)).records.map(({ _id }) => _id)
    expect(await recordsOf('contacts')).toEqual([contact._id])
    expect(await recordsOf('conversations')).toEqual([conversationId])
    expect(await recordsOf('messages')).toEqual([message._id])
    expect(await recordsOf('companies')).toEqual([company._id])
    expect(await recordsOf('products')).toEqual([product._id])
    expect(await recordsOf('deals')).toEqual([deal._id])
    expect(await recordsOf('quotes')).toEqual([quote._id])
    const [shown] = (await sandbox.records('demo', 'messages')).records as { content: string }[]
    expect(shown?.content).toMatch(/^[A-Z]\w+ [A-Z]\w+,\n<b>\w+ \d{12}<\/b>: \S+@example\.com$/)
    expect(text).toMatch(/"name":"[A-Z]\w+ \{\{contact\.name\}\} [A-Z]\w+"/)
  })

  it('gives the same address the same made-up one, and another another one', async () => {
    await using recorded = await recording()
    const { url, recorder, path } = recorded
    for (const email of ['mina@private.test', 'MINA@private.test', 'other@private.test'])
      await ask(url, '/contacts', { ...person, email })
    recorder.write()
    const [team] = (await loadWorld(path)).teams
    const [one, same, other] = team?.contacts ?? []
    expect([one?.email, one?.phone]).toEqual([same?.email, other?.phone])
    expect(one?.email).toMatch(/@example\.com$/)
    expect(one?.phone).toMatch(/^\+1\d{3}55501\d\d$/)
    expect(other?.email).not.toBe(one?.email)
  })

  it('leaves an earlier recording as it is when nothing is recorded', async () => {
    await using recorded = await recording()
    const { recorder, path } = recorded
    writeFileSync(path, 'earlier')
    expect([recorder.write(), readFileSync(path, 'utf8')]).toEqual([0, 'earlier'])
  })

  it('is not written through a symbolic link', async () => {
    const path = join(newFolder(), 'seen.yaml')
    const other = join(newFolder(), 'other.yaml')
    writeFileSync(other, 'other')
    symlinkSync(other, path)
    await expect(Recorder.open(path)).rejects.toThrow(/ cannot be written \(it is a symbolic link\)\.$/)
    expect(readFileSync(other, 'utf8')).toBe('other')
  })

  it('names a file that cannot be written in one sentence', async () => {
    await expect(Recorder.open('world.txt')).rejects.toThrow(
      '--record must name a file that ends in .yaml, .yml or .json.',
    )
    await expect(Recorder.open('/proc/none/world.yaml')).rejects.toThrow(/^The world .* cannot be written \(E\w+\)\.$/)
  })
})

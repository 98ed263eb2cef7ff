import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { SandboxOptions } from '../../index.ts'
import { twoTeams } from './helpers.ts'
import { newFolder, startSandbox } from '../for-one-test.ts'

const relied = ['newContactStatus', 'newContactLifecycle', 'fieldsNotGiven']
const learnedAll = { newContactStatus: 'absent', newContactLifecycle: 'lead', fieldsNotGiven: 'empty' }

async function open(options: SandboxOptions) {
  const sandbox = await startSandbox({ world: twoTeams, ...options })
  const create = async (body: object = {}, headers: object = {}) => {
    const answer = await sandbox.fetch('/api/contacts', {
      method: 'POST',
      headers: { 'x-api-key': 'acme-key', 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace', ...body }),
    })
    return {
      status: answer.status,
      id: answer.headers.get('x-sandbox-request') ?? '',
      assumed: namesIn(answer.headers, 'x-sandbox-assumed'),
      learned: namesIn(answer.headers, 'x-sandbox-learned'),
    }
  }
  return { sandbox, create }
}

const namesIn = (headers: Headers, header: string) => headers.get(header)?.split(', ')

it('the sandbox marks an answer as learned, not as assumed, when it relied on nothing else', async () => {
  const { create } = await open({ profile: learnedAll })
  const told = await create()
  expect(told).toMatchObject({ status: 201, assumed: undefined })
  expect(told.learned?.sort()).toEqual([...relied].sort())
})

it('an answer carries both headers, each with its own, when it relied on both', async () => {
  const { create } = await open({ profile: { newContactStatus: 'open' } })
  expect(await create()).toMatchObject({
    learned: ['newContactStatus'],
    assumed: ['newContactLifecycle', 'fieldsNotGiven'],
  })
})

it('the sandbox marks a refusal as well', async () => {
  const { create } = await open({ profile: { emptyString: 'refused' } })
  expect(await create({ firstName: '' })).toMatchObject({ status: 400, learned: ['emptyString'] })
})

it('the sandbox sends no header for learned choices without a profile', async () => {
  const { create } = await open({ assume: { newContactStatus: 'absent' } })
  expect(await create()).toMatchObject({ learned: undefined, assumed: relied })
})

it('the sandbox takes a choice by hand for a guess, also where a profile says the same', async () => {
  const { sandbox, create } = await open({ profile: learnedAll, assume: { newContactStatus: 'absent' } })
  expect(await create()).toMatchObject({ assumed: ['newContactStatus'] })
  await sandbox.assumptions.set({ newContactLifecycle: 'absent' })
  expect(await create()).toMatchObject({ assumed: ['newContactStatus', 'newContactLifecycle'] })
  await sandbox.assumptions.set({ fieldsNotGiven: 'absent' }, { teamId: 'acme' })
  expect(await create()).toMatchObject({ assumed: relied, learned: undefined })
  await sandbox.assumptions.reset({ teamId: 'acme' })
  await sandbox.assumptions.reset()
  expect(await create()).toMatchObject({ assumed: ['newContactStatus'] })
})

it('the sandbox gives a repeated key the marks of its first answer', async () => {
  const { create } = await open({ profile: { ...learnedAll, repeatedKey: 'replay' } })
  const key = { 'idempotency-key': 'one' }
  await create({}, key)
  const again = await create({}, key)
  expect(again.learned).toEqual(expect.arrayContaining([...relied, 'repeatedKey']))
  expect(again.assumed ?? []).not.toContain('newContactStatus')
})

it('the sandbox records learned choices in the journal, and finds requests by them', async () => {
  const { sandbox, create } = await open({ profile: { newContactStatus: 'absent' } })
  const { id } = await create()
  const seen = await sandbox.requests.get(id)
  expect(seen).toMatchObject({ learned: ['newContactStatus'], assumed: ['newContactLifecycle', 'fieldsNotGiven'] })
  expect(seen.answered.headers).toMatchObject({ 'x-sandbox-learned': 'newContactStatus' })
  for (const assumed of ['newContactStatus', 'newContactLifecycle'])
    expect(await sandbox.requests.count({ assumed })).toBe(1)
  expect((await sandbox.assumptions.get('newContactStatus')).relied).toBe(1)
})

it('the sandbox takes a profile from a file, and refuses one that is none with a sentence', async () => {
  const path = join(newFolder(), 'learned.yaml')
  writeFileSync(path, 'newContactStatus: absent # none, until one is set; seen 2026-11-22\n')
  const { create } = await open({ profile: path })
  expect((await create()).learned).toEqual(['newContactStatus'])
  writeFileSync(path, 'newContactStatus: sideways\n')
  await expect(open({ profile: path })).rejects.toThrow(
    `The profile ${path} cannot be used. newContactStatus must be open or absent.`,
  )
  await expect(open({ profile: 7 as unknown as string })).rejects.toThrow('must be a file, or an object with choices')
})

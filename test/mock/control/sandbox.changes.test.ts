import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../../mock/create-sandbox.ts'
import { callerOf, twoTeams } from '../helpers.ts'
import { contact, itRefuses, type RefusedCall, stores, unknown } from './refused.ts'
import { newFolder, startSandbox } from '../../for-one-test.ts'

async function open(options: Partial<SandboxOptions> = {}) {
  const sandbox = await startSandbox({ world: twoTeams, ...options })
  const call = callerOf(sandbox)
  const add = async (firstName: string, key = 'acme-key') =>
    (await call('createContact', { key, body: contact(firstName) })).body.data._id as string
  return { sandbox, call, add }
}

describe.each(stores)('changes on the %s store', (_, options) => {
  it('are the records created, updated and deleted since the last reset, by kind and in order', async () => {
    const { sandbox, call, add } = await open(await options())
    expect(await sandbox.changes()).toEqual({})
    const ada = await add('ada')
    await add('grace')
    await call('updateContact', { path: { contactId: ada }, body: { lastName: 'Lovelace' } })
    await call('createCompany', { body: { name: 'Engines' } })
    const changes = await sandbox.changes()
    expect(changes).toMatchObject({
      contacts: {
        created: [{ firstName: 'ada', lastName: 'Lovelace', teamId: 'acme' }, { firstName: 'grace' }],
        updated: [],
        deleted: [],
      },
      companies: { created: [{ name: 'Engines' }] },
    })
    expect(Object.keys(changes)).not.toContain('answers')
    await sandbox.reset()
    expect(await sandbox.changes()).toEqual({})
  })

  it('since a snapshot have each changed field before and after', async () => {
    const { sandbox, call, add } = await open(await options())
    const [ada, grace] = [await add('ada'), await add('grace')]
    await sandbox.snapshots.save('before')
    await call('updateContact', { path: { contactId: ada }, body: { lastName: 'Lovelace', source: 'Website' } })
    await call('deleteContactsByEmail', { query: { email: 'grace@example.com' } })
    const { contacts, ...others } = await sandbox.changes({ since: 'before' })
    expect(contacts?.created).toEqual([])
    expect(contacts?.deleted).toMatchObject([{ _id: grace, firstName: 'grace', teamId: 'acme' }])
    expect(contacts?.updated).toMatchObject([
      {
        _id: ada,
        teamId: 'acme',
        fields: { lastName: { before: 'L', after: 'Lovelace' }, source: { after: 'Website' } },
      },
    ])
    expect(Object.keys(contacts?.updated[0]?.fields ?? {}).filter((name) => name !== 'updatedAt')).toEqual([
      'lastName',
      'source',
    ])
    expect(others).toEqual({})
    await sandbox.snapshots.restore('before')
    expect(await sandbox.changes({ since: 'before' })).toEqual({})
  })

  it('of a team that a test has created begin with its creation', async () => {
    const { sandbox, add } = await open(await options())
    await add('ada')
    const { id, crm } = await sandbox.team({ from: 'team:acme' })
    await crm.createContact({ firstName: 'Grace', lastName: 'Hopper' })
    const { contacts } = await sandbox.changes({ teamId: id })
    expect(contacts?.created.map(({ firstName, teamId }) => [firstName, teamId])).toEqual([['Grace', id]])
    await sandbox.teams.reset(id)
    expect(await sandbox.changes({ teamId: id })).toEqual({})
  })

  it('since a snapshot are also of the teams that were created and deleted since', async () => {
    const { sandbox, add } = await open(await options())
    await add('ada')
    await sandbox.snapshots.save('before')
    await sandbox.teams.delete('acme')
    const { teamId } = await sandbox.teams.create({ name: 'Initech' })
    const { contacts, providers } = await sandbox.changes({ since: 'before' })
    expect(contacts?.deleted).toMatchObject([{ firstName: 'ada', teamId: 'acme' }])
    expect(providers?.deleted).toHaveLength(3)
    expect(providers?.created.map((one) => one.teamId)).toEqual([teamId, teamId, teamId])
    expect((await sandbox.changes({ since: 'before', teamId: 'acme' })).contacts?.deleted).toHaveLength(1)
    expect(Object.keys(await sandbox.changes({ since: 'before', teamId }))).toEqual(['providers'])
  })

  it('since a snapshot of one team are of that team', async () => {
    const { sandbox, add } = await open(await options())
    await sandbox.snapshots.save('of-acme', { teamId: 'acme' })
    await add('ada')
    await add('hedy', 'globex-key')
    const { contacts } = await sandbox.changes({ since: 'of-acme' })
    expect(contacts?.created.map(({ firstName }) => firstName)).toEqual(['ada'])
  })
})

it('compares with a snapshot after a restart, and with what a loaded world had', async () => {
  const store = `file:${join(newFolder(), 'crm.json')}`
  const first = await createSandbox({ world: twoTeams, store })
  const body = { ...contact('ada'), additionalFields: { tags: ['a', 'b'] } }
  await callerOf(first)('createContact', { body })
  await first.snapshots.save('before')
  await first.close()
  const { sandbox } = await open({ store })
  expect(await sandbox.changes({ since: 'before' })).toEqual({})
  expect(Object.keys(await sandbox.changes())).toEqual(['contacts'])
  await sandbox.loadWorld(await sandbox.world())
  expect(await sandbox.changes()).toEqual({})
})

it('says in the message how many records of each kind changed', async () => {
  const { sandbox, call, add } = await open()
  const messageOf = async () =>
    ((await (await sandbox.fetch('/_sandbox/changes')).json()) as { message: string }).message
  expect(await messageOf()).toBe('Nothing changed')
  await add('ada')
  await add('grace')
  await call('createCompany', { body: { name: 'Engines' } })
  expect(await messageOf()).toBe('2 contacts created, 1 company created')
})

describe('changes that cannot be read', () => {
  const wrong: RefusedCall[] = [
    [
      'since an unknown snapshot',
      ({ changes }) => changes({ since: 'savd' }),
      'there is no snapshot savd; did you mean saved?',
      404,
    ],
    ['since the file of another', ({ changes }) => changes({ since: '../saved' }), ...unknown],
    [
      'of an unknown team',
      ({ changes }) => changes({ teamId: 'acm' }),
      'there is no team acm; did you mean acme?',
      404,
    ],
    ['of an unknown team since a snapshot', ({ changes }) => changes({ since: 'saved', teamId: 'acm' }), ...unknown],
    [
      'of another team than that of the snapshot',
      ({ changes }) => changes({ since: 'of-acme', teamId: 'globex' }),
      'teamId must be that of a team in the snapshot: acme',
    ],
    [
      'with an unknown field',
      ({ changes }) => changes({ sinc: 'saved' } as object),
      'sinc is not a field of this request (did you mean since?), which takes since, teamId',
    ],
  ]

  itRefuses(wrong, {}, async ({ snapshots }) => {
    await snapshots.save('saved')
    await snapshots.save('of-acme', { teamId: 'acme' })
  })
})

describe('changes.expect', () => {
  const ada = { email: 'ada@example.com', lastName: 'L' }

  it('resolves when only the expected records changed, whatever their ids and times', async () => {
    const { sandbox, call, add } = await open()
    await sandbox.changes.expect({})
    const [id] = [await add('ada'), await add('grace')]
    const { contacts } = await sandbox.changes()
    const later = contacts?.created.map((one) => ({ ...one, _id: 'another', createdAt: '2031-01-01T00:00:00.000Z' }))
    await sandbox.changes.expect({ contacts: { created: later ?? [] } }, { teamId: 'acme' })
    await sandbox.snapshots.save('before')
    await call('updateContact', { path: { contactId: id }, body: { lastName: 'Byron' } })
    await call('deleteContactsByEmail', { query: { email: 'grace@example.com' } })
    await sandbox.changes.expect(
      {
        contacts: {
          updated: [{ _id: id, fields: { lastName: { before: 'L', after: 'Byron' } } }],
          deleted: [{ firstName: 'grace' }],
        },
      },
      { since: 'before' },
    )
  })

  it.each<[object, string[]]>([
    [{}, ['contacts created: not expected {"']],
    [{ contacts: { created: [ada, {}] } }, ['contacts created: missing {}']],
    [
      { contacts: { created: [{ ...ada, lastName: 'Byron' }] }, deals: { deleted: [{ name: 'Engine' }] } },
      ['contacts created: lastName is "L", not "Byron"', 'deals deleted: missing {"name":"Engine"}'],
    ],
    [
      { contacts: { created: [{ ...ada, phone: '+14155550177' }] } },
      ['contacts created: phone is missing, not "+14155550177"'],
    ],
  ])('rejects %j with a line for each difference', async (expected, lines) => {
    const { sandbox, add } = await open()
    await add('ada')
    const refusal = await sandbox.changes.expect(expected).catch(String)
    const [first, ...others] = String(refusal).split('\n  ')
    expect(first).toMatch(/: [Tt]he changes are not as expected:$/)
    expect(others).toEqual(lines.map((line) => expect.stringContaining(line) as string))
  })

  it('names the fields of an update that differ, and those that no one expected', async () => {
    const { sandbox, call, add } = await open()
    const id = await add('ada')
    await sandbox.snapshots.save('before')
    await call('updateContact', { path: { contactId: id }, body: { lastName: 'Byron', source: 'Website' } })
    const expectFields = (fields: object) =>
      sandbox.changes.expect({ contacts: { updated: [{ _id: id, fields }] } }, { since: 'before' })
    await expect(expectFields({ lastName: { after: 'King' } })).rejects.toThrow(
      'contacts updated: lastName after is "Byron", not "King", source changed to "Website"',
    )
    await expect(expectFields({ lastName: {}, source: {}, email: {} })).rejects.toThrow('email did not change')
  })

  it.each([
    [{ contact: {} }, 'expected has the unknown kind contact; close to it: contacts'],
    [
      { contacts: { created: [{ emial: 'a' }] } },
      'expected names the unknown field emial of contacts; close to it: email',
    ],
    [
      { contacts: { updated: [{ fields: { lastNam: {} } }] } },
      'unknown field lastNam of contacts; close to it: lastName',
    ],
    [{ contacts: { create: [] } }, /create\b.*created/],
    [{ contacts: { created: ['ada'] } }, /created.* an object of fields/],
    [[], 'expected must be a JSON object'],
  ])('refuses the expectation %j in one sentence', async (expected, sentence) => {
    const { sandbox } = await open()
    await expect(sandbox.changes.expect(expected as object)).rejects.toThrow(sentence)
  })
})

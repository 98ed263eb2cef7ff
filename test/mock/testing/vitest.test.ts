import { afterAll, describe, expect, expectTypeOf, it, onTestFinished, test as base, vi } from 'vitest'
import type { ControlClient } from '../../../mock/testing/control-client.ts'
import { createSandbox, type Sandbox, type Team } from '../../../index.ts'
import { sandboxFixtures } from '../../../mock/testing/vitest.ts'

const test = base.extend(sandboxFixtures())

const seen: { sandbox: Sandbox; team: Team }[] = []

describe('the fixtures', () => {
  test('give a sandbox and a team', async ({ sandbox, team }) => {
    seen.push({ sandbox, team })
    expectTypeOf(sandbox).toEqualTypeOf<Sandbox>()
    expectTypeOf(team).toEqualTypeOf<Team>()
    const { data: ada } = await team.crm.createContact({ firstName: 'Ada', lastName: 'Lovelace' })
    expect(ada.teamId).toBe(team.id)
    expect(team.name).toBe('give a sandbox and a team')
    expect((await sandbox.teams.list()).map(({ teamId }) => teamId)).toEqual(['demo', team.id])
  })

  test('give the same sandbox to each test, and another team', async ({ sandbox, team }) => {
    expect(sandbox).toBe(seen[0]?.sandbox)
    expect(team.id).not.toBe(seen[0]?.team.id)
    expect((await sandbox.teams.list()).map(({ teamId }) => teamId)).toEqual(['demo', team.id])
  })

  test('let a test remove its team', async ({ sandbox, team }) => {
    await sandbox.teams.delete(team.id)
    expect((await team.fetch('/api/quotes', { method: 'POST' })).status).toBe(401)
  })

  test('let a test reset its sandbox', async ({ sandbox, team }) => {
    await sandbox.reset()
    expect((await team.fetch('/api/quotes', { method: 'POST' })).status).toBe(401)
  })

  test.for(['with \u0000 and \n in it', 'x'.repeat(300), '👩‍🚀'.repeat(60), ' '])('name a team after %s', (_, { team }) =>
    expect(team.name.length).toBeGreaterThan(0),
  )

  test('name a team, though it is '.padEnd(5000, 'x'), ({ team }) => expect(team.name).toHaveLength(100))
})

const withOptions = base.extend(sandboxFixtures({ world: 'two-teams', assume: { newContactStatus: 'absent' } }))

withOptions('start the sandbox that is asked for', async ({ sandbox, team }) => {
  expect(await sandbox.teams.list()).toHaveLength(3)
  const { data } = await team.crm.createContact({ firstName: 'Ada', lastName: 'Lovelace' })
  expect(data.status).toBeUndefined()
  expect(sandbox).not.toBe(seen[0]?.sandbox)
})

const controlToken = 'a-token-of-16-letters'
const elsewhere = await createSandbox({ port: 0, controlToken })
afterAll(() => elsewhere.close())

const elsewhereTest = base.extend(sandboxFixtures({ url: elsewhere.url, token: controlToken }))

describe('a sandbox over HTTP', () => {
  elsewhereTest('gets the teams', async ({ sandbox, team }) => {
    expectTypeOf(sandbox).toEqualTypeOf<ControlClient>()
    const { data } = await team.crm.createContact({ firstName: 'Ada', lastName: 'Lovelace' })
    const { teams } = await elsewhere.world()
    expect(teams.find(({ _id }) => _id === team.id)?.contacts?.map(({ _id }) => _id)).toEqual([data._id])
    expect((await team.fetch('/openapi.json')).status).toBe(200)
    await expect(team.fetch('http://127.0.0.1:9/')).rejects.toThrow(`This fetch only asks ${elsewhere.url}, not`)
  })

  it('has no team left after its test', async () => {
    expect((await elsewhere.teams.list()).map(({ teamId }) => teamId)).toEqual(['demo'])
  })
})

it('print at the end of a worker what the requests have covered, with the option for it', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  for (const printCoverage of [true, false]) {
    const { sandbox } = sandboxFixtures({}, { printCoverage })
    const [start] = sandbox as unknown as [typeof sandbox]
    await start({}, async (client) => {
      const { crm } = await client.team()
      await crm.createProduct({ name: 'Cog', unitPrice: 3 })
    })
  }
  const printed = write.mock.calls.map(([text]) => String(text)).filter((text) => text.startsWith('Coverage: '))
  expect(printed).toEqual([expect.stringMatching(/^Coverage: 1 of \d+ outcomes[^]*Never met: createProduct 400/)])
})

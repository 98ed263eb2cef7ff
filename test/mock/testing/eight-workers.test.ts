import { expect, it } from 'vitest'
import { control } from '../../../mock/testing/control-client.ts'
import { createSandbox, type Sandbox, type Team } from '../../../index.ts'

// All workers use the same addresses, names and keys: a worker that saw another team would find records of that team.

it('eight workers at once on one sandbox each see what a worker alone sees', async () => {
  await using alone = await createSandbox({ world: 'empty' })
  const expected = await work(await alone.team({ name: 'Worker' }))
  const [left] = await teamsOf(alone, 'Worker')
  expect(expected.length).toBe(rounds * 9)
  expect(left).toContain('Grace')

  await using shared = await createSandbox({ world: 'empty', port: 0 })
  const { url } = shared
  const workers = Array.from({ length: 8 }, async (_, nth) => {
    const team = await (nth % 2 === 0 ? shared : control({ url })).team({ name: 'Worker' })
    return work(team)
  })
  for (const seen of await Promise.all(workers)) expect(seen).toEqual(expected)
  expect(await teamsOf(shared, 'Worker')).toEqual(Array.from({ length: 8 }, () => left))
})

const rounds = 10

/** Uses records by address, by unique name and by key, and returns all responses. */
async function work({ crm }: Team): Promise<string[]> {
  const answers: unknown[] = []
  const note = async (answer: Promise<object>) => {
    const { response, ...body } = (await answer.catch(
      (error: unknown) => error as { body: object; response: Response },
    )) as {
      response: Response
    }
    answers.push([response.status, body])
    return body
  }
  for (let round = 0; round < rounds; round++) {
    const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+14155550123' }
    const grace = { firstName: 'Grace', lastName: 'Hopper', email: `grace${round}@example.com` }
    const deal = { name: 'Engine', pipeline: 'sales', stage: 'talking' }
    await note(crm.createOrUpdateContact(ada))
    await note(crm.createContact(grace, { idempotencyKey: `grace-${round % 5}` }))
    const { data: conversation } = await crm.findOrCreateConversation({ email: ada.email })
    await note(
      crm.sendEmailMessage({ ...email, conversationId: conversation._id }, { idempotencyKey: `mail-${round}` }),
    )
    await note(crm.listMessages(conversation._id, { page: 1, limit: 50 }))
    await note(crm.createTemplate({ ...template, uniqueName: `welcome_${round % 5}` }))
    await note(crm.listTemplates({ page: 1, limit: 50, types: ['sms'], statuses: ['approved'] }))
    await note(crm.createDeal(deal, { idempotencyKey: 'deal' }))
    await note(crm.createCompany({ name: 'Acme' }))
    await note(crm.deleteContactsByEmail({ email: round % 3 === 2 ? ada.email : 'nobody@example.com' }))
  }
  return answers.map(withoutIds)
}

const email = { channel: 'email', providerId: 'email-provider', subject: 'Hello', content: 'Hello' } as const
const template = { templateType: 'sms', name: 'Welcome', content: 'Welcome', provider: 'sms-provider' } as const

/** The records of each team of that name. */
async function teamsOf(sandbox: Sandbox, name: string): Promise<string[]> {
  const { teams } = await sandbox.world()
  return teams
    .filter((team) => team.name === name)
    .map(({ contacts, conversations, messages, templates, companies, deals }) =>
      withoutIds({ contacts, conversations, messages, templates, companies, deals }),
    )
}

/** Replaces ids, keys and times, which differ from team to team. */
function withoutIds(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/\b[0-9a-f]{24}\b/g, 'an id')
    .replaceAll(/sandbox_[0-9a-f]+/g, 'a key')
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, 'a time')
}

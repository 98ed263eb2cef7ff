import { expect } from 'vitest'
import type { Tools } from '../../client/tools.ts'
import { each, spoil, withEach, withEachAnswer, withEachUnknown } from './each-operation.ts'
import { keeps } from './keeps.ts'
import { plainTemplate } from './new-template.ts'
import { firstPage, idsIn, listAll, listOf } from './template-list.ts'

keeps('access.keyOpensEveryOperation', async (given) => {
  await withEachAnswer(given, ({ status }) => {
    expect([401, 403]).not.toContain(status)
  })
})

keeps('access.tokenIsAnAlternative', async (given) => {
  // An agent may not find the templates of others, but an admin finds whatever the key finds.
  const refusals = { admin: [401, 403, 404], agent: [401, 403] }
  // On a shared service a run stops after a 401 to a known credential, and which routes take a token is left open.
  const which = given.target.loopback ? 'all' : (['listTemplates'] as const)
  await each(['admin', 'agent'] as const, async (who) => {
    const { call } = given.as(who)
    await withEach(
      given,
      async (operation, input) => {
        expect(refusals[who]).not.toContain((await call(operation, input)).status)
      },
      which,
    )
  })
})

keeps('access.noCredentialIs401', async (given) => {
  await withEachUnknown(given, (operation, input) => given.refuses(operation, { ...input, caller: 'nobody' }))
})

keeps('access.credentialComesFirst', async (given) => {
  await withEachUnknown(
    given,
    (operation, { query, ...input }) =>
      given.refuses(operation, query ? { ...input, caller: 'nobody' } : { ...spoil(input), caller: 'nobody' }),
    given.requirement.operations,
  )
})

keeps('access.wrongKeyIs401', async (given) => {
  for (const key of [given.mint.key(), ''])
    await withEachUnknown(given, (operation, input) => given.refuses(operation, { ...input, caller: { key } }))
  const { credentials, loopback } = given.target
  const known = [credentials.team, loopback ? credentials.otherTeam : undefined]
  for (const key of known.flatMap((one) => nearMisses(one?.reveal() ?? '')))
    await withEachUnknown(given, (operation, input) => given.refuses(operation, { ...input, caller: { key } }), [
      'listTemplates',
      'updateCompany',
    ])
})

/** Keys that a careless comparison would take for this one. */
function nearMisses(key: string): string[] {
  const others = [
    key.slice(0, -1),
    key.slice(0, Math.ceil(key.length / 2)),
    key.slice(1),
    `${key}0`,
    key.toUpperCase(),
    key.toLowerCase(),
    `${key.slice(0, -1)}%`,
  ]
  return [...new Set(others)].filter((other) => other !== key)
}

keeps('access.wrongTokenIs401', async (given) => {
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${base64({ alg: 'none', typ: 'JWT' })}.${base64({ sub: given.mint.unknownId(), role: 'admin' })}.`
  for (const token of [given.mint.key(), unsigned, ...forgedTokens(given)])
    await withEachUnknown(given, (operation, input) => given.refuses(operation, { ...input, caller: { token } }))
})

/** The tokens with another signature, if they are JWTs. */
function forgedTokens({ target: { credentials } }: Tools): string[] {
  return [credentials.agent, credentials.admin].flatMap((token) => {
    const [content, signature] = /^(eyJ[\w-]+\.eyJ[\w-]+)\.([\w-]+)$/.exec(token?.reveal() ?? '')?.slice(1) ?? []
    return content === undefined || signature === undefined
      ? []
      : [`${content}.${signature.split('').reverse().join('')}`]
  })
}

keeps('access.agentsListTheirOwnTemplates', async ({ as }) => {
  const [agent, admin] = [as('agent'), as('admin')]
  const [own, other] = [await plainTemplate(agent), await plainTemplate(admin)]
  const { types, statuses } = firstPage
  for (const query of [{}, ...types.map((type) => ({ types: type })), ...statuses.map((one) => ({ statuses: one }))])
    expect(idsIn(await listAll(agent, query))).not.toContain(other._id)
  const listed = idsIn(await listAll(agent))
  expect(listed).toContain(own._id)
  // Nor are they counted.
  expect((await listOf(agent)).pagination.totalResults).toBe(listed.length)
})

keeps('access.adminsListAllTemplates', async ({ as }) => {
  const [agent, admin] = [as('agent'), as('admin')]
  const ids: string[] = []
  for (const maker of [agent, admin, as('team')]) ids.push((await plainTemplate(maker))._id)
  expect(idsIn(await listAll(admin))).toEqual(expect.arrayContaining(ids))
})

import { expect } from 'vitest'
import type { Caller } from '../client/target/credentials.ts'
import { spoil } from '../client/operations.ts'
import { rows } from '../client/operations.ts'
import type { Tools } from '../client/tools.ts'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { each, withEach, withEachUnknown } from './each-operation.ts'
import { type Context, keeps } from './keeps.ts'
import { anyTemplate, firstPage, idsIn, listAll, listOf } from './template-fixtures.ts'

keeps('access.tokenIsAnAlternative', async (context) => {
  // An agent may not find the templates of other users, but an admin finds every record that the key finds.
  const refusals = { admin: [401, 403, 404], agent: [401, 403] }
  // On a shared server a run ends after a 401 to an accepted credential, and no promise lists the routes for tokens.
  const all = context.target.loopback ? 'all' : (['listTemplates'] as const)
  await each(['admin', 'agent'] as const, async (who) => {
    const { call } = context.as(who)
    await withEach(
      context,
      async (operation, input) => {
        const answer = await call(operation, input)
        expect(refusals[who]).not.toContain(answer.status)
        return answer
      },
      who === 'admin' ? all : ['listTemplates'],
    )
  })
})

keeps('access.noCredentialIs401', (context) => refusesCaller('nobody', context))

// Each operation may compare the credential in its own way, and accept any token or a key in other capitals.
keeps('access.credentialComesFirst', async (context) => {
  const key = context.mint.key()
  const { team = key } = context.target.credentials
  const inOtherCapitals = [team.toUpperCase(), team.toLowerCase()].find((other) => other !== team) ?? key
  let count = 0
  await withEachUnknown(context, async (operation, { query, ...input }) => {
    const wrong = query ? input : input.body === undefined ? spoil(input) : { ...input, text: '{' }
    await context.refuses(operation, { ...wrong, caller: { token: key } })
    const caller = count++ % 2 === 0 ? 'nobody' : { key: inOtherCapitals }
    if (!query) await context.refuses(operation, { ...input, body: {}, caller })
  })
})

keeps('access.wrongKeyIs401', async (context) => {
  const { credentials, loopback } = context.target
  const known = [credentials.team, loopback ? credentials.otherTeam : undefined]
  const keys = [context.mint.key(), '', ...known.flatMap((one) => similarKeys(one ?? ''))]
  for (const [index, key] of keys.entries()) await refusesCaller({ key }, context, [few[index % 2 ? 0 : 1]])
})

/** For the many credentials that a server compares in one place. Each operation gets one in access.credentialComesFirst. */
const few = ['listTemplates', 'updateCompany'] as const

const refusesCaller = (caller: Caller, context: Context, which?: readonly OperationId[]) =>
  withEachUnknown(context, (operation, input) => context.refuses(operation, { ...input, caller }), which)

/** Keys that a wrong comparison would accept. */
function similarKeys(key: string): string[] {
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

keeps('access.wrongTokenIs401', async (context) => {
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${base64({ alg: 'none', typ: 'JWT' })}.${base64({ sub: context.mint.unknownId(), role: 'admin' })}.`
  for (const token of [unsigned, ...forgedTokens(context)]) await refusesCaller({ token }, context, few)
  // access.credentialComesFirst tries one with the others.
  const { operations: tried } = promise('access.credentialComesFirst')
  const others = (Object.keys(rows) as OperationId[]).filter((id) => !tried.some((one) => one === id))
  await refusesCaller({ token: context.mint.key() }, context, others)
})

/** The known tokens with another signature, if they are JWTs. */
function forgedTokens({ target: { credentials } }: Tools): string[] {
  return [credentials.agent, credentials.admin].flatMap((token) => {
    const [, content, signature = ''] = /^(eyJ[\w-]+\.eyJ[\w-]+)\.([\w-]+)$/.exec(token ?? '') ?? []
    return content === undefined ? [] : [`${content}.${signature.split('').reverse().join('')}`]
  })
}

keeps('access.agentsListTheirOwnTemplates', async ({ as }, context) => {
  const agent = as('agent')
  const other = await anyTemplate(context, undefined, 'admin')
  const own = await anyTemplate(context, undefined, 'agent')
  const { types, statuses } = firstPage
  const ofTypes = [...types, ...types.map((out) => types.filter((type) => type !== out))]
  for (const query of [{}, ...ofTypes.map((some) => ({ types: some })), ...statuses.map((one) => ({ statuses: one }))])
    expect(idsIn(await listAll(agent, query))).not.toContain(other._id)
  const listed = idsIn(await listAll(agent))
  expect(listed).toContain(own._id)
  expect((await listOf(agent)).pagination.totalResults).toBe(listed.length)
})

keeps('access.adminsListAllTemplates', async ({ as }, context) => {
  const ids: string[] = []
  for (const who of ['agent', 'admin', 'team'] as const) ids.push((await anyTemplate(context, undefined, who))._id)
  expect(idsIn(await listAll(as('admin')))).toEqual(expect.arrayContaining(ids))
})

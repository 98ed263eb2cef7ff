import { bodyOf, escapeUnseen, headersToRepeat, type Credential } from './request-to-repeat.ts'
import type { SeenRequest } from './requests.ts'

/** A test that sends the same request to a sandbox of its own, and expects the same status. */
export function asTest(request: SeenRequest): string {
  const { id, method, url, operation, status, refused, answered } = request
  if (status === 0) throw new Error(`Request ${id} has had no answer, so a test has nothing to expect.`)
  const { headers, credential } = headersToRepeat(request)
  const body = bodyOf(request)
  const message = refused ? (answered.body as { message?: unknown } | undefined)?.message : undefined
  const written = [
    ...(credential === undefined ? [] : [variables[credential]]),
    ...Object.entries(headers).map(([name, value]) => `${literal(name)}: ${literal(value)}`),
  ]
  return [
    ...imported.map(([names, module]) => `import { ${names} } from ${literal(module)}`),
    ``,
    `test(${literal(`${operation ?? `${method} ${url}`} is answered ${status}`)}, async () => {`,
    `  await using sandbox = await createSandbox()`,
    ...(credential === undefined ? [] : starts[credential]),
    `  const answer = await sandbox.fetch(${literal(url)}, {`,
    `    method: ${literal(method)},`,
    `    headers: {${written.length > 0 ? ` ${written.join(', ')} ` : ''}},`,
    ...(body === undefined ? [] : [`    body: ${literal(body)},`]),
    `  })`,
    `  expect(answer.status).toBe(${status})`,
    ...(typeof message === 'string'
      ? [`  expect(await answer.json()).toMatchObject({ message: ${literal(message)} })`]
      : []),
    `})`,
  ].join('\n')
}

const imported = [
  ['expect, test', 'vitest'],
  ['createSandbox', 'crm-sandbox'],
] as const

const variables: Readonly<Record<Credential, string>> = {
  key: `'x-api-key': team?.apiKeys[0] ?? ''`,
  token: 'authorization: `Bearer ${token}`',
}

const starts: Readonly<Record<Credential, readonly string[]>> = {
  key: [`  const [team] = await sandbox.teams()`],
  token: [`  const { token } = await sandbox.tokens.sign({ role: 'admin' })`],
}

const literal = (text: string) => escapeUnseen(JSON.stringify(text))

import { escapeInvisible, invisible, quoteForShell } from '../../lib/text.ts'
import type { SeenRequest } from '../http/journal/seen.ts'

/** A line for a shell that sends the same request. The credential is read from a variable. */
export function asCurl(request: SeenRequest, base: string): string {
  const { method, url } = request
  const { credential, headers, body } = repeatablePartsOf(request)
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoteForShell(base.replace(/\/+$/, '') + encodeInvisible(url))}`,
    ...credential.inShell,
    ...headers.map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteForShell(body)}`]),
  ].join(' \\\n  ')
}

/** A test that sends the same request to a new sandbox, and expects the same status. */
export function asTest(request: SeenRequest): string {
  const { id, method, url, operation, status, refused, answered, fault = 'prefer' } = request
  if (status === 0) throw new Error(`Request ${id} has had no answer, so a test has nothing to expect.`)
  const { credential, headers, body } = repeatablePartsOf(request)
  const message = refused ? (answered.body as { message?: unknown } | undefined)?.message : undefined
  const fields = [...credential.inTest, ...headers.map(([name, value]) => `${literal(name)}: ${literal(value)}`)]
  return [
    `import { expect, test } from "vitest"`,
    `import { createSandbox } from "crm-sandbox"`,
    ``,
    `test(${literal(`${operation ?? `${method} ${url}`} is answered ${status}`)}, async () => {`,
    `  await using sandbox = await createSandbox()`,
    ...credential.beforeTest,
    // A header asks for the fault `prefer`.
    ...(fault === 'prefer' ? [] : [`  await sandbox.faults.add(${literal(faultOf(request))})`]),
    `  const answer = await sandbox.fetch(${literal(url)}, {`,
    `    method: ${literal(method)},`,
    `    headers: {${fields.length > 0 ? ` ${fields.join(', ')} ` : ''}},`,
    ...(body === undefined ? [] : [`    body: ${literal(body)},`]),
    `  })`,
    `  expect(answer.status).toBe(${status})`,
    ...(typeof message === 'string'
      ? [`  expect(await answer.json()).toMatchObject({ message: ${literal(message)} })`]
      : []),
    `})`,
  ].join('\n')
}

/** A fault that makes the same answer. */
function faultOf({ operation, status, answered: { body }, changed }: SeenRequest) {
  const { message, ...others } = (typeof body === 'object' ? body : {}) as {
    readonly message?: string
    success?: false
  }
  const isUsual = message !== undefined && message.length <= 1_000 && Object.keys(others).join() === 'success'
  const answer = isUsual && status >= 400 ? { message } : typeof body === 'object' && body !== null ? { body } : {}
  return { operation, status, ...answer, times: 1, ...(changed !== '' && { phase: 'afterCommit' }) }
}

const credentials = {
  none: { inShell: [], beforeTest: [], inTest: [] },
  // In double quotes, so that the shell fills in the variable.
  key: {
    inShell: ['-H "x-api-key: $CRM_API_KEY"'],
    beforeTest: ['  const [team] = await sandbox.teams()'],
    inTest: [`'x-api-key': team?.apiKeys[0] ?? ''`],
  },
  token: {
    inShell: ['-H "authorization: Bearer $CRM_TOKEN"'],
    beforeTest: [`  const { token } = await sandbox.tokens.sign({ role: 'admin' })`],
    inTest: ['authorization: `Bearer ${token}`'],
  },
} as const

/** Headers that a client sends by itself, that describe length or encoding of the body, or that carry a secret. */
const notRepeated =
  /^(host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|te|trailer|upgrade|expect|sec-.*|origin|referer|cookie|x-sandbox-token|x-api-key|authorization)$/

/** The parts of a request to send again. Throws when the journal does not have the whole request. */
export function repeatablePartsOf({ id, method, sent: { headers, body, cut } }: SeenRequest) {
  if (method === '') throw new Error(`Request ${id} was not HTTP, and cannot be sent again.`)
  if (cut) throw new Error(`Request ${id} has a body of ${cut.length} characters, of which only the beginning is kept.`)
  if (/multipart/i.test(headers['content-type'] ?? ''))
    throw new Error(`Request ${id} has a form with a boundary and maybe a file, which are not kept.`)
  const { 'x-api-key': key, authorization: token } = headers
  const repeated = Object.entries(headers)
    .filter(([name, value]) => !notRepeated.test(name) && !(name === 'accept' && value === '*/*'))
    .map(([name, value]) => [name, value.replace(invisible, '?')] as const)
  return {
    credential: credentials[key !== undefined ? 'key' : token !== undefined ? 'token' : 'none'],
    headers: repeated,
    body: typeof body === 'string' ? body.replace(invisible, '?') : body === undefined ? body : literal(body),
  }
}

const encodeInvisible = (url: string) => url.replace(invisible, encodeURIComponent)

const literal = (value: unknown) => escapeInvisible(JSON.stringify(value))

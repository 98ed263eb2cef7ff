import { quoteForShell } from '../../shared/text.ts'
import type { SeenRequest } from '../journal/seen.ts'

/** A line for a shell that sends the same request. The credential is read from a variable. */
export function asCurl(request: SeenRequest, base: string): string {
  const { method, url } = request
  const body = bodyOf(request)
  const credential = credentialIn(request)
  const words = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoteForShell(base.replace(/\/+$/, '') + encodeInvisible(url))}`,
    // In double quotes, so that the shell fills in the variable.
    ...(credential === 'key' ? ['-H "x-api-key: $CRM_API_KEY"'] : []),
    ...(credential === 'token' ? ['-H "authorization: Bearer $CRM_TOKEN"'] : []),
    ...headersToRepeat(request).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteForShell(body)}`]),
  ]
  return words.join(' \\\n  ')
}

/** A test that sends the same request to a new sandbox, and expects the same status. */
export function asTest(request: SeenRequest): string {
  const { id, method, url, operation, status, refused, answered } = request
  if (status === 0) throw new Error(`Request ${id} has had no answer, so a test has nothing to expect.`)
  const body = bodyOf(request)
  const credential = credentialIn(request)
  const message = refused ? (answered.body as { message?: unknown } | undefined)?.message : undefined
  const headers = [
    ...(credential === 'key' ? [`'x-api-key': team?.apiKeys[0] ?? ''`] : []),
    ...(credential === 'token' ? ['authorization: `Bearer ${token}`'] : []),
    ...headersToRepeat(request).map(([name, value]) => `${literal(name)}: ${literal(value)}`),
  ]
  return [
    `import { expect, test } from "vitest"`,
    `import { createSandbox } from "crm-sandbox"`,
    ``,
    `test(${literal(`${operation ?? `${method} ${url}`} is answered ${status}`)}, async () => {`,
    `  await using sandbox = await createSandbox()`,
    ...(credential === 'key' ? [`  const [team] = await sandbox.teams()`] : []),
    ...(credential === 'token' ? [`  const { token } = await sandbox.tokens.sign({ role: 'admin' })`] : []),
    `  const answer = await sandbox.fetch(${literal(url)}, {`,
    `    method: ${literal(method)},`,
    `    headers: {${headers.length > 0 ? ` ${headers.join(', ')} ` : ''}},`,
    ...(body === undefined ? [] : [`    body: ${literal(body)},`]),
    `  })`,
    `  expect(answer.status).toBe(${status})`,
    ...(typeof message === 'string'
      ? [`  expect(await answer.json()).toMatchObject({ message: ${literal(message)} })`]
      : []),
    `})`,
  ].join('\n')
}

/** Headers that a client sends by itself, that describe length or encoding of the body, or that carry a secret. */
const notRepeated =
  /^(host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|te|trailer|upgrade|expect|sec-.*|origin|referer|cookie|x-sandbox-token|x-api-key|authorization)$/

const headersToRepeat = ({ sent }: SeenRequest) =>
  Object.entries(sent.headers)
    .filter(([name, value]) => !notRepeated.test(name) && !(name === 'accept' && value === '*/*'))
    .map(([name, value]) => [name, value.replace(invisible, '?')] as const)

function credentialIn({ sent: { headers } }: SeenRequest): 'key' | 'token' | undefined {
  if (headers['x-api-key'] !== undefined) return 'key'
  return headers.authorization === undefined ? undefined : 'token'
}

/** The body as a text; throws when it cannot be sent again. */
function bodyOf({ id, method, sent }: SeenRequest): string | undefined {
  const { headers, body, cut } = sent
  if (method === '') throw new Error(`Request ${id} was no HTTP, and cannot be sent again.`)
  if (cut) throw new Error(`Request ${id} has a body of ${cut.length} characters, of which only the beginning is kept.`)
  if (/multipart/i.test(headers['content-type'] ?? ''))
    throw new Error(`Request ${id} has a form with a boundary and maybe a file, which are not kept.`)
  if (body === undefined) return undefined
  return typeof body === 'string' ? body.replace(invisible, '?') : escapeInvisible(JSON.stringify(body))
}

const invisible = /[\p{C}\p{Zl}\p{Zp}]/gu

const encodeInvisible = (url: string) => url.replace(invisible, encodeURIComponent)

/** Within a text in quotes: characters that a terminal would act on are escaped. */
export function escapeInvisible(text: string): string {
  return text.replace(invisible, (character) =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

const literal = (text: string) => escapeInvisible(JSON.stringify(text))

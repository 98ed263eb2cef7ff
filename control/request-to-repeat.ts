import type { SeenRequest } from './requests.ts'

export type Credential = 'key' | 'token'

/** What a client sends by itself, and what says how long or how packed the body was. */
const ofTheConnection =
  /^(host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|te|trailer|upgrade|expect|sec-.*|origin|referer|cookie|x-sandbox-token|x-api-key|authorization)$/

export function headersToRepeat({ sent }: SeenRequest) {
  const headers = Object.fromEntries(
    Object.entries(sent.headers)
      .filter(([name, value]) => !ofTheConnection.test(name) && !(name === 'accept' && value === '*/*'))
      .map(([name, value]) => [name, value.replace(unseen, '?')]),
  )
  return { headers, credential: credentialIn(sent.headers) }
}

function credentialIn(headers: Readonly<Record<string, string>>): Credential | undefined {
  if (headers['x-api-key'] !== undefined) return 'key'
  return headers.authorization === undefined ? undefined : 'token'
}

/** The body as a text; throws when it cannot be sent again. */
export function bodyOf({ id, method, sent }: SeenRequest): string | undefined {
  const { headers, body, cut } = sent
  if (method === '') throw new Error(`Request ${id} was no HTTP, and cannot be sent again.`)
  if (cut) throw new Error(`Request ${id} has a body of ${cut.length} characters, of which only the beginning is kept.`)
  if (/multipart/i.test(headers['content-type'] ?? '')) {
    throw new Error(`Request ${id} has a form with a boundary and maybe a file, which are not kept.`)
  }
  if (body === undefined) return undefined
  return typeof body === 'string' ? body.replace(unseen, '?') : escapeUnseen(JSON.stringify(body))
}

const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu

export const encodeUnseen = (url: string) => url.replace(unseen, encodeURIComponent)

/** Within a text in quotes: what a terminal would act on is written by its number. */
export function escapeUnseen(text: string): string {
  return text.replace(unseen, (character) =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

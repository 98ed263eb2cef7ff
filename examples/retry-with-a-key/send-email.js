import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

/**
 * Sends an e-mail once, though a server fails or an answer is lost: each try has the same key, and the service sends what
 * it has sent already no second time.
 */
export async function sendEmail(email, { baseUrl, apiKey, tries = 5 }) {
  const key = randomUUID()
  for (let nth = 1; ; nth++) {
    const answer = await trySending(email, key, { baseUrl, apiKey }).catch((error) => ({ error }))
    if (answer.ok) return answer.body.data
    const mayHelp = answer.error !== undefined || answer.status === 429 || answer.status >= 500
    if (!mayHelp || nth === tries)
      throw new Error(`The e-mail was not sent: ${reasonOf(answer)}`, { cause: answer.error })
    await setTimeout((answer.retryAfter ?? 2 ** nth / 100) * 1000)
  }
}

async function trySending(email, key, { baseUrl, apiKey }) {
  const response = await fetch(`${baseUrl}/api/messages/sendEmailMessage`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ channel: 'email', providerId: 'email-provider', ...email }),
  })
  const retryAfter = response.headers.get('retry-after')
  const { ok, status } = response
  return { ok, status, retryAfter: retryAfter === null ? undefined : Number(retryAfter), body: await response.json() }
}

const reasonOf = ({ error, status, body }) => (error ? error.message : `${status} ${body.message}`)

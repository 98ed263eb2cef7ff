// How long a reader waits while messages go out to very many.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The duration of each read of a history in milliseconds, one after the other, until the last message of the send arrives. */
export async function waitsDuringBulk({ url, key }, count, more = {}) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const asked = async (path, init) => {
    const answer = await (await fetch(`${url}${path}`, { headers, ...init })).json()
    if (!answer.success) throw new Error(`${path}: ${answer.message}`)
    return answer
  }
  const post = (path, body) => asked(path, { method: 'POST', body: JSON.stringify(body) })

  const run = `run-${Math.random().toString(36).slice(2)}`
  const to = Array.from({ length: count }, (_, at) => `${run}-${at}@example.com`)
  const last = await post('/api/conversations/getConversationByPhoneAndEmail', { email: to.at(-1) })
  const history = `/api/messages/${last.data._id}?page=1&limit=10`
  const bulk = { to: String(to), channel: 'email', subject: 'Hello', content: 'Hello', providerId: 'email-provider' }

  const waits = []
  const reading = async () => {
    for (let arrived = 0; arrived === 0;) {
      const before = performance.now()
      arrived = (await asked(history)).pagination.total
      waits.push(performance.now() - before)
    }
  }
  await Promise.all([send(`${url}/api/messages/sendBulkNewMessages`, { ...headers, ...more }, bulk), reading()])
  return waits
}

/** In a separate process: writing two megabytes would block the reads of this one. */
async function send(url, headers, body) {
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const curl = promisify(execFile)('curl', ['-sS', '--fail-with-body', ...fields, '--data-binary', '@-', url])
  curl.child.stdin.end(JSON.stringify(body))
  await curl
}

/** The same number of reads while nothing else is done. */
export async function waitsOtherwise({ url, key }, count) {
  const waits = []
  for (let read = 0; read < count; read++) {
    const before = performance.now()
    await (await fetch(`${url}/api/conversations/none`, { headers: { 'x-api-key': key } })).text()
    waits.push(performance.now() - before)
  }
  return waits
}

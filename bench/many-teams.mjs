// Several servers on one database: what they read while idle and after a change, and what other teams notice of a reset.
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'

/** Requests of other teams. */
export const perSecond = 200
const changes = 20

async function timed(work) {
  const before = performance.now()
  await work()
  return performance.now() - before
}

/** The milliseconds that a request to the control plane takes. */
export const timeOf = ({ url }, method, path, body) =>
  timed(async () => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await fetch(`${url}/_sandbox${path}`, { method, headers, body: body && JSON.stringify(body) })
    const { success, message } = await response.json()
    if (!success) throw new Error(`${method} ${path}: ${message}`)
  })

/**
 * By `count`, the work of the database until now: its transactions and the rows read in a second without requests, and the
 * rows read because a team has one more fault.
 */
export async function workOf(servers, team, count) {
  const before = await count()
  const idle = await count()
  for (let change = 0; change < changes; change++) {
    await timeOf(servers[0], 'POST', '/faults', { team, operation: 'deleteProduct', status: 503 })
    await sleep(300) // each server notices each change
  }
  const after = await count()
  await timeOf(servers[0], 'DELETE', '/faults')
  const rate = (what) => (idle[what] - before[what]) / (idle.at - before.at)
  const rows = rate('rows')
  return {
    transactions: rate('transactions'),
    rows,
    rowsOfChange: (after.rows - idle.rows - rows * (after.at - idle.at)) / changes,
  }
}

/** Sends requests of other teams to the servers in turn, half of them creates, from a second before the work until its end. */
export async function whileAsked(servers, teams, work) {
  const asked = []
  const began = performance.now()
  const timer = setInterval(() => {
    while (asked.length < ((performance.now() - began) * perSecond) / 1000)
      asked.push(ask(servers, teams, asked.length))
  }, 5)
  await sleep(1000)
  const time = await work().finally(() => clearInterval(timer))
  const answers = await Promise.all(asked)
  const longest = Math.max(...answers.map(({ wait }) => wait))
  return { time, longest, asked: answers.length, failures: answers.filter(({ status }) => status >= 400).length }
}

/** For a team that sandbox-app.mjs has named. */
async function ask(servers, teams, at) {
  const { url } = servers[at % servers.length]
  const headers = { 'x-api-key': `team-${1 + (Math.floor(at / 2) % teams)}-key`, 'content-type': 'application/json' }
  const contact = { firstName: 'Ada', lastName: 'Lovelace', email: `${Date.now()}-${at}@example.com` }
  let status
  const wait = await timed(async () => {
    const response = await (at % 2 === 0
      ? request(`${url}/api/templates?page=1&limit=10&types=sms&statuses=approved`, { headers })
      : request(`${url}/api/contacts`, { method: 'POST', headers, body: JSON.stringify(contact) }))
    status = response.statusCode
    await response.body.dump()
  })
  return { status, wait }
}

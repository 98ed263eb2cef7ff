// How long a request within the limits holds others: `node holds.mjs [rounds]` prints for each case the longest turn of the
// event loop in each round, in milliseconds.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSandbox } from '../dist/index.js'

const rounds = Number(process.argv[2] ?? 3)
const key = 'bench-key'
const mebibyte = 1024 * 1024
const createdAt = '2026-03-01T09:30:00.000Z'
const listOf = (length, itemAt) => Array.from({ length }, (_, at) => itemAt(at))
const filledWith = (item, size = 15.9 * mebibyte) => item.repeat(Math.floor(size / item.length))

const providers = ['email', 'sms', 'whatsapp'].map((channel, at) => ({
  _id: `${channel}-provider`,
  channel,
  address: channel === 'email' ? 'hello@example.com' : `+1415555010${at}`,
}))
const team = (at, more) => ({ _id: `team-${at}`, name: 'A team', apiKeys: [`${key}-${at}`], providers, ...more })
const worldOf = (...teams) => ({ teams: [team(0, { apiKeys: [key] }), ...teams] })
const contact = (at) => ({
  _id: `${at}`,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: `a${at}@example.com`,
  createdAt,
})
const honest = JSON.stringify({ teams: [team(1, { contacts: listOf(110_000, contact) })] })
const manyTeams = worldOf(...listOf(9_999, (at) => team(at + 1)))

/** Fills the journal with requests of 14 KB, as many as it keeps. */
const journalOf = (text) => async (sandbox) => {
  const body = JSON.stringify({ name: 'Engine', unitPrice: 1, description: filledWith(text, 14_000) })
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  for (let sent = 0; sent < 300; sent++) await sandbox.fetch('/api/products', { method: 'POST', headers, body })
}
const where = encodeURIComponent(JSON.stringify(Object.fromEntries(listOf(50, (at) => [`field${at}`, at]))))
const fields = (count) => listOf(count, (at) => `"field${at}":0`).join()

const cases = [
  { name: 'requests/verify, 50 fields', before: journalOf('ab "c" \\ '), ask: `GET /requests/verify?where=${where}` },
  {
    name: 'requests/wait, 50 fields',
    before: journalOf('ab "c" \\ '),
    ask: `GET /requests/wait?within=0s&where=${where}`,
  },
  { name: 'requests', before: journalOf('ab "c" \\ '), ask: 'GET /requests' },
  { name: 'requests, look-alikes of keys', before: journalOf('bench-kez '), ask: 'GET /requests' },
  { name: 'requests, of 10,000 keys', world: manyTeams, before: journalOf('bench-key-'), ask: 'GET /requests' },
  { name: 'world of 15 MB', ask: 'PUT /world', body: honest },
  { name: 'new team from 15 MB', ask: 'POST /teams', body: `{"from":${honest}}` },
  { name: 'world of 10,000 teams', ask: 'PUT /world', body: JSON.stringify(manyTeams) },
  { name: 'world of {}', ask: 'PUT /world', body: `{"teams":[${filledWith('{},')}{}]}` },
  { name: 'new team from {}', ask: 'POST /teams', body: `{"from":{"teams":[${filledWith('{},')}{}]}}` },
  { name: 'world of [', ask: 'PUT /world', body: `{"teams":${filledWith('[')}}` },
  { name: 'world of unknown fields', ask: 'PUT /world', body: `{"teams":[],${fields(1_000_000)}}` },
  { name: 'outbox of 10,000 teams', world: manyTeams, ask: 'GET /outbox' },
  { name: 'snapshot of 10,000 teams', world: manyTeams, ask: 'POST /snapshots', body: '{"name":"a"}' },
  { name: 'release in 10,000 teams', world: manyTeams, ask: 'POST /bulk-sends/release' },
]

for (const { name, world = worldOf(), before, ask, body } of cases) {
  const holds = []
  for (let round = 0; round < rounds; round++) {
    const sandbox = await createSandbox({ world })
    await before?.(sandbox)
    await sandbox.fetch('/_sandbox/health') // loads the control plane
    const [method, path] = ask.split(' ')
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    holds.push(
      await longestTurn(async () => (await sandbox.fetch(`/_sandbox${path}`, { method, headers, body })).text()),
    )
    await sandbox.close()
  }
  console.log(JSON.stringify({ name, holds }))
}

async function longestTurn(work) {
  let isDone = false
  const done = work().finally(() => (isDone = true))
  let [longest, last] = [0, performance.now()]
  while (!isDone) {
    await nextTurn()
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  await done
  return longest
}

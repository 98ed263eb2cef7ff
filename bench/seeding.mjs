// `npm run build && node bench/seeding.mjs [contacts] [at once]`: how fast `crm-sandbox seed` is against a bare loop over
// undici that sends the same requests, as many at once, and keeps no ledger. In turns, each time into a new sandbox, by
// the clock and by the time on the processor of both sides, which other work on the machine disturbs less.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { seed } from '../dist/fixtures/seed/seed.js'
import { planSeeding } from '../dist/fixtures/seed/plan.js'
import { generateWorld } from '../dist/fixtures/generate/generate-world.js'
import { operations } from '../dist/spec/operations.js'
import { median } from './servers.mjs'

const contacts = Number(process.argv[2] ?? 10_000)
const atOnce = Number(process.argv[3] ?? 4)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const goal = 0.8

const world = await generateWorld({ seed: 7, contacts })
const providers = { email: 'email-provider', sms: 'sms-provider', whatsapp: 'whatsapp-provider' }

// Both ways once beforehand, so that neither is measured while its code is still being compiled.
await intoNewSandbox(sendBare)
await intoNewSandbox(seedWorld)

const [byClock, byProcessor] = [[], []]
for (let round = 0; round < rounds; round++) {
  const isOdd = round % 2 === 1
  const first = await intoNewSandbox(isOdd ? seedWorld : sendBare)
  const second = await intoNewSandbox(isOdd ? sendBare : seedWorld)
  const [bare, seeded] = isOdd ? [second, first] : [first, second]
  byClock.push(seeded.rate / bare.rate)
  byProcessor.push((bare.client + bare.server) / (seeded.client + seeded.server))
  console.log(
    `${describe('seed', seeded)}; ${describe('bare', bare)}: ${byClock.at(-1).toFixed(2)}, by processor ${byProcessor.at(-1).toFixed(2)}`,
  )
}
const [clock, processor] = [median(byClock), median(byProcessor)]
console.log(
  `${contacts} contacts, ${atOnce} at once: ${clock.toFixed(2)}, by processor ${processor.toFixed(2)} (at least ${goal}: ${clock >= goal ? 'yes' : 'NO'})`,
)
process.exitCode = clock >= goal ? 0 : 1

function describe(name, { rate, client, server }) {
  return `${name} ${Math.round(rate)} a second (${Math.round(client)} + ${Math.round(server)} µs)`
}

/** Requests a second, and what one costs both sides in microseconds of the processor. */
async function intoNewSandbox(send) {
  const serve = ['dist/cli.js', 'serve', '--port', '0', '--world', 'empty']
  const server = spawn(process.execPath, serve, { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    let said = ''
    while (!/http:\/\/[^\s/"]+/.test(said)) said += (await once(server.stdout, 'data'))[0]
    let [began, client, served] = [0, 0, 0]
    const start = () => {
      began = performance.now()
      client = cpuOf(process.pid)
      served = cpuOf(server.pid)
    }
    const requests = await send(/http:\/\/[^\s/"]+/.exec(said)[0], start)
    return {
      rate: (1000 * requests) / (performance.now() - began),
      client: (cpuOf(process.pid) - client) / requests,
      server: (cpuOf(server.pid) - served) / requests,
    }
  } finally {
    server.kill()
    await once(server, 'exit')
  }
}

/** In microseconds; 0 on systems without /proc. */
function cpuOf(pid) {
  if (process.platform !== 'linux') return 0
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ').slice(11, 13)
  return (Number(user) + Number(system)) * 10_000
}

async function seedWorld(baseUrl, start) {
  const ledgers = mkdtempSync(join(tmpdir(), 'crm-sandbox-bench-'))
  try {
    let requests = 0
    const onStart = (begun) => {
      requests = begun.requests
      start()
    }
    const report = await seed({ baseUrl, world, atOnce, ledgers, apiKey: 'demo-key', onStart, onProgress: () => {} })
    if (report.leftOut.length > 0 || report.stopped) throw new Error(JSON.stringify(report))
    return requests
  } finally {
    rmSync(ledgers, { recursive: true })
  }
}

async function sendBare(baseUrl, start) {
  const pool = new Pool(baseUrl)
  const [team] = world.teams
  const options = {
    providers,
    toPlatform: true,
    whyNoSends: 'as seed does without --allow-sends',
    mayReach: () => true,
  }
  const { phases, steps } = planSeeding(team, options)
  const ids = new Map()
  const idOf = (kind, id) => ids.get(`${kind} ${id}`)
  start()
  for (const phase of phases) {
    let next = 0
    const work = async () => {
      while (next < phase.length) for (const step of phase[next++]) await send(step)
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }
  await pool.close()
  return steps.length

  async function send({ operation, place, makes, input }) {
    const { method, path: written } = operations[operation]
    const { body, path = {} } = input(idOf)
    const headers = { 'x-api-key': 'demo-key', 'content-type': 'application/json', 'idempotency-key': `bare-${place}` }
    const filled = written.replace(/\{(\w+)\}/, (_, name) => path[name])
    const answer = await pool.request({
      method: method.toUpperCase(),
      path: filled,
      headers,
      body: JSON.stringify(body),
    })
    const { data } = await answer.body.json()
    if (answer.statusCode >= 300) throw new Error(`${place}: ${answer.statusCode}`)
    if (makes !== undefined) ids.set(makes, data._id)
  }
}

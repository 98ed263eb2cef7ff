// `npm run build && node bench/seeding.mjs [contacts]`: how fast `crm-sandbox seed` is against a bare loop over undici
// that sends the same requests, as many at once, and keeps no ledger. In turns, each time into a new sandbox.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
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

const ratios = []
for (let round = 0; round < rounds; round++) {
  const bare = await intoNewSandbox(sendBare)
  const seeded = await intoNewSandbox(seedWorld)
  ratios.push(seeded / bare)
  console.log(`${Math.round(seeded)} requests a second against ${Math.round(bare)}: ${(seeded / bare).toFixed(2)}`)
}
const middle = median(ratios)
console.log(
  `${contacts} contacts, ${atOnce} at once: ${middle.toFixed(2)} (at least ${goal}: ${middle >= goal ? 'yes' : 'NO'})`,
)
process.exitCode = middle >= goal ? 0 : 1

async function intoNewSandbox(send) {
  const serve = ['dist/bundle/cli.cjs', 'serve', '--port', '0', '--world', 'empty']
  const server = spawn(process.execPath, serve, { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    let said = ''
    while (!/http:\/\/[^\s/"]+/.test(said)) said += (await once(server.stdout, 'data'))[0]
    return await send(/http:\/\/[^\s/"]+/.exec(said)[0])
  } finally {
    server.kill()
    await once(server, 'exit')
  }
}

/** Requests a second. */
async function seedWorld(baseUrl) {
  const ledgers = mkdtempSync(join(tmpdir(), 'crm-sandbox-bench-'))
  let [began, requests] = [0, 0]
  try {
    const onStart = (start) => {
      requests = start.requests
      began = performance.now()
    }
    const report = await seed({ baseUrl, world, atOnce, ledgers, apiKey: 'demo-key', onStart, onProgress: () => {} })
    if (report.leftOut.length > 0 || report.stopped) throw new Error(JSON.stringify(report))
    return (1000 * requests) / (performance.now() - began)
  } finally {
    rmSync(ledgers, { recursive: true })
  }
}

async function sendBare(baseUrl) {
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
  const began = performance.now()
  for (const phase of phases) {
    let next = 0
    const work = async () => {
      while (next < phase.length) for (const step of phase[next++]) await send(step)
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }
  const seconds = (performance.now() - began) / 1000
  await pool.close()
  return steps.length / seconds

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

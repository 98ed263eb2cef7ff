// `npm run bench [-- speed busy allocation growth pages start inTest inProcess store bulk holds slow shared teams]`: how fast the
// sandbox is, as ratios against a bare Fastify app measured in the same minute; `npm run bench -- against [COMMIT]`: against a
// commit. Needs Linux, two cores, `taskset` and `wrk`.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { perSecond, timeOf, whileAsked, workOf } from './many-teams.mjs'
import {
  bytesPerRequest,
  holdTo,
  median,
  output,
  requestsPerCpuSecond,
  requestsPerSecond,
  requestsPerSecondOfAll,
  start,
  startAnywhere,
  startWithoutCollections,
  whileBusy,
} from './servers.mjs'
import { waitsDuringBulk, waitsOtherwise } from './waits.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 15)

const sections = {
  async speed() {
    await compareWithBareApp('the sandbox against a bare app')
  },

  async busy() {
    await whileBusy(() => compareWithBareApp('the sandbox against a bare app, beside a busy process on each core'))
  },

  async allocation() {
    console.log('\nbytes that a request allocates, against a bare app')
    await rowOfBytes('readConversation', 1.5)
    await rowOfBytes('createContact', 1.9)
    await rowOfBytes('createContactWithKey', 2.5)
  },

  async growth() {
    const workloads = ['createContact', 'upsertByEmail', 'readConversation', 'send', 'historyPage', 'templatePage']
    await compare('100,000 contacts against 1,000, requests per CPU-second', {
      a: ['sandbox-app.mjs', 'memory', '100000'],
      b: ['sandbox-app.mjs', 'memory', '1000'],
      records: { a: 100_000, b: 1_000 },
      loads: workloads.map((workload) => ({ workload, goal: 0.8 })),
    })
  },

  async pages() {
    const length = 50_000
    console.log(`\nthe last page of a list against its first, of ${length}, requests per CPU-second, ${rounds} rounds`)
    const lists = await start('lists-app.mjs', `${length}`)
    const asked = (workload) => ({ server: lists, workload, records: length })
    try {
      for (const list of ['Template', 'History']) {
        const [last, first] = [asked(`last${list}Page`), asked(`first${list}Page`)]
        await rowOf({ one: last, other: first, goal: 0.95, measure: requestsPerCpuSecond })
      }
    } finally {
      await lists.stop()
    }
  },

  async start() {
    console.log(`\nstart to first answer, ${rounds} rounds`)
    const times = { sandbox: [], bare: [] }
    for (let round = 0; round < rounds; round++) {
      times.sandbox.push(await timeToAnswer('serve.mjs'))
      times.bare.push(await timeToAnswer('bare-app.mjs'))
    }
    rowOfTimes('serve', times, 1.2)
  },

  async inTest() {
    console.log(`\nimport and create a sandbox in a test, against a Fastify app without routes, ${rounds} rounds`)
    const times = { sandbox: [], bare: [] }
    for (let round = 0; round < rounds; round++) {
      times.sandbox.push(Number(await output('in-a-test.mjs', 'sandbox')))
      times.bare.push(Number(await output('in-a-test.mjs', 'bare')))
    }
    rowOfTimes('createSandbox', times, 0.6)
  },

  async inProcess() {
    console.log(`\nsandbox.fetch against inject of the bare app, calls per CPU-second, ${rounds} rounds`)
    const measured = JSON.parse(await output('in-process.mjs', `${rounds}`))
    for (const [workload, ratios] of Object.entries(measured)) {
      const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`
      row(workload, median(ratios), spread, median(ratios) >= 0.55, 'at least 0.55')
    }
  },

  async store() {
    const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-bench-'))
    try {
      await compare('the file store against memory, creates per second at 50 connections', {
        a: ['sandbox-app.mjs', `file:${join(folder, 'small.json')}`, '1000'],
        b: ['sandbox-app.mjs'],
        loads: [{ workload: 'createContact', goal: 0.8, connections: 50 }],
        measure: requestsPerSecond,
      })
      await compare('the file store with 100,000 contacts against 1,000', {
        a: ['sandbox-app.mjs', `file:${join(folder, 'large.json')}`, '100000'],
        b: ['sandbox-app.mjs', `file:${join(folder, 'again.json')}`, '1000'],
        loads: [{ workload: 'createContact', goal: 0.8, connections: 50 }],
        measure: requestsPerSecond,
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  },

  async bulk() {
    console.log(`\nmilliseconds that a read waits at most while 100,000 messages go out, ${rounds} rounds`)
    await rowOfWaits('sendBulkMessages', {})
    await rowOfWaits('with an Idempotency-Key', { 'idempotency-key': 'bench' })
  },

  async holds() {
    const few = Math.ceil(rounds / 5)
    console.log(`\nmilliseconds that a request holds others at most, ${few} rounds`)
    const lines = await output('holds.mjs', `${few}`)
    for (const line of lines.trim().split('\n')) {
      const { name, holds } = JSON.parse(line)
      const spread = `${Math.round(Math.min(...holds))}–${Math.round(Math.max(...holds))}`
      row(name, median(holds), spread, median(holds) <= 100, 'at most 100')
    }
  },

  async slow() {
    console.log('\nseconds of a run against a server that answers after 200 ms')
    const lines = await output('slow-server.mjs')
    for (const line of lines.trim().split('\n')) {
      const { name, seconds, requests, exitCode } = JSON.parse(line)
      const goal = { verify: 240, learn: 180 }[name]
      row(name, seconds, `${requests} requests, exit code ${exitCode}`, seconds <= goal, `at most ${goal}`)
    }
  },

  async shared() {
    const database = await openDatabase()
    try {
      await compare('one server on PostgreSQL against the memory store, requests per CPU-second of the server', {
        a: ['sandbox-app.mjs', database.store('one')],
        b: ['sandbox-app.mjs'],
        loads: ['readConversation', 'templatePage', 'createContact', 'createContactWithKey', 'send'].map(
          (workload) => ({ workload, goal: 0 }),
        ),
      })
      await compareReplicas(database)
      const ofSize = (contacts) => ['sandbox-app.mjs', database.store(`of_${contacts}`), `${contacts}`, '1', '1000']
      await compare('1,000,000 contacts in PostgreSQL against 1,000, requests per second', {
        a: ofSize(1_000_000),
        b: ofSize(1_000),
        loads: ['readConversation', 'templatePage', 'historyPage', 'createContact'].map((workload) => ({
          workload,
          goal: 0.9,
        })),
        measure: requestsPerSecond,
        prepare: () => database.settle(),
      })
    } finally {
      await database.close()
    }
  },

  async teams() {
    const database = await openDatabase()
    try {
      for (const others of [1, 100, 1_000]) await rowsOfTeams(database, others)
    } finally {
      await database.close()
    }
  },
}

/** Three servers, with one team of records and `others` without. */
async function rowsOfTeams(database, others) {
  const few = Math.ceil(rounds / 5)
  console.log(`\nthree servers on PostgreSQL, a team of 10,000 records and ${others} without, ${few} rounds`)
  const name = `teams_${others}`
  const program = ['sandbox-app.mjs', database.store(name), '5000', `${others + 1}`, '1000']
  const servers = []
  for (let started = 0; started < 3; started++) servers.push(await startAnywhere(...program))
  const post = (path, body) => timeOf(servers[0], 'POST', path, body)
  const inRounds = async (measure) => {
    const measured = []
    for (let round = 0; round < few; round++) measured.push(await measure())
    return measured
  }
  try {
    await database.settle()
    const found = await workOf(servers, 'team-1', () => database.work(name))
    const read = `${Math.round(found.rows)} rows`
    row('transactions a second, idle', found.transactions, read, found.transactions <= 60, 'at most 60')
    // PostgreSQL reads a table of fewer rows as a whole.
    const isFew = found.rowsOfChange <= 40 || others < 1_000
    row('rows after a new fault', found.rowsOfChange, 'read by all servers', isFew, 'at most 40')
    rowOfMilliseconds('a new team', await inRounds(() => post('/teams', {})), 'at most 100')
    await whileAsked(servers, others, () => sleep(4000))
    const { longest: usual } = await whileAsked(servers, others, () => sleep(2000))
    console.log(
      `  beside ${perSecond} requests a second of others, which wait at most ${Math.round(usual)} ms otherwise`,
    )
    const beside = (path) => inRounds(() => whileAsked(servers, others, () => post(path)))
    // With so many requests, a single other team waits for itself, and may fail without a reset.
    rowsBeside('a reset of the team', await beside('/teams/demo/reset'), 'at most 1000', others > 1 ? 0 : Infinity)
    // A reset of everything answers 500 to the writes in progress.
    rowsBeside('a reset of everything', await beside('/reset'), 'none', Infinity)
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function compareWithBareApp(title) {
  await compare(`${title}, requests per CPU-second`, {
    a: ['sandbox-app.mjs'],
    b: ['bare-app.mjs', '1000'],
    loads: [
      { workload: 'readConversation', goal: 0.85 },
      { workload: 'readConversation', goal: 0.85, connections: 50 },
      { workload: 'readTemplate', goal: 0.85 },
      { workload: 'createContact', goal: 0.75 },
      { workload: 'createContact', goal: 0.75, connections: 50 },
      { workload: 'createContactWithKey', goal: 0.6 },
    ],
  })
}

async function compareWithCommit(commit) {
  const earlier = buildOf(commit)
  try {
    await compare(`this working tree against ${commit}, requests per CPU-second`, {
      a: ['sandbox-app.mjs'],
      b: [join(earlier.folder, 'bench/sandbox-app.mjs')],
      loads: ['readConversation', 'createContact', 'createContactWithKey'].map((workload) => ({ workload, goal: 1.1 })),
    })
  } finally {
    earlier.remove()
  }
}

/** Each server gets little of a core, so that not the database is measured. */
const fractionOfCore = 0.1

async function compareReplicas(database) {
  console.log(
    `\ntwo servers on PostgreSQL against one, each held to ${fractionOfCore} of a core, creates per second, ${rounds} rounds`,
  )
  const program = ['sandbox-app.mjs', database.store('replicas'), '1000', '50']
  const servers = [await start(...program), await start(...program)]
  // With so little of a core, code that has not run before would be measured for minutes.
  for (const server of servers)
    await requestsPerSecond(server, { workload: 'createContactOfTeams', connections: 16, seconds: 5 })
  const releases = servers.map((server) => holdTo(fractionOfCore, server))
  try {
    for (const [workload, goal] of [
      ['createContactOfTeams', 1.7],
      ['createContact', 0],
    ]) {
      const asked = (some) => ({ server: some, workload, connections: 16, seconds: 3 })
      await rowOf({ one: asked(servers), other: asked(servers.slice(0, 1)), goal, measure: requestsPerSecondOfAll })
    }
  } finally {
    for (const release of releases) release()
    for (const server of servers) await server.stop()
  }
}

/** Each round starts a new server, so that no round collects the garbage of an earlier one. */
async function rowOfWaits(what, headers) {
  const waits = { during: [], otherwise: [] }
  for (let round = 0; round < rounds; round++) {
    const server = { ...(await startAnywhere('serve.mjs', 'bodyLimit=tenMiB')), key: 'demo-key' }
    try {
      const during = await waitsDuringBulk(server, 100_000, headers)
      waits.during.push(Math.max(...during))
      waits.otherwise.push(Math.max(...(await waitsOtherwise(server, during.length))))
    } finally {
      await server.stop()
    }
  }
  const [longest, usual] = [median(waits.during), median(waits.otherwise)]
  const spread = `${waits.during.map(Math.round).join(', ')} ms, otherwise ${Math.round(usual)} ms`
  console.log(`  ${what.padEnd(28)} ${Math.round(longest)}  (${spread})`)
}

/** Two servers, asked in turn, so that whatever else the machine does meets both. */
async function compare(
  title,
  { a, b, loads, records = { a: 1_000, b: 1_000 }, measure = requestsPerCpuSecond, prepare = async () => undefined },
) {
  console.log(`\n${title}, ${rounds} rounds`)
  const one = await start(...a)
  const other = await start(...b)
  try {
    await prepare()
    for (const { goal, ...load } of loads) {
      const asked = (server, records) => ({ ...load, server, records })
      await rowOf({ one: asked(one, records.a), other: asked(other, records.b), goal, measure })
    }
  } finally {
    await one.stop()
    await other.stop()
  }
}

async function rowOf({ one, other, goal, measure }) {
  const ratios = []
  const speeds = []
  await measure(one.server, one)
  await measure(other.server, other)
  for (let round = 0; round < rounds; round++) {
    const speed = await measure(one.server, one)
    ratios.push(speed / (await measure(other.server, other)))
    speeds.push(speed)
  }
  const ratio = median(ratios)
  const what = `${one.workload} at ${one.connections ?? 10}`
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}, ${Math.round(median(speeds))}/s`
  row(what, ratio, spread, ratio >= goal, `at least ${goal.toFixed(2)}`)
}

/** Each measurement has a new server, so that its heap holds all that it allocates. */
async function rowOfBytes(workload, goal) {
  const bytes = []
  for (const program of [['sandbox-app.mjs'], ['bare-app.mjs', '1000']]) {
    const server = await startWithoutCollections(...program)
    await requestsPerCpuSecond(server, { workload })
    bytes.push(await bytesPerRequest(server, { workload }))
    await server.stop()
  }
  const [own, bare] = bytes.map(Math.round)
  row(workload, own / bare, `${own} against ${bare}`, own / bare <= goal, `at most ${goal.toFixed(2)}`)
}

function rowOfTimes(what, { sandbox, bare }, goal) {
  const ratio = median(sandbox.map((time, at) => time / bare[at]))
  const spread = `${Math.round(median(sandbox))} ms against ${Math.round(median(bare))} ms`
  row(what, ratio, spread, ratio <= goal, `at most ${goal.toFixed(2)}`)
}

async function timeToAnswer(...program) {
  const before = performance.now()
  const server = await start(...program)
  await fetch(`${server.url}/api/conversations/none`, { headers: { 'x-api-key': 'demo-key' } })
  const time = performance.now() - before
  await server.stop()
  return time
}

/** Of milliseconds beside a goal, since they depend on the machine. */
function rowOfMilliseconds(what, times, goal, more = '') {
  const spread = `${times.map(Math.round).join(', ')} ms; goal ${goal}${more}`
  console.log(`  ${what.padEnd(28)} ${Math.round(median(times))}  (${spread})`)
}

/** The figures of a reset beside requests of other teams. */
function rowsBeside(what, measured, goal, mostFailures) {
  const sum = (key) => measured.reduce((total, one) => total + one[key], 0)
  const waits = measured.map(({ longest }) => Math.round(longest)).join(', ')
  const times = measured.map(({ time }) => time)
  rowOfMilliseconds(what, times, goal, `; others waited at most ${waits}`)
  const failures = sum('failures')
  row('of others, failed', failures, `of ${sum('asked')}`, failures <= mostFailures, `at most ${mostFailures}`)
}

function row(what, ratio, spread, good, goal) {
  console.log(`  ${what.padEnd(28)} ${ratio.toFixed(2)}  (${spread})  ${good ? 'ok' : `MISSED, ${goal}`}`)
  if (!good) process.exitCode = 1
}

/** Builds an earlier commit in a temporary folder, to compare with it. `remove` deletes the folder. */
function buildOf(commit) {
  const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-bench-'))
  const run = (cwd, ...command) =>
    execFileSync(command[0], command.slice(1), { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  run('.', 'git', 'worktree', 'add', '--quiet', '--detach', folder, commit)
  const remove = () => run('.', 'git', 'worktree', 'remove', '--force', folder)
  try {
    run(folder, 'npm', 'ci')
    run(folder, 'npm', 'run', 'build')
    return { folder, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** A connection of PostgreSQL reports what it has read within ten seconds. */
const untilReported = 11_000

/** The database for `shared` and `teams`, by CRM_SANDBOX_TEST_POSTGRES. Each run has its own schemas, and drops them. */
async function openDatabase() {
  const url = process.env.CRM_SANDBOX_TEST_POSTGRES
  if (!url)
    throw new Error('CRM_SANDBOX_TEST_POSTGRES must name a PostgreSQL database, such as postgres://crm@127.0.0.1/crm')
  const client = new pg.Client(url)
  await client.connect()
  const schemas = new Set()
  const schemaOf = (name) => `bench_${process.pid}_${name}`
  return {
    /** The name of a store; one of the same name is the same. */
    store(name) {
      schemas.add(schemaOf(name))
      return `${url}?schema=${schemaOf(name)}`
    },
    /** The work of all servers until now, as PostgreSQL counts it, and the rows that they have read for this store. */
    async work(name) {
      await sleep(untilReported)
      const { rows } = await client.query(
        `SELECT xact_commit AS transactions, (SELECT sum(seq_tup_read + COALESCE(idx_tup_fetch, 0)) FROM pg_stat_user_tables
          WHERE schemaname = $1) AS rows FROM pg_stat_database WHERE datname = current_database()`,
        [schemaOf(name)],
      )
      return { transactions: Number(rows[0].transactions), rows: Number(rows[0].rows), at: performance.now() / 1000 }
    },
    /** Does now what PostgreSQL would do on its own while a measurement runs. */
    async settle() {
      await client.query('VACUUM ANALYZE')
      await client.query('CHECKPOINT')
    },
    async close() {
      for (const schema of schemas) await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      await client.end()
    },
  }
}

const chosen = process.argv.slice(2)
if (chosen[0] === 'against') {
  await compareWithCommit(chosen[1] ?? 'HEAD')
} else {
  const unknown = chosen.filter((name) => !(name in sections))
  if (unknown.length > 0) {
    console.error(`There is no section ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}.`)
    process.exit(1)
  }
  for (const name of chosen.length > 0 ? chosen : Object.keys(sections)) await sections[name]()
}

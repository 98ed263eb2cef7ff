// Compares ways to isolate the transactions of a team in PostgreSQL, with the statements that each needs:
// CRM_SANDBOX_TEST_POSTGRES=postgres://… node bench/isolation.mjs
import { randomUUID } from 'node:crypto'
import pg from 'pg'

const url = process.env.CRM_SANDBOX_TEST_POSTGRES
if (!url) throw new Error('CRM_SANDBOX_TEST_POSTGRES must name a database')
const [mostClients, seconds] = [16, Number(process.env.BENCH_SECONDS ?? 4)]
const pool = new pg.Pool({ connectionString: url, max: mostClients })

const schema = `isolation_${process.pid}`
await pool.query(`CREATE SCHEMA ${schema};
CREATE TABLE ${schema}.teams (id text PRIMARY KEY, version bigint NOT NULL, writer text NOT NULL) WITH (fillfactor = 50);
CREATE TABLE ${schema}.records (team text, id text, data text, PRIMARY KEY (team, id));
INSERT INTO ${schema}.teams SELECT 'team' || i, 0, '' FROM generate_series(0, 99) i;
INSERT INTO ${schema}.records SELECT 'team' || i % 100, 'known' || i, repeat('x', 300) FROM generate_series(0, 9999) i`)

const find = (team, id) => `SELECT data FROM ${schema}.records WHERE team = '${team}' AND id = '${id}'`
const versioned = (team, id) =>
  `SELECT t.version, r.data FROM ${schema}.teams t LEFT JOIN ${schema}.records r ON r.team = t.id AND r.id = '${id}' WHERE t.id = '${team}'`
const insert = (team) => `INSERT INTO ${schema}.records VALUES ('${team}', '${randomUUID()}', '${'x'.repeat(300)}')`
const bump = (team) => `UPDATE ${schema}.teams SET version = version + 1 WHERE id = '${team}'`

/** Each operation makes so many lookups before it commits. */
const lookups = { read: 2, create: 1, send: 2 }

/** A commit checks that the team has the version that all reads have seen. */
async function versionCheck(client, team, operation) {
  let version
  for (let lookup = 0; lookup < lookups[operation]; lookup++) {
    const [row] = (await client.query(versioned(team, `known${lookup}`))).rows
    if (version !== undefined && row.version !== version) return false
    version = row.version
  }
  if (operation === 'read') return true
  const writer = randomUUID()
  const check = `UPDATE ${schema}.teams SET version = version + 1, writer = '${writer}' WHERE id = '${team}' AND version = ${version};
SELECT 1 / count(*) FROM ${schema}.teams WHERE id = '${team}' AND writer = '${writer}'`
  return succeeds(client.query(`${check}; ${insert(team)}`), '22012')
}

/** Writers lock the row of the team first; reads are of one snapshot. */
async function rowLock(client, team, operation) {
  await client.query(
    operation === 'read'
      ? `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${find(team, 'known0')}`
      : `BEGIN; SELECT version FROM ${schema}.teams WHERE id = '${team}' FOR UPDATE`,
  )
  for (let lookup = operation === 'read' ? 1 : 0; lookup < lookups[operation]; lookup++) {
    await client.query(find(team, `known${lookup}`))
  }
  await client.query(operation === 'read' ? 'COMMIT' : `${bump(team)}; ${insert(team)}; COMMIT`)
  return true
}

/** PostgreSQL finds conflicts. */
async function serializable(client, team, operation) {
  const begin = `BEGIN ISOLATION LEVEL SERIALIZABLE${operation === 'read' ? ' READ ONLY' : ''}`
  const statements = Array.from({ length: lookups[operation] }, (_, lookup) => find(team, `known${lookup}`))
  statements[0] = `${begin}; ${statements[0]}`
  statements.push(operation === 'read' ? 'COMMIT' : `${bump(team)}; ${insert(team)}; COMMIT`)
  for (const statement of statements) {
    if (await succeeds(client.query(statement), '40001')) continue
    await client.query('ROLLBACK')
    return false
  }
  return true
}

async function succeeds(query, conflict) {
  try {
    await query
    return true
  } catch (error) {
    if (error.code === conflict) return false
    throw error
  }
}

/** A process runs the writes of a team one after the other, so that two clients on one team are two processes. */
async function measure(way, operation, clients, teamsEach) {
  let [done, conflicts] = [0, 0]
  const until = performance.now() + seconds * 1000
  const work = async (_, number) => {
    const client = await pool.connect()
    while (performance.now() < until) {
      const team = `team${teamsEach === 0 ? 0 : number * teamsEach + Math.floor(Math.random() * teamsEach)}`
      while (!(await way(client, team, operation))) {
        conflicts++
        await new Promise((go) => setTimeout(go, Math.random() * 5))
      }
      done++
    }
    client.release()
  }
  await Promise.all(Array.from({ length: clients }, work))
  return { rate: done / seconds, conflicts: conflicts / done }
}

for (const [where, clients, teamsEach] of [
  ['many teams', mostClients, 6],
  ['one team, two processes', 2, 0],
  ['one team, four processes', 4, 0],
]) {
  for (const operation of Object.keys(lookups)) {
    const rates = []
    for (const way of [versionCheck, rowLock, serializable]) {
      const { rate, conflicts } = await measure(way, operation, clients, teamsEach)
      rates.push(`${way.name} ${Math.round(rate)}/s with ${conflicts.toFixed(2)} conflicts each`)
    }
    console.log(`${operation} in ${where}: ${rates.join(', ')}`)
  }
}
await pool.query(`DROP SCHEMA ${schema} CASCADE`)
await pool.end()

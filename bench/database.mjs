// The database for the section `shared`, by CRM_SANDBOX_TEST_POSTGRES. Each run has its own schemas, and drops them.
import pg from 'pg'

export async function openDatabase() {
  const url = process.env.CRM_SANDBOX_TEST_POSTGRES
  if (!url)
    throw new Error('CRM_SANDBOX_TEST_POSTGRES must name a PostgreSQL database, such as postgres://crm@127.0.0.1/crm')
  const client = new pg.Client(url)
  await client.connect()
  const schemas = new Set()
  return {
    /** The name of a store; one of the same name is the same. */
    store(name) {
      const schema = `bench_${process.pid}_${name}`
      schemas.add(schema)
      return `${url}?schema=${schema}`
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

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { once } from '../../../lib/async.ts'
import { openStore, shownName } from '../../../mock/store/open-store.ts'
import { contact, emptyTeams, insert, newSchema, openedAt } from './helpers.ts'
import { PostgresServer } from './postgres.ts'

const secret = 'hunter2-hunter2'

/** A server with users that have too few rights. */
const server = once(async () => {
  const created = await PostgresServer.create()
  await created?.start()
  await created?.run(
    `CREATE ROLE guarded LOGIN PASSWORD 'another password'`,
    'CREATE ROLE tls LOGIN',
    'GRANT CREATE ON DATABASE postgres TO tls',
    'CREATE ROLE powerless LOGIN',
    'CREATE ROLE reader LOGIN SUPERUSER',
    'ALTER ROLE reader SET default_transaction_read_only = on',
    'CREATE SCHEMA taken',
    'CREATE TABLE taken.teams (id int)',
    'CREATE SCHEMA indexed',
    'CREATE TABLE indexed.others (id int)',
    'CREATE INDEX records_id ON indexed.others (id)',
    'CREATE SCHEMA sandboxes',
    'CREATE TABLE sandboxes.sandbox (name text)',
    `CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0`,
  )
  await created?.admit(
    'host all guarded 127.0.0.1/32 scram-sha-256',
    'hostssl all tls 127.0.0.1/32 trust',
    'host all powerless,reader 127.0.0.1/32 trust',
  )
  if (created) await (await openStore(`${created.url}?schema=others`, emptyTeams)).close()
  await created?.run('GRANT USAGE ON SCHEMA others TO powerless')
  return created
})

describe.skipIf((await server()) === undefined)('a start on PostgreSQL', () => {
  const urlOf = async (user: string, rest = 'postgres') => {
    const { port = 0 } = (await server()) ?? {}
    return `postgres://${user}@127.0.0.1:${port}/${rest}`
  }

  it.each([
    ['a wrong password', `guarded:${secret}`, 'postgres', 'refused the password; give it in PGPASSWORD'],
    ['no password', 'guarded', 'postgres', 'refused the password; give it in PGPASSWORD'],
    ['an unknown user', `nobody:${secret}`, 'postgres', 'or correct the user'],
    ['a missing database', `crm:${secret}`, 'missing', 'does not exist; create it with createdb'],
    ['a user that may not create tables', `powerless:${secret}`, 'postgres', 'GRANT CREATE ON SCHEMA'],
    ['a user that may not change the tables', 'powerless', 'postgres?schema=others', 'GRANT ALL ON ALL TABLES'],
    ['a user that may not create the schema', 'powerless', 'postgres?schema=own', '?schema='],
    ['a table of another program', 'crm', 'postgres?schema=taken', 'name a schema of its own with ?schema= (relation'],
    ['an index of another program', 'crm', 'postgres?schema=indexed', 'name a schema of its own with ?schema='],
    ['another table of the name sandbox', 'crm', 'postgres?schema=sandboxes', 'name a schema of its own with ?schema='],
    ['a read-only server', `reader:${secret}`, 'postgres', 'name the primary server'],
    ['a server that requires TLS', `tls:${secret}`, 'postgres', 'add ?sslmode=require'],
    ['a server without TLS', `crm:${secret}`, 'postgres?sslmode=require', 'leave out sslmode'],
    [
      'a file without certificates',
      'crm',
      'postgres?sslmode=verify-ca&sslrootcert=/missing.pem',
      'correct sslrootcert',
    ],
    ['another encoding than UTF-8', `crm:${secret}`, 'latin', 'create one with the encoding UTF8'],
    ['a schema without a name', 'crm', 'postgres?schema=', 'must have a name of 1 to 63 bytes'],
    ['a schema that PostgreSQL would shorten', 'crm', `postgres?schema=${'ü'.repeat(32)}`, 'a name of 1 to 63 bytes'],
    ['no connections', 'crm', 'postgres?connections=0', 'a number from 1 to 1000'],
    ['too many requests of a team', 'crm', 'postgres?perTeam=1001', 'The perTeam of the store'],
    ['a misspelt option', 'crm', 'postgres?shcema=own', 'has no option "shcema"; there are schema'],
    ['a password with a % that is not encoded', `crm:${secret}%ff`, 'postgres', 'write % in the password as %25'],
  ])('with %s says what to do, and never the password', async (_, user, rest, sentence) => {
    const opened = openStore(await urlOf(user, rest), emptyTeams)
    const error = await opened.catch((error: unknown) => error as Error)
    expect(error).toBeInstanceOf(Error)
    const { message } = error as Error
    expect(message).toContain(sentence)
    expect(message).not.toContain(secret)
    expect(message).not.toContain('\n')
  })

  it.each(['127.0.0.1:1', 'no-such-host.invalid'])('at %s, where none is, says what to do', async (host) => {
    const opened = openStore(`postgres://crm:${secret}@${host}/postgres`, emptyTeams)
    await expect(opened).rejects.toThrow(/^The store postgres:\/\/crm@.*start the database, or correct the host/)
  })

  it('works in a schema with quotes in its name', async () => {
    const name = await urlOf('crm', `postgres?schema=${encodeURIComponent(`it's "quoted"; \\`)}`)
    const store = await openedAt(name)
    await insert(store, contact('ada'))
    const again = await openedAt(name)
    expect((await again.teamInWorld('acme')).contacts).toEqual([contact('ada')])
  })
})

const isOpensslInstalled = spawnSync('openssl', ['version']).status === 0
if (!isOpensslInstalled) console.log('openssl is not installed, so the tests of TLS are skipped')

/** A certificate for this host that is its own authority. */
function newCertificate(host: string) {
  const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-tls-'))
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const options = ['-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  execFileSync('openssl', ['req', '-x509', ...options, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  return { certificate, key }
}

describe.skipIf((await server()) === undefined || !isOpensslInstalled)('a start on PostgreSQL with TLS', () => {
  const startTls = async (host: string) => {
    const started = await server()
    const { certificate, key } = newCertificate(host)
    await started?.run(
      `ALTER SYSTEM SET ssl_cert_file = '${started.write('certificate.pem', readFileSync(certificate, 'utf8'))}'`,
      `ALTER SYSTEM SET ssl_key_file = '${started.write('key.pem', readFileSync(key, 'utf8'))}'`,
      'ALTER SYSTEM SET ssl = on',
      'SELECT pg_reload_conf()',
    )
    const options = (root: string) => `sslmode=verify-full&sslrootcert=${root}&schema=${newSchema()}`
    const url = (root: string) => `postgres://tls@localhost:${started?.port}/postgres?${options(root)}`
    const encrypted = () =>
      started?.rows(`SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'tls'`)
    return { certificate, url, encrypted }
  }

  it('uses it when the certificate is of the host and of the authority', async () => {
    const { certificate, url, encrypted } = await startTls('localhost')
    const store = await openedAt(url(certificate))
    await insert(store, contact('ada'))
    expect(new Set((await encrypted())?.map(({ ssl }) => ssl))).toEqual(new Set([true]))
  })

  it('refuses a certificate of another authority', async () => {
    const { url } = await startTls('localhost')
    const opened = openStore(url(newCertificate('localhost').certificate), emptyTeams)
    await expect(opened).rejects.toThrow('has a certificate that is not trusted; name its authority with sslrootcert')
  })

  it('refuses a certificate of another host', async () => {
    const { certificate, url } = await startTls('db.example.com')
    await expect(openStore(url(certificate), emptyTeams)).rejects.toThrow('has a certificate of another host')
  })
})

it.each(['hunter/2@x', 'hunter?2', 'hun#ter2', 'p@hunter/2'])(
  'says how to write the password %s in the URL, and never the password',
  async (password) => {
    const opened = openStore(`postgres://crm:${password}@127.0.0.1:1/postgres`, emptyTeams)
    await expect(opened).rejects.toThrow(/^The password in the URL of the store must have %2F for \/.*PGPASSWORD\.$/)
  },
)

it.each([
  ['postgres://user:hunter2@host:5432/name?schema=a', 'postgres://user@host:5432/name?schema=a'],
  ['postgres://user:hun@ter2@host/name?password=hunter2&sslmode=require', 'postgres://user@host/name?sslmode=require'],
  ['postgresql://user@host/name', 'postgresql://user@host/name'],
  ['file:crm.json', 'file:crm.json'],
])('shows %s as %s', async (name, shown) => {
  expect(await shownName(name)).toBe(shown)
})

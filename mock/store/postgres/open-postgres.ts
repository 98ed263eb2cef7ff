import { CannotStart, UserError } from '../../../lib/user-error.ts'
import type { InitialWorld, Store } from '../port.ts'
import { PostgresDatabase, reasonOf } from './database.ts'
import { PostgresStore } from './postgres-store.ts'

const option = 'store'

/** Opens the store in a database. An existing sandbox there has precedence over `world`. */
export async function openPostgresStore(name: string, world: InitialWorld): Promise<Store> {
  const { connectionString, schema, connections, perTeam, shown } = addressIn(name)
  try {
    const database = await PostgresDatabase.connect({ connectionString, max: connections })
    try {
      return await PostgresStore.open(database, schema, world, perTeam)
    } catch (error) {
      await database.close()
      throw error
    }
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new CannotStart(`The store ${shown} ${sentenceFor((error as Error).cause ?? error)}.`, {
      option,
      cause: error,
    })
  }
}

/** The name of a store without the password, for a banner or a log. */
export function withoutPassword(name: string): string {
  const [address = '', query = ''] = splitAt(name, '?')
  const shown = [...new URLSearchParams(query)].filter(([option]) => option === 'schema' || option === 'sslmode')
  const options = shown.map(([option, value]) => `${option}=${value}`).join('&')
  return `${address.replace(/^(\w+:\/\/[^:@/]*):.*@/s, '$1@')}${options === '' ? '' : `?${options}`}`
}

interface Address {
  readonly connectionString: string
  readonly schema: string
  readonly connections: number
  readonly perTeam: number | undefined
  readonly shown: string
}

/**
 * The options of this store and of pg. Any other is refused, since pg would ignore it: with a misspelt `schema`, two
 * sandboxes would share their tables.
 */
const urlOptions = new Set([
  ...['schema', 'connections', 'perTeam', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'],
  ...['host', 'port', 'user', 'password', 'options', 'application_name', 'client_encoding'],
])

function addressIn(name: string): Address {
  const [, password = ''] = /^\w+:\/\/[^:@/]*:(.*)@/s.exec(name) ?? []
  if (/[/?#]/.test(password))
    throw new CannotStart(
      'The password in the URL of the store must have %2F for /, %3F for ?, and %23 for #; or give it in PGPASSWORD.',
      { option },
    )
  const shown = withoutPassword(name)
  const [address = '', query = ''] = splitAt(name, '?')
  const options = new URLSearchParams(query)
  const schema = options.get('schema') ?? 'public'
  const unknown = [...options.keys()].find((option) => !urlOptions.has(option))
  if (unknown !== undefined)
    throw new CannotStart(
      `The store ${shown} has no option ${JSON.stringify(unknown)}; there are schema, connections, perTeam, sslmode and sslrootcert.`,
      { option },
    )
  // PostgreSQL shortens a longer name, so two sandboxes could share their tables.
  if (schema === '' || schema.includes('\0') || Buffer.byteLength(schema) > 63)
    throw new CannotStart(`The schema of the store ${shown} must have a name of 1 to 63 bytes.`, { option })
  const [connections = 10, perTeam] = ['connections', 'perTeam'].map((name) => {
    const written = options.get(name)
    if (written !== null && !/^([1-9]\d{0,2}|1000)$/.test(written))
      throw new CannotStart(`The ${name} of the store ${shown} must be a number from 1 to 1000.`, { option })
    options.delete(name)
    return written === null ? undefined : Number(written)
  })
  options.delete('schema')
  // Otherwise pg treats "require" as "verify-full", which libpq does not.
  if (options.has('sslmode')) options.set('uselibpqcompat', 'true')
  return { connectionString: `${address}?${String(options)}`, schema, connections, perTeam, shown }
}

function splitAt(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** The problem and its remedy. */
function sentenceFor(error: unknown): string {
  const { code = '' } = error as { readonly code?: string }
  const reason = reasonOf(error).replaceAll(/\s+/g, ' ')
  const found = remedies.find(([pattern]) => pattern.test(code) || pattern.test(reason))
  return found ? `${found[1]} (${reason})` : `cannot be used: ${reason}`
}

/** By SQLSTATE or by message. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /no encryption|^hostnossl/i,
    'lets this user in with TLS only, or not at all; add ?sslmode=require, or correct the user',
  ],
  [/does not support SSL/, 'has no TLS; leave out sslmode'],
  [
    /^28P01$|password must be a string|SASL authentication failed/,
    'refused the password; give it in PGPASSWORD, in ~/.pgpass or in the URL',
  ],
  [/^28/, 'refused this user; ask the administrator of the database for access'],
  [/^Invalid URL$|^URI malformed$/, 'is no URL; correct the host and the port, or write % in the password as %25'],
  [/^3D000$|^no such database/, 'names a database that does not exist; create it with createdb, or correct the name'],
  [
    /permission denied for table/,
    'has tables of another user; connect as their owner, or GRANT ALL ON ALL TABLES IN SCHEMA to this user',
  ],
  [/^42501$/, 'lets this user create no tables; GRANT CREATE ON SCHEMA, or name a schema of its own with ?schema='],
  [/^42(P07|601|703)$/, 'has tables of another program; name a schema of its own with ?schema='],
  [/^25006$/, 'is read-only, such as a standby; name the primary server'],
  [
    /does not match certificate/,
    'has a certificate of another host; name the host as the certificate does, or use ?sslmode=verify-ca',
  ],
  [/CERT|SELF_SIGNED|VERIFY|certificate/, 'has a certificate that is not trusted; name its authority with sslrootcert'],
  [/^53300$|too many/, 'has no connection left; raise max_connections, or lower ?connections='],
  [/ENOENT.*open/, 'names a file that does not exist; correct sslrootcert'],
  [
    /ECONN|ENOTFOUND|EAI_AGAIN|EHOST|ENET|ETIMEDOUT|ENOENT|timeout|terminated|^57P/,
    'does not answer; start the database, or correct the host and the port',
  ],
]

import { describe, expect, it } from 'vitest'
import { type RecordsOf, StoreUnreachable } from '../../../mock/store/port.ts'
import { AnswerLost, type Connection, type Database } from '../../../mock/store/postgres/database.ts'
import { PostgresStore } from '../../../mock/store/postgres/postgres-store.ts'
import { Sql } from '../../../mock/store/postgres/sql.ts'
import { contact, emptyTeams, idsOf, insert, newSchema, promised } from './helpers.ts'
import { pglite, withLiterals } from './pglite.ts'
import { chances } from '../../tier.ts'

/** How to send statements; by default, as they are. */
type Send = (statements: readonly Sql[], send: () => Promise<readonly object[]>) => Promise<readonly object[]>

/** The database of this process, behind a connection with faults. */
async function databaseWith(faulty: { send: Send }): Promise<Database> {
  const database = await pglite()
  const around = (connection: Connection): Connection => ({
    query: (...statements) =>
      faulty.send(statements, () => connection.query(...statements)) as ReturnType<Connection['query']>,
  })
  return {
    ...around(database),
    holding: (hold) => around(database.holding(hold)),
    transaction: (work, options) => database.transaction((connection) => work(around(connection)), options),
    work: () => database.work(),
    abandon: () => undefined,
    close: async () => undefined,
  }
}

const asItIs: Send = (_, send) => send()

async function openReplicas(count: number, perTeam?: number) {
  const [schema, faulty] = [newSchema(), { send: asItIs }]
  const database = await databaseWith(faulty)
  const opened = Array.from({ length: count }, () => PostgresStore.open(database, schema, emptyTeams, perTeam))
  const [one, ...others] = await Promise.all(opened)
  if (!one) throw new Error('None was opened')
  return { one, all: [one, ...others] as const, faulty, schema }
}

const textOf = (statements: readonly Sql[]) => statements.map(withLiterals).join(';\n')
const isCommit = ([statement]: readonly Sql[]) => statement?.text.startsWith('WITH changed AS') === true
const contactsOf = async (store: PostgresStore) => (await store.teamInWorld('acme')).contacts ?? []

describe('processes that start at once', () => {
  it('create the tables once, and fill them once', async () => {
    const { all } = await openReplicas(6)
    const generations = await Promise.all(all.map((store) => store.generation()))
    expect(new Set(generations.map(({ tokenSecret }) => tokenSecret)).size).toBe(1)
    expect(await all[5]?.world()).toEqual(emptyTeams)
  })
})

describe('the tables of another version', () => {
  it.each([
    ['that a newer crm-sandbox has only added to are used', 1, undefined],
    ['that this version does not know are refused', 2, 'of a newer crm-sandbox (version 2, and this one knows 1)'],
  ])('%s', async (_, oldest, refusal) => {
    const { schema } = await openReplicas(1)
    const database = await pglite()
    await database.query(new Sql(`UPDATE "${schema}".sandbox SET tables_version = 2, tables_oldest = ${oldest}`))
    const opened = PostgresStore.open(database, schema, emptyTeams)
    if (refusal === undefined) expect(await (await opened).world()).toEqual(emptyTeams)
    else await expect(opened).rejects.toThrow(refusal)
  })
})

describe('due work', () => {
  it('is looked for only in teams whose records may wait for a time', async () => {
    const acme = { _id: 'acme', name: 'acme', apiKeys: [], contacts: [contact('ada')] }
    const world = { teams: [acme, { ...acme, _id: 'globex', bulkSends: [bulkSend] }] }
    const store = await PostgresStore.open(await pglite(), newSchema(), world)
    const claims = async () => [await store.claimDue(0, 0, 10), await store.claimDue(0, 0, 10)]
    expect(await claims()).toEqual(['globex', undefined])
    await store.replaceAll(world)
    await store.restoreTeam('acme', acme)
    expect(await claims()).toEqual(['globex', undefined])
  })
})

describe('a copy of many records', () => {
  it('renews the statistics, so that PostgreSQL does not take the new record set for empty', async () => {
    const { one, schema } = await openReplicas(1)
    const known = async () =>
      (await pglite()).query(
        new Sql(
          `SELECT tablename FROM pg_stats, "${schema}".teams WHERE schemaname = '${schema}' AND attname = 'record_set' AND id = 'acme' AND most_common_vals::text LIKE '%' || record_set || '%' ORDER BY tablename`,
        ),
      )
    const contacts = Array.from({ length: 1_200 }, (_, at) => contact(`${at}`, { email: `${at}@example.com` }))
    const acme = { _id: 'acme', name: 'acme', apiKeys: [], contacts }
    await one.restoreTeam('acme', acme)
    expect(await known()).toEqual([{ tablename: 'entries' }, { tablename: 'records' }])
    await one.replaceAll({ teams: [acme] })
    expect(await known()).toEqual([{ tablename: 'entries' }, { tablename: 'records' }])
  })
})

describe('the records of a set that no team has any more', () => {
  const rowsIn = async (schema: string) => {
    const counted = ['records', 'entries', 'counts', 'writers'].map(
      (table) => `SELECT count(*) AS rows FROM "${schema}".${table}`,
    )
    return (await (await pglite()).query(...counted.map((text) => new Sql(text)))).map(({ rows }) => Number(rows))
  }
  const some = Array.from({ length: 2_345 }, (_, at) => contact(`${at}`, { email: `${at}@example.com` }))
  const withContacts = { _id: 'acme', name: 'acme', apiKeys: [], contacts: some, bulkSends: [bulkSend] }

  it('are removed soon, whatever replaced them', async () => {
    const { one, schema } = await openReplicas(1)
    await insert(one, contact('ada'), 'globex')
    const work = [
      () => one.restoreTeam('acme', withContacts),
      () => one.replaceAll({ teams: [withContacts] }),
      () => one.removeTeam('acme'),
    ]
    for (const change of work) {
      await change()
      await expect.poll(() => unused(schema)).toEqual([])
      if ((await one.teams()).length === 1) expect((await rowsIn(schema))[0]).toBe(2_346)
    }
    expect(await rowsIn(schema)).toEqual([0, 0, 0, 0])
  })

  it('are removed without a join, which takes minutes while PostgreSQL has no statistics', async () => {
    const { one, faulty, schema } = await openReplicas(1)
    await one.restoreTeam('acme', withContacts)
    await expect.poll(() => unused(schema)).toEqual([])
    const removals: string[] = []
    faulty.send = async (statements, send) => {
      removals.push(...(/(WITH .*)?DELETE FROM \S+\.entries .*/.exec(textOf(statements)) ?? []).slice(0, 1))
      return send()
    }
    await one.restoreTeam('acme', withContacts)
    await expect.poll(() => unused(schema)).toEqual([])
    expect(removals.length).toBeGreaterThan(2)
    const database = await pglite()
    for (const text of removals)
      expect(JSON.stringify(await database.query(new Sql(`EXPLAIN ${text}`)))).not.toMatch(/Nested Loop|Join/)
  })

  it('are removed at the next start, when a process was killed before', async () => {
    const { one, faulty, schema } = await openReplicas(1)
    await one.restoreTeam('acme', withContacts)
    await expect.poll(() => unused(schema)).toEqual([])
    faulty.send = async ([statement], send) => {
      if (statement?.text.startsWith('SELECT team, record_set') === true) throw new StoreUnreachable('killed')
      return send()
    }
    await one.restoreTeam('acme', { ...withContacts, contacts: [] })
    expect(await unused(schema)).toHaveLength(1)
    expect((await rowsIn(schema))[0]).toBe(2_347)
    await PostgresStore.open(await pglite(), schema, emptyTeams)
    await expect.poll(() => unused(schema)).toEqual([])
    expect((await rowsIn(schema))[0]).toBe(1)
  })
})

describe('the revision of all teams', () => {
  it('differs after each replacement of a team, also by as many records', async () => {
    const { one } = await openReplicas(1)
    const seen = new Set<string>()
    for (let round = 0; round < 10; round++) {
      await one.restoreTeam('acme', { _id: 'acme', name: 'acme', apiKeys: [] })
      seen.add(await one.shared.revision(undefined))
    }
    expect(seen.size).toBe(10)
  })
})

describe('a change of the settings of a team', () => {
  it('is observed as that alone, and leaves the caches of other teams', async () => {
    const { one, all, faulty } = await openReplicas(2)
    const known = (await one.shared.observe(undefined))?.version
    for (const id of ['acme', 'globex']) await Promise.all([one.team(id), one.teamOfKey(`${id}-key`)])
    await all[1]?.shared.change('acme', () => ({ changed: true }))
    const observed = await one.shared.observe(known)
    expect(observed?.changed).toEqual([{ teamId: 'acme', settings: { changed: true }, apiKeys: ['acme-key'] }])
    let sent = 0
    faulty.send = async (_, send) => {
      sent++
      return send()
    }
    await Promise.all([one.team('globex'), one.teamOfKey('globex-key'), one.generation()])
    expect(sent).toBe(0)
    await Promise.all([one.team('acme'), one.teamOfKey('acme-key')])
    expect(sent).toBe(2)
  })

  it('is refused once the team is removed, which the others observe', async () => {
    const { one, all } = await openReplicas(2)
    const known = (await one.shared.observe(undefined))?.version
    await one.team('acme')
    await all[1]?.removeTeam('acme')
    await expect(one.shared.change('acme', () => ({}))).rejects.toThrow('No team acme')
    expect((await one.shared.observe(known))?.changed).toEqual([{ teamId: 'acme', settings: undefined, apiKeys: [] }])
    expect(await one.team('acme')).toBeUndefined()
  })
})

describe('transactions of several processes on one team', () => {
  it('never leave a read with a part of one', async () => {
    const { one, all } = await openReplicas(3)
    const write = (store: PostgresStore, id: string) =>
      store.transaction('acme', async ({ records: { contacts, deals } }) => {
        await contacts.insert(contact(id, { company: 'one' }))
        await deals.insert({ _id: id, name: id, pipeline: 'sales', stage: 'new', company: 'one' })
      })
    const read = (store: PostgresStore) =>
      store.read('acme', async ({ records: { contacts, deals } }) => {
        const before = idsOf(await contacts.find('company', 'one'))
        return [before, idsOf(await deals.find('company', 'one'))]
      })
    const reads = Array.from({ length: 30 }, async (_, at) => {
      const store = all[at % 3] ?? one
      await write(store, `${at}`)
      return read(store)
    })
    for (const [contacts, deals] of await Promise.all(reads)) expect(deals).toEqual(contacts)
  })
})

describe('a commit', () => {
  it.each([1, 2, 3])('happens once, whether its request or its answer is lost (seed %i)', async (seed) => {
    const { one, all, faulty } = await openReplicas(2)
    const chance = chances(seed)
    faulty.send = async (statements, send) => {
      if (!isCommit(statements) || chance() < 0.5) return send()
      if (chance() < 0.5) await send()
      throw new AnswerLost('cut')
    }
    const ids = Array.from({ length: 40 }, (_, at) => `${at}`)
    await Promise.all(
      ids.map((id, at) =>
        (all[at % 2] ?? one).transaction('acme', async ({ records: { contacts, answers } }) => {
          await contacts.insert(contact(id))
          await answers.insert({ ...answer, _id: id })
        }),
      ),
    )
    expect(idsOf(await contactsOf(one)).toSorted()).toEqual(ids.toSorted())
    expect(await one.read('acme', ({ records }) => records.answers.count('all', ['all']))).toBe(ids.length)
  })

  it('rejects when the database is away for long, and the store works again when it is back', async () => {
    const { one, faulty } = await openReplicas(1)
    faulty.send = async (statements, send) => {
      if (isCommit(statements)) throw new AnswerLost('cut')
      return send()
    }
    await expect(insert(one, contact('ada'))).rejects.toThrow('Whether a change was made is unknown')
    faulty.send = asItIs
    await insert(one, contact('grace'))
    expect(idsOf(await contactsOf(one))).toEqual(['grace'])
  })

  it('that was not sent changes nothing', async () => {
    const { one, faulty } = await openReplicas(1)
    faulty.send = async (statements, send) => {
      if (isCommit(statements)) throw new StoreUnreachable('refused')
      return send()
    }
    await expect(insert(one, contact('ada'))).rejects.toThrow('refused')
    faulty.send = asItIs
    expect(await contactsOf(one)).toEqual([])
  })
})

const answer = { key: 'key', fingerprint: '', at: 0, status: 200, body: '', assumed: [] }

describe('a database that does not answer', () => {
  it('makes few requests of one team wait, so that those of another still may', async () => {
    const { one, faulty } = await openReplicas(1, 20)
    await insert(one, contact('ada'))
    await one.team('globex')
    const held = promised()
    faulty.send = async (_, send) => held.promise.then(send)
    const outcome = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: unknown) => (error as Error).message,
      )
    const read = (teamId: string) => outcome(one.read(teamId, async ({ records }) => records.contacts.get('ada')))
    const outcomes = Array.from({ length: 21 }, (_, at) => [outcome(insert(one, contact(`${at}`))), read('acme')])
    expect(await Promise.all(outcomes[20] ?? [])).toEqual([
      'Too many changes of team acme wait for the database',
      'Too many reads of team acme wait for the database',
    ])
    const others = [read('globex'), outcome(insert(one, contact('grace'), 'globex'))]
    held.resolve()
    expect(new Set(await Promise.all([...outcomes.slice(0, 20).flat(), ...others]))).toEqual(new Set(['done']))
    expect(await read('acme')).toBe('done')
  })

  it('makes few changes wait, and none for long', async () => {
    const { one, faulty } = await openReplicas(1, 1_500)
    await insert(one, contact('ada'))
    const held = promised()
    faulty.send = async (_, send) => held.promise.then(send)
    const outcomes = Array.from({ length: 1_200 }, (_, at) =>
      insert(one, contact(`${at}`)).catch((error: unknown) => (error as Error).message),
    )
    expect(await outcomes[1_100]).toBe('Too many changes wait for the database')
    for (const outcome of await Promise.all(outcomes.slice(1, 1_000))) expect(outcome).toContain('has waited too long')
    held.resolve()
    expect(await outcomes[0]).toBeUndefined()
    faulty.send = asItIs
    await insert(one, contact('grace'))
    expect(idsOf(await contactsOf(one))).toEqual(['ada', '0', 'grace'])
  })
})

describe('a scan for a text', () => {
  it('reads only the records that contain it', async () => {
    const { one } = await openReplicas(1)
    for (const id of ['ada', 'grace']) await insert(one, contact(id))
    for await (const part of one.scan('acme', 'contacts', 'grace')) expect(idsOf(part)).toEqual(['grace'])
  })
})

describe('a page of the records of a team', () => {
  it('is read from the nearer end, by an index alone up to its first record, and without a join', async () => {
    const { one, faulty } = await openReplicas(1)
    const contacts = Array.from({ length: 400 }, (_, at) => contact(`c-${at}`))
    await one.transaction('acme', ({ records }) => records.contacts.insertAll(contacts))
    const user = { _id: 'admin', role: 'admin' } as const
    await one.transaction('acme', ({ records }) => records.users.insert(user))
    const pages: string[] = []
    faulty.send = async (statements, send) => {
      if (textOf(statements).includes('OFFSET')) pages.push(textOf(statements))
      return send()
    }
    for (const skip of [0, 195, 205, 390, 396, 400, 500]) {
      const { total, records } = await one.page('acme', 'contacts', { skip, take: 10 })
      expect([total, idsOf(records)]).toEqual([400, idsOf(contacts.slice(skip, skip + 10))])
    }
    const database = await pglite()
    // With statistics, PostgreSQL reads so small a table as a whole.
    await database.query(new Sql('SET enable_seqscan = off; SET enable_bitmapscan = off'))
    const plans = await Promise.all(
      pages.map(async (text) =>
        JSON.stringify(await database.query(new Sql(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`))),
      ),
    )
    await database.query(new Sql('RESET enable_seqscan; RESET enable_bitmapscan'))
    for (const plan of plans) {
      const rows = [...plan.matchAll(/"Actual Rows": ?(\d+)/g)].map(([, count]) => Number(count))
      expect(Math.max(...rows)).toBeLessThanOrEqual(210)
      expect(plan).toContain('records_kind')
      expect(plan).not.toContain('Join')
    }
  })
})

describe('a team that another process has replaced', () => {
  it('is read from the database again', async () => {
    const { one, all } = await openReplicas(2)
    await insert(one, contact('ada'))
    await all[1]?.replaceAll({ teams: [{ _id: 'acme', name: 'New', apiKeys: [], contacts: [contact('grace')] }] })
    const read = await one.read('acme', async ({ records }) => records.contacts.getMany(['ada', 'grace']))
    expect(idsOf(read)).toEqual(['grace'])
    await insert(one, contact('ada'))
    expect(idsOf(await contactsOf(one))).toEqual(['grace', 'ada'])
    await expect(one.transaction('globex', async ({ records }) => records.contacts.get('ada'))).rejects.toThrow(
      'No team',
    )
  })
})

describe('the statements', () => {
  it('leave no state in a connection, which PgBouncer gives to another client', async () => {
    const {
      all: [store, other],
      faulty,
    } = await openReplicas(2)
    if (!other) throw new Error('None was opened')
    const statements: string[] = []
    faulty.send = async (sent, send) => {
      statements.push(textOf(sent))
      return send()
    }
    await everything(store, other)
    await PostgresStore.open(await databaseWith(faulty), newSchema(), emptyTeams)
    expect(statements.length).toBeGreaterThan(100)
    const leavesState = /\b(pg_advisory_lock|listen|notify|prepare|declare|temp|set (session|local)|search_path)\b/i
    expect(statements.filter((text) => leavesState.test(text))).toEqual([])
  })

  it('cost less, by an estimate without statistics, than what PostgreSQL compiles for 100 ms', async () => {
    const {
      all: [store, other],
      faulty,
    } = await openReplicas(2)
    if (!other) throw new Error('None was opened')
    const selects = new Set<string>()
    faulty.send = async (sent, send) => {
      for (const statement of sent.map(withLiterals)) if (statement.startsWith('SELECT')) selects.add(statement)
      return send()
    }
    await everything(store, other)
    faulty.send = asItIs
    expect(selects.size).toBeGreaterThan(20)
    const [compiled] = await (
      await pglite()
    ).query(new Sql(`SELECT setting FROM pg_settings WHERE name = 'jit_above_cost'`))
    for (const select of selects) {
      const plan = JSON.stringify(await (await pglite()).query(new Sql(`EXPLAIN (FORMAT JSON) ${select}`)))
      const costs = [...plan.matchAll(/"Total Cost": ?([\d.]+)/g)].map(([, cost]) => Number(cost))
      expect(Math.max(...costs), select).toBeLessThan(Number(compiled?.setting))
    }
  })
})

const unused = async (schema: string) => (await pglite()).query(new Sql(`SELECT * FROM "${schema}".unused_record_sets`))

const bulkSend = {
  _id: 'one',
  to: ['+14155550123'],
  sendAt: '2026-03-01T09:30:00.000Z',
  message: { channel: 'sms', content: 'Hello', providerId: 'sms-provider' },
} as const

/** Uses all of the store. */
async function everything(store: PostgresStore, other: PostgresStore): Promise<void> {
  const [ada, grace] = [contact('ada', { email: 'ada@example.com' }), contact('grace', { company: 'one' })]
  const part = { skip: 0, take: 10, order: 'newestFirst' } as const
  const world = {
    teams: [{ _id: 'acme', name: 'acme', apiKeys: ['acme-key'], contacts: [ada], bulkSends: [bulkSend] }],
  }
  await store.shared.observe(0)
  await store.shared.poll()
  for (const teamId of [undefined, 'acme']) await store.shared.change(teamId, (settings) => ({ ...settings, at: 1 }))
  const tally = { team: 'acme', name: 'fault-1 fired' }
  await store.shared.tallies.add([tally, { team: undefined, name: 'fault' }])
  expect(await store.shared.tallies.add([tally], 1)).toEqual([undefined])
  expect(await store.shared.tallies.all()).toEqual(
    new Map([
      ['fault-1 fired', 1],
      ['fault', 1],
    ]),
  )
  await store.shared.tallies.remove([tally])
  const [one, two] = ['one', 'two'].map((name) => ({ id: name, name }))
  if (!one || !two) throw new Error('No server')
  await Promise.all([store.shared.remoteQueries.announce(one), other.shared.remoteQueries.announce(two)])
  const asked = store.shared.remoteQueries.ask(one, 'query')
  await expect.poll(async () => (await other.shared.observe(0))?.hasRemoteQueries).toBe(true)
  await other.shared.remoteQueries.answer(two, async (query) => `answer to ${query}`)
  expect(await asked).toEqual({ answers: ['answer to query'], unanswered: [] })
  await Promise.all([store.shared.remoteQueries.leave(one), other.shared.remoteQueries.leave(two)])
  await store.addTeam({ ...world.teams[0], _id: 'initech', name: 'initech', apiKeys: ['new-key'] })
  await Promise.all([store.initialRecords('initech'), store.teamOfKey('new-key'), store.team('initech'), store.teams()])
  await store.transaction('acme', async (team) => {
    const { contacts, bulkSends } = team.records
    await contacts.insertAll([ada, grace])
    await bulkSends.insert({ ...bulkSend, _id: 'two' })
    team.scheduleAt(5)
  })
  await store.transaction('acme', async (team) => {
    const { contacts, answers, bulkSends, providers } = team.records
    await contacts.replace({ ...ada, email: 'countess@example.com' })
    await contacts.removeWhere('company', 'one')
    await bulkSends.count('waitsFor', ['time'])
    await bulkSends.page('waitsFor', ['time'], part)
    await bulkSends.page('waitsFor', ['time'], { ...part, skip: 5000 })
    await answers.first('all', 'all')
    await answers.last('all', 'all')
    await contacts.count('email', ['x'])
    await providers.insert({ _id: 'sms', channel: 'sms', address: '+14155550100' })
    team.scheduleNext(7)
  })
  await store.count('requests', 0, 10)
  await store.read('acme', ({ records }) => records.contacts.get('ada'))
  for (const run of [store.read.bind(store), store.transaction.bind(store)]) {
    let changes = 0
    await run('acme', async ({ records: { contacts } }) => {
      await contacts.get('ada')
      if (changes < 3) await insert(other, contact(`${run.name} ${changes++}`))
      await contacts.get('grace')
      const all = contacts as RecordsOf<'contacts'>
      if (run.name.includes('transaction')) await all.insert(contact('after the lock'))
    })
  }
  await store.claimDue(10, 0, 10)
  await store.nextDue()
  await store.generation()
  await store.restoreTeam('initech', world.teams[0] ?? { _id: '', name: '', apiKeys: [] })
  await store.teamInWorld('initech')
  await store.removeTeam('initech')
  await store.snapshots.put('one', { world, isWhole: true })
  await Promise.all([store.snapshots.names(), store.snapshots.summary('one'), store.snapshots.get('one')])
  await store.snapshots.remove('one')
  await store.replaceAll(world, world.teams)
  await store.world()
}

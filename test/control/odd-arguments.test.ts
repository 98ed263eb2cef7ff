import { describe, expect, it, onTestFinished } from 'vitest'
import { control, type ControlClient, type Refused } from '../../control/client.ts'
import { createSandbox, type Sandbox } from '../../mock/create-sandbox.ts'
import { twoTeams } from '../mock/harness.ts'

// What a caller in JavaScript may hand over by mistake, in the place of each argument of each function, at both doors.

const itself: Record<string, unknown> = {}
itself.itself = itself

const odd: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  'a number': 5,
  true: true,
  'an empty list': [],
  'a list': [1],
  'an empty text': '',
  'a text': 'nothing has this name',
  'a step up': '..',
  'half a character': '\ud800',
  'an empty object': {},
  'an unknown field': { nothing: 1 },
  'a team that is null': { teamId: null },
  'a team that is a number': { teamId: 5 },
  'a wait that is null': { wait: null },
  'a filter that is null': { where: null },
  'a field that is null': { where: { email: null } },
  'a page that is null': { page: null },
  'a name': { name: 'Again' },
  choices: { choices: { contactMatching: 'phoneThenEmail' } },
  'a large number': 10n,
  'a function': () => 'world',
  'a symbol': Symbol('world'),
  'an object that holds itself': itself,
  'an object without a prototype': Object.create(null),
}

/** Arguments with which each function does something, or finds that there is no such thing. */
const usual: Readonly<Record<string, readonly unknown[]>> = {
  world: [{}],
  loadWorld: [{}],
  addWorld: [{}],
  records: ['acme', 'contacts', {}],
  team: [{}],
  'clock.set': [{ frozen: true }],
  'clock.freeze': ['2030-01-31T09:00:00Z'],
  'clock.advance': ['1s'],
  'teams.create': [{}],
  'teams.get': ['acme'],
  'teams.reset': ['acme'],
  'teams.delete': ['globex'],
  'snapshots.save': ['saved', {}],
  'snapshots.restore': ['kept', {}],
  'snapshots.delete': ['kept'],
  'snapshots.download': ['kept'],
  'snapshots.upload': ['kept', {}],
  'tokens.sign': [{ role: 'admin', teamId: 'acme' }],
  'templates.approve': ['welcome', {}],
  'templates.reject': ['welcome', {}],
  'bulkSends.release': [{}],
  'outbox.list': [{}],
  'outbox.release': ['acme', 'item'],
  'outbox.drop': ['acme', 'item'],
  'outbox.report': ['acme', 'message', { status: 'read' }],
  'incoming.add': ['acme', { channel: 'chat', from: 'ada@example.com', content: 'Hello' }],
  'faults.add': [{ status: 500 }],
  'faults.get': ['fault-0'],
  'faults.delete': ['fault-0'],
  'gates.add': [{}],
  'gates.get': ['gate-0'],
  'gates.wait': ['gate-0', { wait: '1ms' }],
  'gates.release': ['gate-0'],
  'gates.fail': ['gate-0', { status: 500 }],
  'gates.delete': ['gate-0'],
  'assumptions.list': [{}],
  'assumptions.get': ['contactMatching', {}],
  'assumptions.set': [{ contactMatching: 'phoneThenEmail' }, {}],
  'assumptions.reset': [{}],
  'requests.find': [{}],
  'requests.get': ['request'],
  'requests.count': [{}],
  'requests.wait': [{ within: '1ms' }],
  'requests.verify': [{}],
  'requests.follow': [{}],
}

/** These take nothing. */
const without = [
  'health',
  'reset',
  'clock.read',
  'clock.resume',
  'clock.restart',
  'teams.list',
  'snapshots.list',
].concat(['faults.list', 'faults.clear', 'gates.list', 'gates.clear', 'requests.clear'])

describe('whatever is handed over by mistake', () => {
  it('goes to every function that takes something', () => {
    expect([...Object.keys(usual), ...without].sort()).toEqual(
      functionsOf(control({ url: 'http://127.0.0.1:1' })).sort(),
    )
  })

  const places = Object.entries(usual).flatMap(([name, given]) => given.map((_, at) => ({ name, at })))

  it.each(places)('is taken, or refused in words and without an effect: $name, argument $at', async ({ name, at }) => {
    const sandbox = await createSandbox({ world: twoTeams, port: 0 })
    onTestFinished(() => sandbox.close())
    const client = control({ url: sandbox.url })
    await prepare(sandbox)
    for (const [form, value] of Object.entries(odd)) {
      const given = (usual[name] ?? []).with(at, value)
      const own = await outcomeOf(name, given, sandbox, sandbox)
      const told = name === 'requests.follow' && own === taken ? own : await outcomeOf(name, given, client, sandbox)
      const isBeyondHttp = hasNoText.has(form) && told !== taken
      expect({ form, own, told }).toEqual({ form, own, told: isBeyondHttp ? told : own })
    }
  })

  it.each([undefined, null, 5, {}, { url: 5 }, { url: 'sandbox' }, { url: 'http://127.0.0.1:1', token: 5 }])(
    'is told where a client is made, for %s',
    (address) => {
      expect(() => control(address as never)).toThrow(
        'control() takes the address of a sandbox, such as { url: "http://127.0.0.1:4010" }, and its token as a text',
      )
    },
  )
})

/** HTTP cannot carry these, which a client says in its own words. */
const hasNoText = new Set([
  'a large number',
  'a function',
  'a symbol',
  'an object that holds itself',
  'half a character',
])

const taken = 'taken'

async function outcomeOf(name: string, given: readonly unknown[], door: ControlClient | Sandbox, sandbox: Sandbox) {
  const before = await stateOf(sandbox)
  try {
    await call(name, given, door)
    await prepare(sandbox)
    return taken
  } catch (error) {
    const { status, message } = error as Refused
    expect({ name, given, error, isRefusal: [400, 404, 409].includes(status) }).toMatchObject({ isRefusal: true })
    expect(message).not.toMatch(/undefined|\bnull\b|\[object|NaN/)
    expect(await stateOf(sandbox)).toEqual(before)
    return `${status} ${message}`
  }
}

async function prepare(sandbox: Sandbox): Promise<void> {
  await sandbox.reset()
  await sandbox.snapshots.upload('kept', twoTeams)
  await sandbox.faults.add({ operation: 'createQuote', status: 500 })
  await sandbox.gates.add({ operation: 'createQuote' })
  await sandbox.clock.freeze('2030-01-31T09:00:00Z')
  await sandbox.fetch('/api/contacts')
}

const stateOf = async (sandbox: Sandbox) => ({
  world: await sandbox.world(),
  snapshots: await sandbox.snapshots.list(),
  faults: (await sandbox.faults.list()).length,
  gates: (await sandbox.gates.list()).map(({ state }) => state),
  clock: await sandbox.clock.read(),
  choices: (await sandbox.health()).assumptions,
})

async function call(name: string, given: readonly unknown[], door: ControlClient | Sandbox): Promise<void> {
  const act = name.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], door) as Act
  const returned = act(...given)
  // In process it is refused at once; from elsewhere, by the first answer.
  if (name !== 'requests.follow') await returned
  else if (!('fetch' in door)) await (returned as AsyncIterable<unknown>)[Symbol.asyncIterator]().next()
}

type Act = (...given: readonly unknown[]) => unknown

const functionsOf = (door: object, prefix = ''): string[] =>
  Object.entries(door).flatMap(([name, value]) =>
    typeof value === 'function' ? [prefix + name] : functionsOf(value as object, `${prefix}${name}.`),
  )

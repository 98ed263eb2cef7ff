import { isDeepStrictEqual } from 'node:util'
import { createSandbox, type Sandbox } from '../../../mock/create-sandbox.ts'
import { operations, type OperationId } from '../../../spec/operations.ts'
import { type Call, callerOf, type ApiResponse, twoTeams } from '../helpers.ts'
import { asAssumed } from '../../contracts/other-server/switches.ts'
import { credentials, Service } from '../../contracts/other-server/server.ts'
import type { ApiKind as Kind } from '../../../fixtures/records.ts'
import { type Request, type Step, type TeamName, teams } from './requests.ts'

/** Changes the calls of a sandbox so that they show a bug. */
export type Break = (call: Call) => Call

const keys: Readonly<Record<TeamName, string>> = { acme: credentials.team, globex: credentials.otherTeam }
const nobody = '0123456789abcdef01234567'

/** Both servers have the same teams and providers. */
const world = {
  teams: twoTeams.teams.map((team, index) => ({
    ...team,
    _id: `team-${team._id}`,
    apiKeys: [keys[team._id as TeamName]],
    providers: new Service(asAssumed).teams[index]?.providers ?? [],
  })),
} as typeof twoTeams

/** The sandbox, and the server that was written from the specification alone. */
export class Sides {
  readonly #sandbox: Sandbox
  readonly #break: Break
  #call: Call
  #tokens: Tokens = { admin: '', agent: '' }
  #other = new Service(asAssumed)
  /** The ids of each team, as the sandbox and as the other server has them, the oldest first. */
  #ids = newIds()
  #twins = new Map<string, string>()

  private constructor(sandbox: Sandbox, broken: Break) {
    this.#sandbox = sandbox
    this.#break = broken
    this.#call = broken(callerOf(sandbox))
  }

  static async open(store: string, broken: Break = (call) => call): Promise<Sides> {
    return new Sides(await createSandbox({ world, store, clock: { now: () => Date.now() } }), broken)
  }

  close(): Promise<void> {
    return this.#sandbox.close()
  }

  async reset(): Promise<void> {
    await this.#sandbox.reset()
    this.#call = this.#break(callerOf(this.#sandbox))
    this.#other = new Service(asAssumed)
    this.#ids = newIds()
    this.#twins = new Map()
    this.#tokens = { admin: await this.#tokenOf('admin'), agent: await this.#tokenOf('agent') }
  }

  async #tokenOf(role: 'admin' | 'agent'): Promise<string> {
    const body = { teamId: 'team-acme', userId: `acme-${role}`, role, expiresIn: 365 * 24 * 60 * 60 }
    return ((await control(this.#sandbox, '/tokens', body)) as { data: { token: string } }).data.token
  }

  /** Takes the step on both sides. Returns the status of the sandbox, or throws when the answers differ. */
  async take(step: Step, pass: (milliseconds: number) => void): Promise<number | undefined> {
    if ('passes' in step) {
      await this.#sandbox.doDueWork()
      pass(step.passes)
      return undefined
    }
    if ('approves' in step) return this.#approve(step.team, step.approves)
    const [own, others] = ([0, 1] as const).map((side) => this.#onSide(step, side)) as [Request, Request]
    const [response, expected] = [await this.#askSandbox(own), await this.#askOther(others)]
    const difference = this.#compare(step, response, expected)
    if (difference !== undefined) {
      const shown = Object.entries({ step, own, response, expected })
      throw new Error([difference, ...shown.map(([name, one]) => `${name} ${JSON.stringify(one)}`)].join('\n'))
    }
    this.#forget(step, response.status)
    return response.status
  }

  /** The request with the ids that one side has given. */
  #onSide(request: Request, side: 0 | 1): Request {
    const idFor = (_: string, value: unknown) =>
      typeof value === 'string' ? (this.#find(request.team, value)?.[side] ?? value) : value
    return JSON.parse(JSON.stringify(request), idFor) as Request
  }

  #find(team: TeamName, reference: string): readonly [string, string] | undefined {
    const [, whose, kind, place] = /^@(own|foreign) (\w+) (\d)$/.exec(reference) ?? []
    if (whose === undefined) return undefined
    const owner = (whose === 'own') === (team === 'acme') ? 'acme' : 'globex'
    const ids = this.#ids[owner][kind as Kind]
    return ids.at(-1 - (Number(place) % Math.max(ids.length, 1))) ?? [nobody, nobody]
  }

  #askSandbox({ team, by, id, key, ...ask }: Request): Promise<ApiResponse> {
    const headers = { ...(key === undefined ? {} : { 'idempotency-key': key }) }
    if (by === 'key') return this.#call(id, { ...ask, key: keys[team], headers })
    return this.#call(id, { ...ask, key: null, headers: { ...headers, authorization: `Bearer ${this.#tokens[by]}` } })
  }

  async #askOther({ team, by, id, path = {}, query = {}, body, key }: Request): Promise<ApiResponse> {
    const { method, path: documented } = operations[id]
    const place = documented.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
    const url = new URL(place, 'http://other')
    for (const [name, values] of Object.entries(query))
      for (const value of [values].flat()) url.searchParams.append(name, String(value))
    const answer = await this.#other.answer({
      method: method.toUpperCase(),
      url: url.pathname + url.search,
      headers: {
        ...(by === 'key' ? { 'x-api-key': keys[team] } : { authorization: `Bearer ${credentials[by]}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        'content-type': 'application/json',
      },
      bytes: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    })
    return { status: answer.status, body: JSON.parse(Buffer.concat(answer.parts).toString()), assumed: [] }
  }

  /** Where the answers differ, but for ids and the words of messages. */
  #compare({ id, team, path, body }: Request, response: ApiResponse, expected: ApiResponse): string | undefined {
    if (response.status !== expected.status) {
      // A request that names records and has another mistake may be refused for either.
      const namesRecords = /@(own|foreign)|0123456789abcdef01234567|not an id/.test(JSON.stringify([path, body]))
      const isRefused = [response, expected].every(({ status }) => status === 400 || status === 404)
      return isRefused && namesRecords ? undefined : `the status is ${response.status}, not ${expected.status}`
    }
    if (response.status >= 400) return response.body.success === false ? undefined : 'a refusal looks like a success'
    const count = (body: { message: string }) => /^\d+/.exec(body.message)?.[0]
    if (id === 'deleteContactsByEmail' && count(response.body) !== count(expected.body))
      return 'another number is deleted'
    return (
      this.#compareValues(response.body.pagination, expected.body.pagination, team, 'pagination') ??
      this.#compareValues(
        shownByBoth(id, response.body.data),
        shownByBoth(id, expected.body.data),
        team,
        kindShownBy(id),
      )
    )
  }

  #compareValues(own: unknown, other: unknown, team: TeamName, name: string): string | undefined {
    if (typeof own === 'string' && typeof other === 'string' && isId(own) && isId(other)) {
      const known = this.#twins.get(own)
      if (known !== undefined || own === other) return (known ?? own) === other ? undefined : `${name}: another id`
      this.#twins.set(own, other)
      const kind = kindsByName[name]
      if (kind) this.#ids[team][kind].push([own, other])
      return undefined
    }
    if (typeof own === 'string' && own.startsWith('team-')) return own === other ? undefined : `${name}: another team`
    if (typeof own !== 'object' || own === null || typeof other !== 'object' || other === null)
      return isDeepStrictEqual(own, other) ? undefined : `${name}: ${JSON.stringify(own)}, not ${JSON.stringify(other)}`
    const fields = new Set([...Object.keys(own), ...Object.keys(other)])
    for (const field of fields) {
      const [one, two] = [own, other].map((value) => (value as Record<string, unknown>)[field])
      const inside = field === '_id' ? name : /^\d+$/.test(field) ? name : field
      const difference = this.#compareValues(one, two, team, inside)
      if (difference !== undefined) return difference
    }
    return undefined
  }

  /** Forgets the record of a path that a delete or a 404 shows to be gone. */
  #forget({ id, team, path = {} }: Request, status: number): void {
    if (status !== 404 && !(status === 200 && operations[id].method === 'delete')) return
    for (const reference of Object.values(path)) {
      const pair = reference.startsWith('@own') ? this.#find(team, reference) : undefined
      const kind = /^@own (\w+)/.exec(reference)?.[1] as Kind | undefined
      if (pair && kind) this.#ids[team][kind] = this.#ids[team][kind].filter((one) => one !== pair)
    }
  }

  /** Approves a template of WhatsApp on both sides, as the platform would. */
  async #approve(team: TeamName, reference: string): Promise<undefined> {
    const [own, others] = this.#find(team, reference) ?? []
    const shelf = this.#other.teams[teams.indexOf(team)]?.shelf('template')
    const template = others === undefined ? undefined : shelf?.get(others)
    if (template?.templateType !== 'whatsapp') return
    await control(this.#sandbox, `/templates/${own}/approve`, { teamId: `team-${team}` })
    this.#other.teams[teams.indexOf(team)]?.update('template', template, { status: 'approved' })
  }
}

async function control(sandbox: Sandbox, path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const answer = await sandbox.fetch(`/_sandbox${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return answer.json()
}

type Ids = Record<TeamName, Record<Kind, (readonly [string, string])[]>>

const newIds = (): Ids => {
  const none = () => ({
    ...{ contacts: [], conversations: [], messages: [], templates: [] },
    ...{ companies: [], products: [], deals: [], quotes: [] },
  })
  return { acme: none(), globex: none() }
}

type Tokens = Readonly<Record<'admin' | 'agent', string>>

const isId = (text: string) => /^[0-9a-f]{24}$/.test(text)

/** The fields of answers that hold ids, with the kind of the record. */
const kindsByName: Readonly<Record<string, Kind>> = {
  ...{ contactId: 'contacts', conversationId: 'conversations', messages: 'messages' },
  ...{ contact: 'contacts', conversation: 'conversations', template: 'templates', company: 'companies' },
  ...{ product: 'products', deal: 'deals', quote: 'quotes' },
}

/** The kind of record in the data of an operation, such as `contact`. */
function kindShownBy(id: OperationId): string {
  if (/^send|Messages$/.test(id)) return 'messages'
  if (id.includes('Conversation')) return 'conversation'
  return /Contact|Template|Company|Product|Deal|Quote/.exec(id)?.[0].toLowerCase() ?? 'data'
}

const ofTemplate = '_id templateType name uniqueName content status category language subject'.split(' ')

/** Without the fields of a template that only one of the servers shows. */
function shownByBoth(id: OperationId, data: unknown): unknown {
  if (!/Templates?$/.test(id) || typeof data !== 'object' || data === null) return data
  if (Array.isArray(data)) return data.map((one) => shownByBoth(id, one))
  return Object.fromEntries(Object.entries(data).filter(([name]) => ofTemplate.includes(name)))
}

import { fetchOnly, newTeam, type Team } from '../../testing/team.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import type { assumptions } from './assumptions.ts'
import type { bulkSends } from './bulk-sends.ts'
import type { clock, ClockToSet, Instant } from './clock.ts'
import type { Fault, faults, FaultToAdd } from './faults.ts'
import type { Failure, gates, GateToAdd } from './gates.ts'
import type { incoming, IncomingToAdd } from './incoming.ts'
import type { DeliveryToReport, outbox, OutboxQuery } from './outbox.ts'
import type { requests } from './requests.ts'
import type { Noun, ParamsOf } from './route.ts'
import type { sandbox } from './sandbox.ts'
import type { AnyWorld, OneTeam } from './schemas.ts'
import type { SeenRequest } from '../journal/seen.ts'
import type { snapshots } from './snapshots.ts'
import type { teams, TeamToCreate } from './teams.ts'
import type { Rejection, templates } from './templates.ts'
import type { tokens, TokenToSign } from './tokens.ts'
import type { Kind, world } from './world.ts'

export type { AnyWorld, SeenRequest, TeamToCreate }
export type { SeenAssumption } from './assumptions.ts'

/** What is known of every route: its key such as `POST /teams`, its operationId, what it takes and what it answers. */
type Routes = TypesOf<
  | typeof sandbox
  | typeof teams
  | typeof snapshots
  | typeof world
  | typeof clock
  | typeof tokens
  | typeof templates
  | typeof bulkSends
  | typeof outbox
  | typeof incoming
  | typeof faults
  | typeof gates
  | typeof assumptions
  | typeof requests
>
type TypesOf<Some> = Some extends Noun<infer Types> ? Types : never
type RouteOf<Key> = Extract<Routes, { key: Key }>

/** The operationIds of the control plane. */
export type ControlId = Routes['id']
/** The body of a request of this operation. */
export type ControlBody<Id extends ControlId> = Extract<Routes, { id: Id }>['body']
/** What a success of this operation carries under `data`. */
export type ControlData<Id extends ControlId> = Extract<Routes, { id: Id }>['data']

/** The shapes that the document names, such as `ControlSchemas['Team']`. */
export interface ControlSchemas {
  Health: ControlData<'getHealth'>
  TeamToCreate: TeamToCreate
  TeamCreated: ControlData<'createTeam'>
  ListedTeam: ControlData<'listTeams'>[number]
  Team: ControlData<'getTeam'>
  Snapshot: ControlData<'saveSnapshot'>
  SentWorld: AnyWorld
  Kind: Kind
  Records: ControlData<'findRecords'>
  Clock: ControlData<'getClock'>
  ClockToSet: ClockToSet
  Instant: Instant
  TokenToSign: TokenToSign
  Token: ControlData<'signToken'>
  Rejection: Rejection
  TemplateDecided: ControlData<'approveTemplate'>
  Released: ControlData<'releaseBulkSends'>
  OutboxItem: ControlData<'listOutbox'>[number]
  DeliveryToReport: DeliveryToReport
  IncomingToAdd: IncomingToAdd
  Incoming: ControlData<'addIncoming'>
  FaultToAdd: FaultToAdd
  Fault: Fault
  GateToAdd: GateToAdd
  Gate: ControlData<'getGate'>
  Failure: Failure
  ChoicesToSet: ControlBody<'setAssumptions'>
  Assumption: ControlData<'getAssumption'>
  SeenRequest: SeenRequest
  RequestCount: ControlData<'countRequests'>
  OneTeam: OneTeam
}

export interface Address {
  /** Where the sandbox is, such as `http://127.0.0.1:4010`. */
  readonly url: string
  /** The control token, if the sandbox requires one. */
  readonly token?: string
}

export interface ControlClient extends Controls {
  /** A new team with its key, a `fetch` that sends the key, and the operations as functions: one for each test. */
  team(team?: TeamToCreate): Promise<Team>
}

/**
 * Steers a sandbox that runs elsewhere, with the names that a sandbox in process has.
 *
 *     const sandbox = control({ url: 'http://127.0.0.1:4010' })
 *     const { apiKey } = await sandbox.teams.create({ name: 'Globex' })
 */
export function control(address: Address): ControlClient {
  if (!isAddress(address)) throw new TypeError(`control() takes ${formOfAddress}`)
  const controls = controlsOver(address)
  const { url } = address
  return { ...controls, team: (team) => newTeam({ url, fetch: fetchOnly(url), teams: controls.teams }, team) }
}

const formOfAddress = 'the address of a sandbox, such as { url: "http://127.0.0.1:4010" }, and its token as a text'

function isAddress(address: unknown): boolean {
  if (typeof address !== 'object' || address === null) return false
  const { url, token = '' } = address as Partial<Record<keyof Address, unknown>>
  return /^https?:\/\//i.test(String(url)) && URL.canParse(String(url)) && typeof token === 'string'
}

/** The control plane refused a request; nothing was changed. The message says what is wrong and what to do. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Nothing listens at the address of a sandbox, or the connection ended without an answer. */
export class NothingAnswers extends Error {
  override readonly name = 'NothingAnswers'

  constructor(url: string, cause: unknown) {
    super(`Nothing answers at ${url}; start a sandbox with \`crm-sandbox serve\`, or check the URL`, { cause })
  }
}

/** The functions that steer a sandbox: the same in process, on a sandbox, and from elsewhere, by `control()`. */
export type Controls = ReturnType<typeof controlsOver>

/** Each function is one request. In process, `fetch` is that of the sandbox. */
export function controlsOver(target: Target) {
  const call = callerOf(target)
  return {
    /** The version, the store, and the choices that were changed. */
    health: () => call('GET /health'),
    /** Restores the state of the start. */
    reset: () => call('POST /reset'),

    /** All records of this moment, or those of one team, as a world. */
    world: (query: { readonly teamId?: string } = {}) => call('GET /world', { query }),
    /** Replaces everything with a world, which is checked first. */
    loadWorld: (body: AnyWorld) => call('PUT /world', { body }),
    /** Adds the teams of a world, with their keys: all of them, or none. */
    addWorld: (body: AnyWorld) => call('POST /world', { body }),
    /** The records of a team, oldest first: `records('demo', 'contacts', { where: { email: 'ada@example.com' } })`. */
    records: (teamId: string, kind: Kind, { where, ...page }: Wanted = {}) =>
      call('GET /teams/:teamId/:kind', { params: { teamId, kind }, query: { ...where, ...page } }),

    /** The clock that everything in the sandbox uses. A reset sets it back to the time of the machine. */
    clock: {
      read: () => call('GET /clock'),
      /** Sets it, such as to `2030-01-31T09:00:00Z` or `{ now, frozen }`. A frozen clock stays frozen by default. */
      set: (to: Instant | Date | ClockToSet) => call('PUT /clock', { body: clockToSet(to) }),
      /** Stops it, now or at a time. */
      freeze: (at?: Instant | Date) =>
        call('PUT /clock', { body: { frozen: true, ...(at === undefined ? {} : clockToSet(at)) } }),
      /** Lets a frozen clock go on. */
      resume: () => call('PUT /clock', { body: { frozen: false } }),
      /** Moves it on, such as by `2d`. What falls due on the way is done in order, each at its own time. */
      advance: (by: string | number) => call('POST /clock/advance', { body: { by } }),
      /** Sets it back to the time of the machine, or of the clock that the sandbox was given. */
      restart: () => call('DELETE /clock'),
    },

    /** Teams: each owns its records and has keys of its own. */
    teams: {
      list: () => call('GET /teams'),
      /** A new team with an API key of its own: empty, or a copy of what `from` names. */
      create: (body: TeamToCreate = {}) => call('POST /teams', { body }),
      /** One team, with its API keys and providers. */
      get: (teamId: string) => call('GET /teams/:teamId', { params: { teamId } }),
      /** Brings a team back to what it started from. */
      reset: (teamId: string) => call('POST /teams/:teamId/reset', { params: { teamId } }),
      /** Deletes a team and everything that it owns. */
      delete: (teamId: string) => call('DELETE /teams/:teamId', { params: { teamId } }),
    },

    /** What everything, or one team, was like at a moment, under a name. A reset leaves snapshots alone. */
    snapshots: {
      /** Saves all teams, or one; a snapshot of that name is replaced. */
      save: (name: string, of: OneTeam = {}) => call('POST /snapshots', { body: { ...of, name } }),
      list: () => call('GET /snapshots'),
      /** Brings back everything, or one team. */
      restore: (name: string, body: OneTeam = {}) => call('POST /snapshots/:name/restore', { params: { name }, body }),
      delete: (name: string) => call('DELETE /snapshots/:name', { params: { name } }),
      /** A world that `upload`, `--world` and `createSandbox({ world })` take. */
      download: (name: string) => call('GET /snapshots/:name', { params: { name } }),
      /** Keeps a world as a snapshot of everything. */
      upload: (name: string, body: AnyWorld) => call('PUT /snapshots/:name', { params: { name }, body }),
    },

    /** Bearer tokens, for an admin or an agent of a team. */
    tokens: {
      /** Signs a token; a user who is unknown is added to the team. */
      sign: (body: TokenToSign) => call('POST /tokens', { body }),
    },

    /** Decisions of the messaging platform about WhatsApp templates. */
    templates: {
      /** The team is needed when several teams have a template of that id. */
      approve: (templateId: string, body: OneTeam = {}) =>
        call('POST /templates/:templateId/approve', { params: { templateId }, body }),
      /** Rejects it, with a reason that its record keeps. */
      reject: (templateId: string, body: Rejection = {}) =>
        call('POST /templates/:templateId/reject', { params: { templateId }, body }),
    },

    /** Bulk sends that the choice bulkDelivery=onRelease holds. */
    bulkSends: {
      /** Sends those of one team, or of all teams, before it resolves. */
      release: (body: OneTeam = {}) => call('POST /bulk-sends/release', { body }),
    },

    /** What was sent, to whom and as it was rendered, and what waits to be sent. */
    outbox: {
      /** The oldest first. With `wait`, resolves as soon as there are `atLeast` items, or when the time is over. */
      list: (query: OutboxQuery = {}) => call('GET /outbox', { query }),
      /** Sends now what waits to be sent. */
      release: (teamId: string, itemId: string) =>
        call('POST /teams/:teamId/outbox/:itemId/release', { params: { teamId, itemId } }),
      /** Drops what waits to be sent. */
      drop: (teamId: string, itemId: string) =>
        call('DELETE /teams/:teamId/outbox/:itemId', { params: { teamId, itemId } }),
      /** Says that a sent message was delivered, read or bounced. */
      report: (teamId: string, itemId: string, body: DeliveryToReport) =>
        call('POST /teams/:teamId/outbox/:itemId/report', { params: { teamId, itemId }, body }),
    },

    /** Messages of customers. */
    incoming: {
      /** Adds a message of a customer to the conversation with this address. */
      add: (teamId: string, body: IncomingToAdd) => call('POST /teams/:teamId/incoming', { params: { teamId }, body }),
    },

    /** Requests that fail, wait or lose their answer. */
    faults: {
      /** Applies to requests that come from now on, until it is used up, deleted or reset. */
      add: (body: FaultToAdd) => call('POST /faults', { body }),
      list: () => call('GET /faults'),
      get: (faultId: string) => call('GET /faults/:faultId', { params: { faultId } }),
      delete: (faultId: string) => call('DELETE /faults/:faultId', { params: { faultId } }),
      /** Deletes all faults. */
      clear: () => call('DELETE /faults'),
    },

    /** Each gate holds one request before its commit, so that a test decides what happens first. */
    gates: {
      add: (body: GateToAdd = {}) => call('POST /gates', { body }),
      list: () => call('GET /gates'),
      get: (gateId: string) => call('GET /gates/:gateId', { params: { gateId } }),
      /** Resolves when its request has arrived, or when the time is over; then its state is still `waiting`. */
      wait: (gateId: string, { wait = '5s' }: { readonly wait?: string } = {}) =>
        call('GET /gates/:gateId', { params: { gateId }, query: { wait } }),
      /** Lets the held request go on. */
      release: (gateId: string) => call('POST /gates/:gateId/release', { params: { gateId } }),
      /** Answers the held request with an error, or ends its connection. */
      fail: (gateId: string, body: Failure) => call('POST /gates/:gateId/fail', { params: { gateId }, body }),
      /** A request that it holds goes on. */
      delete: (gateId: string) => call('DELETE /gates/:gateId', { params: { gateId } }),
      /** Deletes all gates. Requests that are held lose their connection. */
      clear: () => call('DELETE /gates'),
    },

    /** The answers that the sandbox assumes where the specification leaves a question open. */
    assumptions: {
      /** The register with the choices in force, for all teams or for one. */
      list: (query: OneTeam = {}) => call('GET /assumptions', { query }),
      get: (name: AssumptionName, query: OneTeam = {}) => call('GET /assumptions/:name', { params: { name }, query }),
      /** Switches choices, for all teams or for one: `set({ contactMatching: 'phoneThenEmail' })`. Returns these. */
      set: (choices: WrittenChoices, of: OneTeam = {}) => call('PUT /assumptions', { body: { ...of, choices } }),
      /** Back to the choices of the start; with a team, back to those of all teams. */
      reset: (query: OneTeam = {}) => call('DELETE /assumptions', { query }),
    },

    /** The journal: the latest requests to the service, with their answers. */
    requests: {
      /** From the oldest to the latest. */
      find: (filter: RequestFilter & { readonly last?: number } = {}) =>
        call('GET /requests', { query: queryOf(filter) }),
      /** The latest request of this id, which its answer has as `x-sandbox-request`. */
      get: (requestId: string) => call('GET /requests/:requestId', { params: { requestId } }),
      count: async (filter: RequestFilter = {}) =>
        (await call('GET /requests/count', { query: queryOf(filter) })).count,
      /** The first such request that is kept, or that comes; rejects when none comes in time. */
      wait: ({ within = '5s', ...filter }: WaitFilter = {}) =>
        call('GET /requests/wait', { query: { ...queryOf(filter), within: String(within) } }),
      /** Resolves to how many there were; rejects when that is not as expected. */
      verify: async (filter: VerifyFilter = {}) =>
        (await call('GET /requests/verify', { query: queryOf(filter) })).count,
      /** Deletes all requests so far. */
      clear: () => call('DELETE /requests'),
      /** The requests that come from now on, until the sandbox is closed. Slow readers miss some. */
      follow: (filter: RequestFilter = {}) => follow(target, queryOf(filter)),
    },
  }
}

export interface Wanted {
  /** Fields that the records must have. A dot leads into an object; a list matches by any of its values. */
  readonly where?: Readonly<Record<string, string | number | boolean>>
  readonly page?: number
  readonly limit?: number
}

/** Matches the requests that fit every field. */
export interface RequestFilter {
  /** The operationId, such as `createContact`. */
  readonly operation?: string
  /** The id of the team whose credential was sent. */
  readonly team?: string
  /** A status such as 404, or a class of statuses such as `4xx`. */
  readonly status?: number | string
  /** Only those with an error status, or only those without. */
  readonly refused?: boolean
  /** An assumption that the answer relied on. */
  readonly assumed?: string
  /**
   * Fields of the body, of the path or of the query with the value that they must have, such as
   * `{ 'scheduleTime.date': '2030-01-31' }`; as a text, it is JSON.
   */
  readonly where?: Readonly<Record<string, unknown>> | string
}

interface WaitFilter extends RequestFilter {
  /** How long to wait at most, such as `'10s'` or a number of milliseconds; up to a minute, 5 seconds by default. */
  readonly within?: number | string
}

/** How many requests there must be: at least one unless a number is given. */
export interface VerifyFilter extends RequestFilter {
  readonly times?: number
  readonly atLeast?: number
  readonly atMost?: number
}

export type RequestsControl = Controls['requests']

/** Also for dates of another realm, as under Jest. An invalid date becomes NaN, which is refused. */
const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]'

function clockToSet(to: Instant | Date | ClockToSet): ClockToSet {
  if (isDate(to)) return { now: to.getTime() }
  return typeof to === 'object' ? to : { now: to }
}

function queryOf<Filter extends RequestFilter>({ status, where, ...filter }: Filter) {
  return {
    ...filter,
    ...(status === undefined ? {} : { status: String(status) }),
    ...(where === undefined ? {} : { where: typeof where === 'string' ? where : JSON.stringify(where) }),
  }
}

interface Target extends Address {
  /** The global one by default. */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>
}

interface Input {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: unknown
  readonly body?: unknown
}

interface InputOf<Key> {
  readonly params?: Readonly<Record<ParamsOf<Key & string>, string>>
  readonly query?: RouteOf<Key>['query']
  readonly body?: RouteOf<Key>['body']
}

/** The one function that asks: sends the request of a route, and returns the data of its answer. */
function callerOf(target: Target) {
  return async <Key extends Routes['key']>(key: Key, input: InputOf<Key> = {}): Promise<RouteOf<Key>['data']> => {
    const response = await send(target, key, input)
    const answer = await readAnswer(response, target.url)
    // A world comes without the envelope.
    return ('success' in answer ? answer.data : answer) as RouteOf<Key>['data']
  }
}

/** Rejects with a Refused unless the request succeeds. */
async function send({ url, token, fetch: ask = fetchElsewhere }: Target, key: string, input: Input): Promise<Response> {
  const { params = {}, query = {}, body } = input
  const [method = '', path = ''] = key.split(' ')
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => segmentOf(params[name]))
  const target = new URL(`/_sandbox${filled}`, url)
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) target.searchParams.append(name, typeof value === 'object' ? '' : String(value))
  const response = await ask(target, {
    method,
    headers: {
      ...(token === undefined ? {} : { 'x-sandbox-token': token }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: jsonOf(body) }),
  }).catch((error: unknown) => {
    throw error instanceof TypeError && error.message === 'fetch failed' ? new NothingAnswers(url, error) : error
  })
  if (response.ok) return response
  throw new Refused(response.status, String((await readAnswer(response, url)).message))
}

/** A redirect would take the token elsewhere. */
const fetchElsewhere = (target: URL, init: RequestInit) => fetch(target, { ...init, redirect: 'manual' })

/** Dots would lead to another path, and lone surrogates cannot be encoded: they become a name that nothing has. */
const segmentOf = (value: unknown) =>
  typeof value === 'string' && !/^\.{0,2}$|\p{Surrogate}/u.test(value) ? encodeURIComponent(value) : '%00'

function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch {
    throw new Refused(400, 'the body must hold values of JSON')
  }
}

async function readAnswer(response: Response, url: string): Promise<{ message?: unknown; data?: unknown }> {
  const text = await response.text()
  try {
    return JSON.parse(text) as { message?: unknown; data?: unknown }
  } catch {
    throw new Refused(response.status, `What answers at ${url} is not the control plane of a sandbox; check the URL`)
  }
}

/** Subscribes at once, so that no request after the call is missed. */
function follow(target: Target, query: object): AsyncIterableIterator<SeenRequest, undefined> {
  const opened = send(target, 'GET /requests/follow', { query }).then(({ body }) => body?.getReader())
  opened.catch(() => undefined) // the first `next()` rejects with it
  const seen = requestsIn(opened)
  let hasEnded = false
  const end = { done: true, value: undefined } as const
  return {
    async next() {
      const next = await seen.next()
      return next.done || hasEnded ? end : next
    },
    // The one of a generator would wait for the next request.
    async return() {
      hasEnded = true
      const reader = await opened.catch(() => undefined)
      await reader?.cancel()
      return end
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read'>

/** The requests in server-sent events. */
async function* requestsIn(opened: Promise<Reader | undefined>): AsyncGenerator<SeenRequest, undefined> {
  const reader = await opened
  const decoder = new TextDecoder()
  let text = ''
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    text += decoder.decode(part.value, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const [, data] = /^event: request\ndata: (.*)$/.exec(event) ?? []
      if (data !== undefined) yield JSON.parse(data) as SeenRequest
    }
  }
}

import type { Kinds } from '../../fixtures/records.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { type Address, ask, follow, type ControlServer } from './control-requests.ts'
import { fetchOnly, isServerUrl, newTeam, type Team } from './team.ts'
import type { routesOfNouns } from '../control/nouns.ts'
import type { Noun, ParamsOf } from '../control/route.ts'
import type { AnyWorld } from '../core/schemas.ts'
import type { ListedKind } from '../control/world.ts'

export type { AnyWorld }
export { type Address, NothingAnswers, Refused } from './control-requests.ts'

type TypesOf<Some> = Some extends Noun<infer Types> ? Types : never
/** The key of each route, such as `POST /teams`, its operationId, and the types of its query, its body and its data. */
type Routes = TypesOf<(typeof routesOfNouns)[number]>

/** The operationIds of the control plane. */
export type ControlId = Routes['id']
/** The query of a request of this operation. */
type ControlQuery<Id extends ControlId> = Extract<Routes, { id: Id }>['query']
/** The body of a request of this operation. */
export type ControlBody<Id extends ControlId> = Extract<Routes, { id: Id }>['body']
/** The `data` of a success of this operation. */
export type ControlData<Id extends ControlId> = Extract<Routes, { id: Id }>['data']

/** A request with its answer. */
export type SeenRequest = ControlData<'getRequest'>
/** An entry of the register, with the choice in force, where it comes from and how many answers relied on it. */
export type SeenAssumption = ControlData<'getAssumption'>
/** A conversation with its contact and the beginning of its latest message. */
export type InboxItem = ControlData<'listInbox'>['conversations'][number]
/** A conversation with its latest messages and what belongs to its contact. */
export type InboxConversation = ControlData<'getConversationOfInbox'>
/** A name, an API key, and the initial records, such as `team:demo`, or a world with one team. */
export type TeamToCreate = ControlBody<'createTeam'>
type OneTeam = ControlBody<'releaseBulkSends'>
type ClockBody = ControlBody<'setClock'>
type ClockToSet = ClockBody & (Required<Pick<ClockBody, 'now'>> | Required<Pick<ClockBody, 'frozen'>>)
type Instant = NonNullable<ClockBody['now']>

export interface ControlClient extends Controls {
  /** A new team with its key, a `fetch` that sends the key, and the operations as functions: one for each test. */
  team(team?: TeamToCreate): Promise<Team>
}

/**
 * Controls a running sandbox over HTTP, with the same functions as a sandbox in process.
 *
 *     const sandbox = control({ url: 'http://127.0.0.1:4010' })
 *     const { apiKey } = await sandbox.teams.create({ name: 'Globex' })
 */
export function control(address: Address): ControlClient {
  checkAddress(address)
  const controls = controlsOver(address)
  const { url } = address
  return { ...controls, team: (team) => newTeam({ url, fetch: fetchOnly(url), teams: controls.teams }, team) }
}

/** `new URL` would not say what to pass, and a path would be lost. */
function checkAddress(address: unknown): void {
  const { url } = Object(address) as { readonly url?: unknown }
  if (typeof url === 'string' && isServerUrl(url)) return
  const sample = "control({ url: 'http://127.0.0.1:4010' })"
  throw new TypeError(`control takes the URL of a sandbox without a path, such as ${sample}`)
}

/** The functions of a sandbox in process, and of `control()`. */
export type Controls = ReturnType<typeof controlsOver>

/** Each function sends one request. In process, `fetch` is the function of the sandbox. */
export function controlsOver(target: ControlServer) {
  const call = callerOf(target)
  return {
    /** The version, the store, and the choices that were changed. */
    health: () => call('GET /health'),
    /** Resolves while the process runs. */
    live: () => call('GET /live'),
    /** Rejects while the database does not answer, and from SIGTERM on. */
    ready: () => call('GET /ready'),
    /** The text that Prometheus reads. */
    metrics: () => call('GET /metrics'),
    /** Restores the state of the start. */
    reset: () => call('POST /reset'),

    /** All current records, or the records of one team, as a world. */
    world: (of?: OneTeam) => call('GET /world', of),
    /** Replaces everything with a world, which is checked first. */
    loadWorld: (world: AnyWorld) => call('PUT /world', world),
    /** Adds the teams of a world, with their keys: all of them, or none. */
    addWorld: (world: AnyWorld) => call('POST /world', world),
    /** The worlds and stories of the package. */
    worlds: {
      list: () => call('GET /worlds'),
      /** One of them by its name, such as `story:shop`: a world that `loadWorld` and `addWorld` take. */
      download: (name: string) => call('GET /worlds/:name', name),
    },
    /** Records of a team: `records('demo', 'contacts', { search: 'ada', sort: '-createdAt' })`. The oldest first by default. */
    records: async <K extends ListedKind>(teamId: string, kind: K, { where, ...page }: RecordFilter = {}) =>
      (await call('GET /teams/:teamId/:kind', teamId, kind, { ...where, ...page })) as unknown as RecordPage<K>,

    /** Conversations with contact and latest message, the latest first: `inbox('demo', { search: 'ada' })`. */
    inbox: (teamId: string, query?: ControlQuery<'listInbox'>) => call('GET /teams/:teamId/inbox', teamId, query),
    /** A conversation with its latest messages, its contact, and the companies, deals and quotes of the contact. */
    conversation: (teamId: string, conversationId: string, query?: ControlQuery<'getConversationOfInbox'>) =>
      call('GET /teams/:teamId/inbox/:conversationId', teamId, conversationId, query),

    /**
     * The records that were created, updated and deleted since the last reset, or `since` a snapshot, by kind. Kinds without
     * a change are left out: `expect(await sandbox.changes()).toEqual({})`.
     */
    changes: Object.assign(
      async (query?: ControlQuery<'getChanges'>) => (await call('GET /changes', query)) as unknown as ChangesByKind,
      {
        /**
         * Resolves when only these records changed; rejects with a line for each difference: `expect({ contacts: { created: [{ email }] } })`.
         */
        expect: async (expected: ExpectedChanges, query?: ControlQuery<'getChanges'>) => {
          await call('POST /changes/expect', {
            ...query,
            expected: expected as ControlBody<'expectChanges'>['expected'],
          })
        },
      },
    ),

    /** The clock that everything in the sandbox uses. A reset sets it back to the time of the machine. */
    clock: {
      read: () => call('GET /clock'),
      /** Sets it, such as to `2030-01-31T09:00:00Z` or `{ now, frozen }`. A frozen clock stays frozen by default. */
      set: (to: Instant | Date | ClockToSet) => call('PUT /clock', clockToSet(to)),
      freeze: (at?: Instant | Date) =>
        call('PUT /clock', { frozen: true, ...(at === undefined ? {} : clockToSet(at)) }),
      resume: () => call('PUT /clock', { frozen: false }),
      /** Advances it, such as by `2d`. Work that falls due is done in order, each at its own time. */
      advance: (by: string | number) => call('POST /clock/advance', { by }),
      /** Resets it to the time of the machine, or of the option `clock`. */
      restart: () => call('DELETE /clock'),
    },

    /** Each team owns its records and has its own keys. */
    teams: {
      list: () => call('GET /teams'),
      /** A new team with its own API key: empty, or a copy of the records that `from` names. */
      create: (team?: TeamToCreate) => call('POST /teams', team),
      get: (teamId: string) => call('GET /teams/:teamId', teamId),
      /** Brings a team back to its initial records. */
      reset: (teamId: string) => call('POST /teams/:teamId/reset', teamId),
      delete: (teamId: string) => call('DELETE /teams/:teamId', teamId),
    },

    /** The state of everything, or of one team, at a moment, under a name. A reset leaves snapshots alone. */
    snapshots: {
      /** Saves all teams, or one; a snapshot of that name is replaced. */
      save: (name: string, of?: OneTeam) => call('POST /snapshots', { ...of, name }),
      list: () => call('GET /snapshots'),
      restore: (name: string, of?: OneTeam) => call('POST /snapshots/:name/restore', name, of),
      delete: (name: string) => call('DELETE /snapshots/:name', name),
      /** A world that `upload`, `--world` and `createSandbox({ world })` take. */
      download: (name: string) => call('GET /snapshots/:name', name),
      upload: (name: string, world: AnyWorld) => call('PUT /snapshots/:name', name, world),
    },

    /** Bearer tokens, for an admin or an agent of a team. */
    tokens: {
      /** Signs a token; an unknown user is added to the team. */
      sign: (token: ControlBody<'signToken'>) => call('POST /tokens', token),
    },

    /** Decisions of the messaging platform about WhatsApp templates. */
    templates: {
      /** The team is needed when several teams have a template of that id. */
      approve: (templateId: string, of?: OneTeam) => call('POST /templates/:templateId/approve', templateId, of),
      /** Rejects it, with a reason that its record keeps. */
      reject: (templateId: string, rejection?: ControlBody<'rejectTemplate'>) =>
        call('POST /templates/:templateId/reject', templateId, rejection),
    },

    /** Bulk sends that the choice bulkDelivery=onRelease holds. */
    bulkSends: {
      /** Sends them, for one team or for all teams, before it resolves. */
      release: (of?: OneTeam) => call('POST /bulk-sends/release', of),
    },

    /** Sent messages, as they were rendered, and messages that wait to be sent. */
    outbox: {
      /** The oldest first. With `wait`, resolves as soon as there are `atLeast` items; rejects when there are fewer in time. */
      list: (query?: ControlQuery<'listOutbox'>) => call('GET /outbox', query),
      release: (teamId: string, itemId: string) => call('POST /teams/:teamId/outbox/:itemId/release', teamId, itemId),
      drop: (teamId: string, itemId: string) => call('DELETE /teams/:teamId/outbox/:itemId', teamId, itemId),
      /** Reports that a sent message was delivered, read or bounced. */
      report: (teamId: string, itemId: string, delivery: ControlBody<'reportDelivery'>) =>
        call('POST /teams/:teamId/outbox/:itemId/report', teamId, itemId, delivery),
    },

    /** Messages of customers. */
    incoming: {
      /** Adds a message of a customer to the conversation with this address. */
      add: (teamId: string, message: ControlBody<'addIncoming'>) =>
        call('POST /teams/:teamId/incoming', teamId, message),
    },

    /** Requests that fail, wait or lose their answer. */
    faults: {
      /** Applies to requests that come from now on, until it is used up, deleted or reset. */
      add: (fault: ControlBody<'addFault'>) => call('POST /faults', fault),
      list: () => call('GET /faults'),
      get: (faultId: string) => call('GET /faults/:faultId', faultId),
      delete: (faultId: string) => call('DELETE /faults/:faultId', faultId),
      clear: () => call('DELETE /faults'),
      /** Rejects when a fault never applied to a request, and names it. */
      verify: () => call('GET /faults/verify'),
    },

    /** Each gate holds one request before its commit, so that a test decides what happens first. */
    gates: {
      add: (gate?: ControlBody<'addGate'>) => call('POST /gates', gate),
      list: () => call('GET /gates'),
      get: (gateId: string) => call('GET /gates/:gateId', gateId),
      /** Resolves when its request has arrived; rejects when none comes in time. */
      wait: (gateId: string, options?: { readonly wait?: string }) =>
        call('GET /gates/:gateId', gateId, { wait: '5s', ...options }),
      /** Lets the held request continue. */
      release: (gateId: string) => call('POST /gates/:gateId/release', gateId),
      /** Answers the held request with an error, or ends its connection. */
      fail: (gateId: string, failure: ControlBody<'failGate'>) => call('POST /gates/:gateId/fail', gateId, failure),
      /** A request that it holds continues. */
      delete: (gateId: string) => call('DELETE /gates/:gateId', gateId),
      /** Deletes all gates. Requests that are held lose their connection. */
      clear: () => call('DELETE /gates'),
    },

    /** The answers that the sandbox assumes where the specification leaves a question open. */
    assumptions: {
      /** The register with the choices in force, for all teams or for one. */
      list: (of?: OneTeam) => call('GET /assumptions', of),
      get: (name: AssumptionName, of?: OneTeam) => call('GET /assumptions/:name', name, of),
      /** Switches choices, for all teams or for one: `set({ contactMatching: 'phoneThenEmail' })`. Returns these. */
      set: (choices: WrittenChoices, of?: OneTeam) => call('PUT /assumptions', { ...of, choices }),
      /** Restores the choices of the start; for a team, the choices of all teams. */
      reset: (of?: OneTeam) => call('DELETE /assumptions', of),
    },

    /** The journal: the latest requests to the service, with their answers. */
    requests: {
      /**
       * With `all`, also the requests to the other servers on the store. The list then has the field `unanswered`: the servers that did
       * not answer in time.
       */
      find: (filter?: ControlQuery<'findRequests'>) => call('GET /requests', filter),
      /** The latest request of this id, which its answer has as `x-sandbox-request`. */
      get: (requestId: string, options?: ControlQuery<'getRequest'>) =>
        call('GET /requests/:requestId', requestId, options),
      count: async (filter?: RequestFilter) => (await call('GET /requests/count', filter)).count,
      /** The first such request that is kept, or that comes; rejects when none comes in time. */
      wait: (filter?: ControlQuery<'waitForRequest'>) => call('GET /requests/wait', filter),
      /** Resolves to how many there were; rejects when that is not as expected, with the nearest requests. */
      verify: async (filter?: ControlQuery<'verifyRequests'>) => (await call('GET /requests/verify', filter)).count,
      /**
       * Resolves to the requests when they came in this order, whatever came between them; rejects with the first that is
       * missing, and what came instead: `verifyOrder([{ operation: 'createContact' }, { operation: 'sendMessage' }])`.
       */
      verifyOrder: (requests: ControlBody<'verifyOrder'>['requests']) =>
        call('POST /requests/verify-order', { requests }),
      clear: () => call('DELETE /requests'),
      /** The requests that come from now on, until the sandbox is closed. Slow readers miss some. */
      follow: (filter?: RequestFilter) => follow(target, 'GET /requests/follow', filter, (data) => data as SeenRequest),
    },

    /** The operations called and the outcomes met since the start, and the assumptions that the responses relied on. */
    coverage: () => call('GET /coverage'),

    /** That something changed, for a page that shows it. */
    events: {
      /** The changes that come from now on, until the sandbox is closed. */
      follow: (of?: ControlQuery<'followEvents'>) =>
        follow(target, 'GET /events', of, (_data, event) => event as ChangeEvent),
    },
  }
}

/** A part of the records of a kind, and how many there are. A record also has the fields that a client added. */
export interface RecordPage<K extends ListedKind> extends Omit<ControlData<'findRecords'>, 'records'> {
  readonly records: (Kinds[K] & Readonly<Record<string, unknown>>)[]
}

/** The changed records of each kind. Each record also has the id of its team. */
export type ChangesByKind = { readonly [K in ListedKind]?: ChangesOf<K> }

export interface ChangesOf<K extends ListedKind> {
  readonly created: readonly (Kinds[K] & { readonly teamId: string })[]
  readonly updated: readonly RecordUpdate<Kinds[K]>[]
  readonly deleted: readonly (Kinds[K] & { readonly teamId: string })[]
}

/** Of each record that changed, the fields that matter. */
export type ExpectedChanges = {
  readonly [K in ListedKind]?: {
    readonly created?: readonly Partial<ChangesOf<K>['created'][number]>[]
    readonly updated?: readonly Partial<RecordUpdate<Kinds[K]>>[]
    readonly deleted?: readonly Partial<ChangesOf<K>['deleted'][number]>[]
  }
}

export interface RecordUpdate<Record> {
  readonly _id: string
  readonly teamId: string
  /** The fields that differ. One that was added has no `before`, and one that was removed no `after`. */
  readonly fields: {
    readonly [Name in keyof Record]?: { readonly before?: Record[Name]; readonly after?: Record[Name] }
  }
}

export interface RecordFilter {
  /** Fields that the records must have. A dot leads into an object; a list matches by any of its values. */
  readonly where?: Readonly<Record<string, string | number | boolean>>
  /** Words that the fields contain, in any order, ignoring case and accents, or a telephone number; a contact also has the name of its company. */
  readonly search?: string
  /** A field; with a minus, the last value comes first. A minus alone: the newest record comes first. */
  readonly sort?: string
  readonly page?: number
  readonly limit?: number
}

/** Matches the requests that have the value of every field. */
export type RequestFilter = ControlQuery<'countRequests'>

/** `records`: of the team. `settings`: the clock, faults, gates, assumptions, or the list of teams. */
export type ChangeEvent = 'records' | 'settings'

export type RequestsControl = Controls['requests']

/** Also for dates of another realm, as under Jest. An invalid date becomes NaN, which is refused. */
const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]'

function clockToSet(to: Instant | Date | ClockToSet): ClockToSet {
  if (isDate(to)) return { now: to.getTime() }
  return typeof to === 'object' ? to : { now: to }
}

type RouteOf<Key> = Extract<Routes, { key: Key }>

/** A query or a body: each route takes one of them. */
type InputOf<Key> = RouteOf<Key>[Key extends `${'GET' | 'DELETE'} ${string}` ? 'query' : 'body']

/** Sends the request of a route, with the parameters of its path and its input, and returns the data of the response. */
function callerOf(target: ControlServer) {
  return async <Key extends Routes['key']>(
    key: Key,
    ...args: [...params: ParamsOf<Key>, input?: InputOf<Key> | undefined]
  ): Promise<RouteOf<Key>['data']> => (await ask(target, key, args)).data as RouteOf<Key>['data']
}

import type { Incoming, Outgoing, Send } from '../../../contracts/client/transport.ts'
import { operations } from '../../../spec/operations.ts'
import type { OperationId } from '../../../spec/types.ts'
import { type Given, type Operation, Refusal, refuse, type Reply } from '../other-server/replies.ts'
import type { Deviation } from '../other-server/server.ts'
import type { Fields, Kind, Stored, Team } from '../other-server/team.ts'

/** A server that breaks one promise: an operation of the other server works differently, or an answer changes on its way. */
export interface Deviant {
  readonly deviation?: Deviation
  readonly change?: (send: Send) => Send
}

type Ids = OperationId | readonly OperationId[]

/** Replaces operations. */
export function changeOperation(ids: Ids, broken: (original: Operation, given: Given) => Reply): Deviant {
  const replace = (original: Operation) => (given: Given) => broken(original, given)
  return { deviation: () => Object.fromEntries([ids].flat().map((id) => [routeOf(id), replace])) }
}

function routeOf(id: OperationId): string {
  const { method, path } = operations[id]
  return `${method.toUpperCase()} ${path.replace(/\{\w+\}/, ':id')}`
}

/** The operation does its work and replies something else. */
export const changeReply = (ids: Ids, change: (reply: Reply, given: Given) => object) =>
  changeOperation(ids, (original, given) => change(original(given), given) as Reply)

export const changeStatus = (id: OperationId, status: number) => changeReply(id, (reply) => ({ ...reply, status }))

/** Changes the record in a reply, or each of its records. */
export const changeData = (ids: Ids, change: (record: Fields, given: Given) => unknown) =>
  changeReply(ids, ({ data, ...reply }, given) => {
    if (data === undefined) return reply
    const changed = Array.isArray(data)
      ? (data as readonly Fields[]).map((one) => change(one, given))
      : change(data as Fields, given)
    return { ...reply, data: changed }
  })

export const changePagination = (id: OperationId, change: (pagination: Counts, reply: Reply) => object) =>
  changeReply(id, (reply) => ({ ...reply, pagination: change(reply.pagination as unknown as Counts, reply) }))

interface Counts {
  readonly total: number
  readonly totalResults: number
  readonly totalPages: number
  readonly currentPage: number
}

/** Changes a body before it is checked. */
export const changeBody = (ids: Ids, change: (body: Fields, given: Given) => Fields) =>
  changeOperation(ids, (original, given) =>
    original(isFields(given.body) ? { ...given, body: change(given.body, given) } : given),
  )

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Takes a body without these fields as if they were sent. */
export const fill = (id: OperationId, fields: Fields) => changeBody(id, (body) => ({ ...fields, ...body }))

/** Takes any value of these fields as if it were this one. */
export const accept = (id: OperationId, fields: Fields) =>
  changeBody(id, (body) => ({
    ...body,
    ...Object.fromEntries(Object.entries(fields).filter(([name]) => body[name] !== undefined)),
  }))

export const changeQuery = (id: OperationId, change: (query: URLSearchParams) => unknown) =>
  changeOperation(id, (original, given) => {
    const query = new URLSearchParams(given.query)
    change(query)
    return original({ ...given, query })
  })

/** A list shows the items of another page. */
export const showOtherPage = (id: OperationId, change: (query: URLSearchParams) => unknown) =>
  changeOperation(id, (original, given) => {
    const query = new URLSearchParams(given.query)
    change(query)
    return { ...original(given), data: original({ ...given, query }).data ?? [] }
  })

/** The operation refuses requests that it should accept. */
export const refuseWhen = (ids: Ids, isRefused: (body: Fields, given: Given) => boolean, status = 400) =>
  changeOperation(ids, (original, given) =>
    isRefused(isFields(given.body) ? given.body : {}, given) ? refuse(given.switches, status) : original(given),
  )

/** The operation accepts an id that no record has. */
export const answerUnknown = (ids: Ids, reply: (given: Given) => object) =>
  changeOperation(ids, (original, given) => {
    try {
      return original(given)
    } catch (refusal) {
      if (refusal instanceof Refusal && refusal.status === 404) return reply(given) as Reply
      throw refusal
    }
  })

/** The records of each team work differently. */
export const changeTeams = (change: (team: Team) => Partial<Pick<Team, 'insert' | 'update' | 'remove' | 'find'>>) => ({
  deviation: (teams: readonly Team[]) => {
    for (const team of teams) Object.assign(team, change(team))
    return {}
  },
})

/** The same team with other methods, for one operation. */
export const changed = (team: Team, methods: Partial<Pick<Team, 'insert' | 'find'>>): Team =>
  new Proxy(team, {
    get: (_, name) => {
      const value: unknown = Reflect.get(methods, name) ?? Reflect.get(team, name, team)
      return typeof value === 'function' ? (value.bind(team) as unknown) : value
    },
  })

/** Records of the kind are inserted with other fields than those given. */
export const changeNew = (kind: Kind, change: (fields: Fields) => Fields) =>
  changeTeams((team) => {
    const insert = team.insert.bind(team)
    return { insert: (own, fields) => insert(own, own === kind ? change(fields) : fields) }
  })

/** An update stores other fields than those given. */
export const changeUpdate = (kind: Kind, change: (record: Stored, fields: Fields, team: Team) => Stored) =>
  changeTeams((team) => {
    const update = team.update.bind(team)
    return {
      update: (own, record, fields) => (own === kind ? change(record, fields, team) : update(own, record, fields)),
    }
  })

/** An update answers with the change but does not store it. */
export const forgetUpdates = (kind: Kind) => changeUpdate(kind, (record, fields) => ({ ...record, ...fields }))

/** An update loses the fields that it does not name. */
export const replaceOnUpdate = (kind: Kind, ...kept: readonly string[]) =>
  changeUpdate(kind, ({ _id, createdAt, ...record }, fields, team) =>
    team.shelf(kind).put({ ...pick(...kept)(record), ...fields, _id, createdAt, updatedAt: Date.now() }),
  )

/** A delete leaves the records of these kinds. */
export const keepDeleted = (...kinds: readonly Kind[]) =>
  changeTeams((team) => {
    const remove = team.remove.bind(team)
    return {
      remove: (own, id) => {
        if (!kinds.includes(own)) remove(own, id)
      },
    }
  })

/** A search finds no record of the kind, so that each time a new one is made. */
export const findNone = (kind: Kind) =>
  changeTeams((team) => {
    const find = team.find.bind(team)
    return { find: (own, isMeant) => (own === kind ? undefined : find(own, isMeant)) }
  })

/** An operation answers with a field of its body but does not store it. */
export const echoOnly = (id: OperationId, field: string) =>
  changeOperation(id, (original, given) => {
    const { [field]: echoed, ...body } = given.body as Fields
    const reply = original({ ...given, body })
    return echoed === undefined ? reply : { ...reply, data: { ...(reply.data as Fields), [field]: echoed } }
  })

/** A request with this field also sets others. */
export const alsoSets = (id: OperationId, field: string, others: Fields) =>
  changeBody(id, (body) => (field in body ? { ...others, ...body } : body))

export const without =
  (...names: readonly string[]) =>
  (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

/** The reply with other fields in its data. */
export const withData = (reply: Reply, fields: object): Reply => ({
  ...reply,
  data: { ...(reply.data as Fields), ...fields },
})

export const pick =
  (...names: readonly string[]) =>
  (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))

/** A time of the other server as text. */
export const isoOf = (time: unknown) => new Date(time as number).toISOString()

/** Changes requests on their way to the server. */
export const changeRequests = (change: (request: Outgoing) => Outgoing): Deviant => ({
  change: (send) => (request, timeout) => send(change(request), timeout),
})

/** Changes the value of a header where there is one; without a new value the header is dropped. */
export const changeHeader = (name: string, change: (value: string, request: Outgoing) => string | undefined) =>
  changeRequests((request) => {
    const { [name]: value, ...others } = request.headers
    const changed = value === undefined ? undefined : change(value, request)
    return { ...request, headers: changed === undefined ? others : { ...others, [name]: changed } }
  })

/** Changes answers on their way to the client. */
export const changeAnswers = (change: (answer: Incoming, request: Outgoing) => Incoming): Deviant => ({
  change: (send) => async (request, timeout) => change(await send(request, timeout), request),
})

/** Answers a request like an earlier one with the same key, without sending it. */
export const answerAsBefore = (ids: readonly OperationId[], keyOf: (request: Outgoing) => string): Deviant => ({
  change: (send) => {
    const known = new Map<string, Incoming>()
    return async (request, timeout) => {
      const id = operationAsked(request)
      if (id === undefined || !ids.includes(id)) return send(request, timeout)
      const key = `${id} ${keyOf(request)}`
      const answer = known.get(key) ?? (await send(request, timeout))
      if (answer.status === 200) known.set(key, answer)
      return answer
    }
  },
})

/** The envelopes of the answers with these statuses are different. */
export const changeEnvelope = (concerns: (status: number) => boolean, change: (envelope: Fields) => object) =>
  changeAnswers((answer) =>
    concerns(answer.status) ? { ...answer, text: JSON.stringify(change(JSON.parse(answer.text) as Fields)) } : answer,
  )

export const changeRefusalStatus = (from: number, to: number) =>
  changeAnswers((answer) => (answer.status === from ? { ...answer, status: to } : answer))

/** The operation of a request; where two paths match, the one with fewer parameters. */
export function operationAsked({ method, url }: Outgoing): OperationId | undefined {
  const { pathname } = new URL(url)
  return routes.find((route) => route.method === method && route.pattern.test(pathname))?.id
}

const parameter = /\{\w+\}/g

const routes = Object.values(operations)
  .map(({ id, method, path }) => ({
    id,
    method: method.toUpperCase(),
    parameters: path.match(parameter)?.length ?? 0,
    pattern: new RegExp(`^${path.replace(parameter, '[^/]+')}$`),
  }))
  .sort((one, other) => one.parameters - other.parameters)

import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { HeldMemory } from '../http/json-body.ts'
import type { Hold } from '../store/port.ts'
import type { ControlContext } from './context.ts'
import { Nothing, text } from '../core/schemas.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body may have a world, so that it may be larger. */
    takesWorld?: boolean
    /** Whether it needs no control token. */
    isOpen?: boolean
    /** The function of the clients, such as `clock.read`. */
    call?: string | undefined
    /** Whether it answers while the store does not. */
    isLocal?: boolean
  }
  interface FastifyReply {
    /** Sends an answer of the control plane; a long one in parts, as fast as the client reads it. */
    sendJson(answer: object): FastifyReply
    /** Takes memory until the response has ended, for what the handler collects. Refuses with 429 when none is free. */
    readonly hold: Hold
    held: HeldMemory | undefined
  }
}

/** The routes of one noun, once it has its context. */
export interface Noun<Types> {
  readonly name: string
  readonly description: string
  /** Takes a ControlContext, which the types of a client must not name. */
  readonly routesFor: (context: never) => Readonly<Record<string, RouteOptions>>
  /** Only a type, for the client. */
  readonly types?: Types
}

/** Takes the routes by operationId. */
export function noun<Routes extends Record<string, Route<object>>>(
  name: string,
  description: string,
  routesFor: (context: ControlContext) => Routes,
): Noun<{ [Id in keyof Routes]: Routes[Id] extends Route<infer Types> ? Types & { id: Id } : never }[keyof Routes]> {
  return { name, description, routesFor }
}

interface Route<Types> extends RouteOptions {
  readonly types?: Types
}

interface Definition<Key extends string, Query extends TObject, Body extends TSchema, Data extends TSchema> {
  readonly description?: string
  readonly query?: Query
  readonly body?: Body
  /** A body that the route takes, for the document. */
  readonly example?: Static<Body>
  /** Whether the body may have a world, so that it may be larger. */
  readonly takesWorld?: boolean
  /** Whether it needs no control token. */
  readonly isOpen?: boolean
  /** The function of the clients, where it is not the first word of the operationId after the noun, such as `faults.add`. */
  readonly call?: string
  /** Whether it answers while the store does not. */
  readonly isLocal?: boolean
  readonly status?: 200 | 201
  /** The message of the envelope; without one, the data is sent without an envelope. */
  readonly message?: string | ((data: Static<Data>) => string)
  /** The content type, when it is not JSON. */
  readonly type?: string
  /** Default: no data. */
  readonly data?: Data
  /** Fields of the envelope beside the data. The handler returns them as properties of its list. */
  readonly beside?: TProperties
  readonly handler: (
    request: {
      readonly params: Readonly<Record<NamesOf<Key>, string>>
      readonly query: Static<Query>
      readonly body: Static<Body>
    },
    reply: Pick<FastifyReply, 'hold'>,
  ) => Promise<Static<Data>>
}

/** The names of the parameters in a path: `teamId` in `GET /teams/:teamId`. */
type NamesOf<Key> = Key extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesOf<`/${Rest}`>
  : Key extends `${string}:${infer Name}`
    ? Name
    : never

/** A text for each parameter in a path. */
export type ParamsOf<Key> = Key extends `${string}:${string}/${infer Rest}`
  ? [string, ...ParamsOf<`/${Rest}`>]
  : Key extends `${string}:${string}`
    ? [string]
    : []

/** A route with its schema: `createTeam: route('POST /teams', 'Create a team', { … })`. */
export function route<
  const Key extends string,
  Query extends TObject = typeof Nothing,
  Body extends TSchema = typeof Nothing,
  Data extends TSchema = ReturnType<typeof Type.Void>,
>(
  key: Key,
  summary: string,
  definition: Definition<Key, Query, Body, Data>,
): Route<{ key: Key; query: Static<Query>; body: Static<Body>; data: Static<Data> }> {
  const { description = `${summary}.`, query = Nothing, body = Nothing, example } = definition
  const { takesWorld = false, isOpen = false, isLocal = isOpen, call, status = 200 } = definition
  const { message, type, data: schema, beside = {}, handler } = definition
  const [method = '', url = ''] = key.split(' ')
  const params = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, text(describeParameter(name))])
  const words = typeof message === 'string' ? `${message}.` : 'Success.'
  return {
    method,
    url,
    config: { takesWorld, isOpen, isLocal, call },
    // wait-on and `wget --spider` ask with HEAD whether a server is up.
    exposeHeadRoute: isOpen || key === 'GET /health',
    schema: {
      summary,
      description,
      querystring: query,
      ...(method === 'GET' ? {} : { body: example === undefined ? body : { ...body, examples: [example] } }),
      ...(params.length > 0 ? { params: Type.Object(Object.fromEntries(params)) } : {}),
      response: {
        [status]:
          message === undefined
            ? { description: words, content: { [type ?? 'application/json']: { schema } } }
            : { ...envelopeOf(schema, beside), 'x-response-description': words },
      },
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const data = await handler(request as Parameters<typeof handler>[0], reply)
      reply.code(status)
      if (type !== undefined) return reply.type(type).send(data)
      if (message === undefined) return reply.sendJson(data)
      const sentence = typeof message === 'string' ? message : message(data)
      const facts = Object.keys(beside).map((name) => [name, (data as Record<string, unknown>)[name]] as const)
      return reply.sendJson({ success: true, message: sentence, data, ...Object.fromEntries(facts) })
    },
  }
}

const describeParameter = (name: string) =>
  name === 'kind' ? 'The kind of the records, such as contacts.' : `The ${name.replace('Id', ' id')}.`

export const envelopeOf = (data?: TSchema, beside?: TProperties) =>
  Type.Object({
    success: Type.Boolean(),
    message: Type.String({ description: 'A text for people.' }),
    ...(data && { data }),
    ...beside,
  })

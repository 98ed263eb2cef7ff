import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { ControlContext } from './context.ts'
import { Nothing } from './schemas.ts'

/** The routes of one noun: a Fastify plugin, once it has its context. */
export interface Noun<Types> {
  readonly name: string
  readonly description: string
  /** Takes a ControlContext. The types of a client must not name it. */
  readonly routesFor: (context: never) => readonly RouteOptions[]
  /** Only a type, for the client. */
  readonly types?: Types
}

export function noun<Some extends Route<unknown>>(
  name: string,
  description: string,
  routesFor: (context: ControlContext) => readonly Some[],
): Noun<Some extends Route<infer Types> ? Types : never> {
  return { name, description, routesFor }
}

export interface Route<Types> extends RouteOptions {
  readonly types?: Types
}

interface Definition<Key extends string, Id, Query extends TObject, Body extends TSchema, Data extends TSchema> {
  /** The operationId. */
  readonly id: Id
  readonly summary: string
  readonly description?: string
  readonly query?: Query
  readonly body?: Body
  /** A body that the route takes, for the document. */
  readonly example?: Static<Body>
  readonly bodyLimit?: number
  readonly status?: 200 | 201
  readonly message: string | ((data: Static<Data>) => string)
  /** What the answer carries in its envelope; nothing by default. */
  readonly data?: Data
  readonly handler: Handler<Key, Static<Query>, Static<Body>, Static<Data>>
}

type Handler<Key extends string, Query, Body, Data> = (
  request: {
    readonly params: Readonly<Record<ParamsOf<Key>, string>>
    readonly query: Query
    readonly body: Body
  },
  reply: FastifyReply,
) => Promise<Data>

/** The names of the parameters in a path: `teamId` in `GET /teams/:teamId`. */
export type ParamsOf<Key extends string> = Key extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<`/${Rest}`>
  : Key extends `${string}:${infer Name}`
    ? Name
    : never

type NoData = ReturnType<typeof Type.Void>

/** A route that answers in the envelope of the service: `route('POST /teams', { id: 'createTeam', … })`. */
export function route<
  const Key extends string,
  const Id extends string,
  Query extends TObject = typeof Nothing,
  Body extends TSchema = typeof Nothing,
  Data extends TSchema = NoData,
>(
  key: Key,
  definition: Definition<Key, Id, Query, Body, Data>,
): Route<{ key: Key; id: Id; query: Static<Query>; body: Static<Body>; data: Static<Data> }> {
  const { status = 200, message, data: schema, handler } = definition
  return {
    ...described(key, definition, {
      [status]: {
        ...envelopeOf(schema),
        'x-response-description': typeof message === 'string' ? `${message}.` : 'Success.',
      },
    }),
    handler: async (request: FastifyRequest, reply) => {
      const data = await handler(request as Parameters<typeof handler>[0], reply)
      const words = typeof message === 'string' ? message : message(data)
      return reply.code(status).send({ success: true, message: words, ...(data === undefined ? {} : { data }) })
    },
  }
}

/** A route whose answer is a document or a stream of its own, without the envelope. */
export function wholeRoute<
  const Key extends string,
  const Id extends string,
  Data extends TSchema,
  Query extends TObject = typeof Nothing,
>(
  key: Key,
  definition: Omit<Definition<Key, Id, Query, typeof Nothing, Data>, 'message' | 'status' | 'handler'> & {
    readonly type: string
    readonly data: Data
    readonly handler: Handler<Key, Static<Query>, object, unknown>
  },
): Route<{ key: Key; id: Id; query: Static<Query>; body: object; data: Static<Data> }> {
  const { type, data, handler } = definition
  return {
    ...described(key, definition, { 200: { description: 'Success.', content: { [type]: { schema: data } } } }),
    handler: async (request: FastifyRequest, reply) =>
      reply.type(type).send(await handler(request as Parameters<typeof handler>[0], reply)),
  }
}

function described(
  key: string,
  { id, summary, description, query = Nothing, body = Nothing, example, bodyLimit }: Described,
  success: object,
): Omit<RouteOptions, 'handler'> {
  const [method = '', url = ''] = key.split(' ')
  const params = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, Type.String()])
  return {
    method,
    url,
    exposeHeadRoute: false,
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    schema: {
      operationId: id,
      summary,
      ...(description === undefined ? {} : { description }),
      querystring: query,
      ...(method === 'GET' ? {} : { body: example === undefined ? body : { ...body, examples: [example] } }),
      ...(params.length > 0 ? { params: Type.Object(Object.fromEntries(params)) } : {}),
      response: success,
    },
  }
}

type Described = Pick<
  Definition<string, string, TObject, TSchema, TSchema>,
  'id' | 'summary' | 'description' | 'query' | 'body' | 'example' | 'bodyLimit'
>

export const envelopeOf = (data?: TSchema) =>
  Type.Object({
    success: Type.Boolean(),
    message: Type.String({ description: 'A text for people.' }),
    ...(data === undefined ? {} : { data }),
  })

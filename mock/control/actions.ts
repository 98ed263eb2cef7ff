import type { RouteOptions } from 'fastify'
import { noContext, routesOfNouns } from './nouns.ts'

/** A route of the control plane, for programs that offer all routes: a command line, or tools for an assistant. */
export interface Action {
  /** The function of the clients: `['faults', 'add']`, or `['reset']` without a noun. */
  readonly names: readonly string[]
  /** The description of the noun. */
  readonly about: string
  /** The route, as `ask` takes it. */
  readonly key: string
  readonly summary: string
  readonly description: string
  /** The parameters of the path, then the fields of the query or the body. */
  readonly fields: readonly ActionField[]
  /** The schema of the values of all other fields; undefined when there are none. */
  readonly otherFields: FieldSchema | undefined
  /** A body that the route takes. */
  readonly example: Readonly<Record<string, unknown>> | undefined
  readonly isReadOnly: boolean
  /** Whether its response never ends. */
  readonly isStream: boolean
}

export interface ActionField {
  readonly name: string
  /** A world is the whole body. */
  readonly place: 'path' | 'query' | 'body' | 'world'
  readonly isRequired: boolean
  readonly schema: FieldSchema
}

/** The part of JSON Schema that the schemas of fields use. */
export interface FieldSchema {
  readonly title?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly FieldSchema[]
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | FieldSchema
}

interface NamedNoun {
  readonly name: string
  readonly description: string
}

interface RouteSchema {
  readonly summary: string
  readonly description: string
  readonly params?: FieldSchema
  readonly querystring: FieldSchema
  readonly body?: FieldSchema & { readonly examples?: readonly Readonly<Record<string, unknown>>[] }
  readonly response: Readonly<Record<string, { readonly content?: object }>>
}

/** The actions in the order of the document. */
export const actions = (): readonly Action[] =>
  routesOfNouns.flatMap((noun) =>
    Object.entries(noun.routesFor(noContext as never)).map(([id, route]) => actionOf(noun, id, route)),
  )

function actionOf(noun: NamedNoun, operationId: string, { method, url, schema, config }: RouteOptions): Action {
  const { summary, description, params, querystring, body, response } = schema as RouteSchema
  const hasBody = method === 'POST' || method === 'PUT'
  const input = hasBody && body ? body : querystring
  const isWorld = input.title === 'SentWorld'
  const others = input.additionalProperties
  const [verb = ''] = /^[a-z]+/.exec(operationId) ?? []
  return {
    names: config?.call?.split('.') ?? [
      noun.name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      verb,
    ],
    about: noun.description,
    key: `${String(method)} ${url}`,
    summary,
    description,
    fields: [...fieldsIn(params, 'path'), ...(isWorld ? [world] : fieldsIn(input, hasBody ? 'body' : 'query'))],
    otherFields: typeof others === 'object' ? others : undefined,
    example: body?.examples?.[0],
    isReadOnly: method === 'GET',
    isStream: Object.values(response).some(({ content = {} }) => Object.keys(content).some(isEventStream)),
  }
}

const world: ActionField = {
  name: 'world',
  place: 'world',
  isRequired: true,
  schema: { type: 'string', description: 'A world: a JSON or YAML file, or a name such as demo or story:shop.' },
}

const isEventStream = (type: string) => type.startsWith('text/event-stream')

const fieldsIn = ({ properties = {}, required = [] }: FieldSchema = {}, place: ActionField['place']): ActionField[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, place, isRequired: required.includes(name), schema }))

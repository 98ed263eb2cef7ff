import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Caller } from './target/credentials.ts'
import type { Outgoing } from './transport.ts'

/** The input of an operation. */
export interface Input {
  /** Parameters of the path, by name. */
  readonly path?: Readonly<Record<string, string>>
  /** Parameters of the query; a list is a parameter that is repeated. */
  readonly query?: Readonly<Record<string, string | number | readonly (string | number)[]>>
  /** A body of JSON. */
  readonly body?: unknown
  /** The text of a body, instead of JSON. */
  readonly text?: string
  /** The fields of a body of multipart/form-data, instead of JSON; a list is a field that is repeated. */
  readonly form?: FormFields
  /** Of a JSON body or of a text; `application/json` by default, and none with `null`. */
  readonly contentType?: string | null
  /** An Idempotency-Key; `null` prevents the key that the client adds by default. */
  readonly key?: string | null
  /** `team` by default. */
  readonly caller?: Caller
  /** Adds the credential of a second caller. */
  readonly also?: Caller
  /** Adds a slash to the path. */
  readonly hasSlash?: true
  /** A method that the path does not have. */
  readonly method?: 'GET'
}

type FormFields = Readonly<Record<string, string | boolean | File | readonly string[]>>

/** The request for it, without a credential. */
export async function createRequest(origin: string, operation: OperationId, input: Input): Promise<Outgoing> {
  const { path, method } = operations[operation]
  const { body, contentType } = await encodeBody(input)
  return {
    method: input.method ?? method.toUpperCase(),
    url: `${origin}${fillIn(path, input.path ?? {})}${input.hasSlash ? '/' : ''}${encodeQuery(input.query ?? {})}`,
    headers: {
      accept: 'application/json',
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(typeof input.key !== 'string' ? {} : { 'idempotency-key': input.key }),
    },
    ...(body ? { body } : {}),
  }
}

async function encodeBody({
  body,
  text,
  form,
  contentType = 'application/json',
}: Input): Promise<{ body?: Buffer; contentType?: string }> {
  if (form) {
    const encoded = new Response(toFormData(form))
    return { body: Buffer.from(await encoded.arrayBuffer()), contentType: encoded.headers.get('content-type') ?? '' }
  }
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
  if (content === undefined) return {}
  return { body: Buffer.from(content), ...(contentType === null ? {} : { contentType }) }
}

function toFormData(form: FormFields): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(form))
    for (const one of [value].flat()) data.append(name, one instanceof File ? one : String(one))
  return data
}

function fillIn(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (value === undefined) throw new TypeError(`${path} needs ${name}`)
    return encodeURIComponent(value)
  })
}

function encodeQuery(query: NonNullable<Input['query']>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}

import { once } from '../../../../lib/async.ts'

/** A field of a JSON body, as the OpenAPI document describes it. */
export interface BodyField {
  readonly name: string
  readonly isRequired: boolean
  readonly isNumber: boolean
  /** The values of a field that takes one of a few. */
  readonly choices: readonly string[] | undefined
  /** Empty if there is nothing to say. */
  readonly hint: string
}

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly contentEncoding?: string
  readonly enum?: readonly string[]
  readonly description?: string
  readonly example?: string | number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

interface Operation {
  readonly operationId?: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const readDocument = once(async () => (await (await fetch('/openapi.json')).json()) as Document)

/** The texts and numbers in the body of an operation, in the order of the document. */
export async function readBodyFields(operationId: string): Promise<readonly BodyField[]> {
  const { paths, components } = await readDocument()
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const operation = operations.find((one) => one.operationId === operationId)
  const resolve = ({ $ref, ...own }: Schema): Schema =>
    $ref === undefined ? own : { ...resolve(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}), ...own }
  const forms = formsOf(operation?.requestBody?.content['application/json']?.schema ?? {}, resolve)
  const names = new Set(forms.flatMap(({ properties }) => Object.keys(properties)))
  return [...names].flatMap((name) => {
    const schemas = forms.flatMap(({ properties: { [name]: schema } }) => (schema ? [resolve(schema)] : []))
    const [{ type = '', contentEncoding } = {}] = schemas
    if (!['string', 'number', 'integer'].includes(type) || contentEncoding !== undefined) return []
    const lists = schemas.flatMap((schema) => (schema.enum ? [schema.enum] : []))
    return {
      name,
      isRequired: forms.every(({ required }) => required.includes(name)),
      isNumber: type !== 'string',
      choices: lists.length === schemas.length ? [...new Set(lists.flat())] : undefined,
      hint: [...new Set(schemas.flatMap(hintsOf))].join(' '),
    }
  })
}

const hintsOf = ({ description, example }: Schema): readonly string[] => [
  ...(description === undefined ? [] : [description]),
  ...(example === undefined ? [] : [`Such as ${example}.`]),
]

/** The objects that a schema allows, each with all of its fields. */
function formsOf(
  schema: Schema,
  resolve: (schema: Schema) => Schema,
): Required<Pick<Schema, 'properties' | 'required'>>[] {
  const { properties = {}, required = [], allOf = [], oneOf } = resolve(schema)
  if (oneOf) return oneOf.flatMap((form) => formsOf(form, resolve))
  const parts = allOf.flatMap((part) => formsOf(part, resolve))
  return [
    {
      properties: Object.assign({}, ...parts.map((part) => part.properties), properties) as Record<string, Schema>,
      required: [...parts.flatMap((part) => part.required), ...required],
    },
  ]
}

import { isObject, resolve, type Document, type Schema } from './document.ts'

/** The names of all fields that a schema, its parts and its branches list. */
export function fieldsOf(document: Document, schema: Schema): string[] {
  return [
    ...Object.keys(schema.properties ?? {}),
    ...partsOf(document, schema).flatMap((part) => fieldsOf(document, part)),
  ]
}

/** The fields listed for a value; with a discriminator, the fields of the selected branch. */
export function fieldsFor(document: Document, schema: Schema): (value: unknown) => ReadonlySet<string> {
  const { discriminator, oneOf = [], ...common } = resolve(document, schema)
  const all = new Set(fieldsOf(document, schema))
  if (!discriminator) return () => all

  const tag = discriminator.propertyName
  const byTag = new Map(
    oneOf.flatMap((branch) => {
      const fields = new Set([...fieldsOf(document, common), ...fieldsOf(document, branch)])
      return tagsOf(document, branch, tag).map((value) => [value, fields] as const)
    }),
  )
  return (value) => (isObject(value) ? byTag.get(value[tag]) : undefined) ?? all
}

/** The values of the discriminator that select this branch. */
export function tagsOf(document: Document, branch: Schema, tag: string): unknown[] {
  const described = resolve(document, branch).properties?.[tag]
  if (!described) return []
  const { const: only, enum: several = [only] } = resolve(document, described)
  return several
}

function partsOf(document: Document, { $ref, allOf = [], oneOf = [], anyOf = [], then, else: otherwise }: Schema) {
  const referred = $ref === undefined ? [] : [resolve<Schema>(document, { $ref })]
  return [...referred, ...allOf, ...oneOf, ...anyOf, ...[then, otherwise].filter((part) => part !== undefined)]
}

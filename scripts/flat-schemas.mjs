// Generators read `allOf` in different ways: some lose what stands beside it, some the fields of the part, some what is
// required. The YAML keeps a base and what a schema adds to it apart; the published document has each schema whole.

const refTo = (name) => `#/components/schemas/${name}`

/** The document with every schema whole, and without the bases that nothing else uses. */
export function withFlatSchemas(document) {
  const { schemas } = document.components
  const flat = Object.fromEntries(Object.keys(schemas).map((name) => [name, flatten(schemas, name)]))
  return withoutUnused({ ...document, components: { ...document.components, schemas: flat } })
}

function flatten(schemas, name) {
  const { allOf, ...own } = schemas[name]
  if (allOf === undefined) return own
  if (allOf.length !== 1 || allOf[0].$ref === undefined) throw new Error(`${name}: allOf must hold one $ref, to a base`)
  const { description: _ofTheBase, ...base } = flatten(schemas, nameIn(allOf[0].$ref))
  return merge(schemas, name, base, own)
}

const mergeable = ['type', 'properties', 'required']

function merge(schemas, name, base, own) {
  const twice = Object.keys(own).filter((keyword) => keyword in base && !mergeable.includes(keyword))
  if (twice.length > 0) throw new Error(`${name}: ${twice.join(', ')} stands in the base as well`)
  for (const [field, schema] of Object.entries(own.properties ?? {})) {
    const before = base.properties?.[field]
    if (before && !isNarrower(schemas, schema, before))
      throw new Error(`${name}: ${field} must narrow that of the base`)
  }
  const required = [...new Set([...(base.required ?? []), ...(own.required ?? [])])]
  return {
    ...base,
    ...own,
    ...(required.length > 0 && { required }),
    properties: { ...base.properties, ...own.properties },
  }
}

/** Whether each value that fits fits the other as well, so that it can stand in its place. */
function isNarrower(schemas, schema, other) {
  const wider = other.$ref === undefined ? other : schemas[nameIn(other.$ref)]
  return schema.type === wider.type && schema.enum?.every((value) => wider.enum?.includes(value) ?? true) === true
}

const nameIn = (ref) => ref.replace(refTo(''), '')

function withoutUnused({ components, ...document }) {
  const { schemas, ...others } = components
  const used = new Set()
  const waiting = [document, others]
  while (waiting.length > 0) {
    for (const name of namesIn(waiting.pop()).filter((name) => !used.has(name))) {
      used.add(name)
      waiting.push(schemas[name])
    }
  }
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
  return { ...document, components: { ...others, schemas: kept } }
}

function namesIn(part) {
  return [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"/]+)"/g)].map(([, name]) => name)
}

// The YAML files extend base schemas with `allOf`. Client generators support that in different ways: some lose sibling
// keywords, some lose fields or `required`. So the published document contains each schema in full, unless its `allOf`
// extends the base itself and there is no other keyword.

const refTo = (name) => `#/components/schemas/${name}`

/** Inlines the base of each schema, and removes unused bases. */
export function withFlatSchemas(document) {
  const { schemas } = document.components
  const flat = Object.fromEntries(Object.keys(schemas).map((name) => [name, flatten(schemas, name)]))
  return withoutUnused({ ...document, components: { ...document.components, schemas: flat } })
}

function flatten(schemas, name) {
  const { allOf, ...own } = schemas[name]
  if (allOf === undefined) return own
  if (allOf.length === 2 && Object.keys(own).join() === 'type') return schemas[name]
  if (allOf.length !== 1 || allOf[0].$ref === undefined) throw new Error(`${name}: allOf must hold one $ref, to a base`)
  const { description: _description, ...base } = flatten(schemas, nameIn(allOf[0].$ref))
  return merge(schemas, name, base, own)
}

const mergeable = ['type', 'properties', 'required']

function merge(schemas, name, base, own) {
  const twice = Object.keys(own).filter((keyword) => keyword in base && !mergeable.includes(keyword))
  if (twice.length > 0) throw new Error(`${name}: the base also has ${twice.join(', ')}`)
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

/** Whether each valid value of a schema is also valid for the other. */
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

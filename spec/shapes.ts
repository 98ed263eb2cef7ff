import { createRequire } from 'node:module'
import type * as AjvModule from 'ajv/dist/2020.js'
import type { Options, ValidateFunction } from 'ajv/dist/2020.js'
import type * as FormatsModule from 'ajv-formats'
import { ajvSchemas, hints, type Openness } from './ajv-schemas.ts'
import type { Document, Schema } from './document.ts'
import { explain, fieldOf, strayField, type Subject } from './explain.ts'
import { fieldsFor } from './fields.ts'

/** One sentence when the value is not as documented; `undefined` when it is. */
export type Check = (value: unknown) => string | undefined

/** What a value must look like. Nothing is compiled before it is first asked. */
export interface Shape {
  check: Check
  /** As `check`, and a field that is not documented is refused too. */
  closed: Check
  /** The fields that are not documented, such as `data.owner`, of a value that passes `check`. */
  unlisted: (value: unknown) => string[]
  /** The fields that are documented at the top; where a tag chooses a branch, those of the branch. */
  listed: (value: unknown) => ReadonlySet<string>
}

/** JSON has types and is taken as it is; text (a path, a query, a form) is turned into them, in place. */
export type Source = 'json' | 'text'

export type ShapeOf = (schema: Schema, source: Source, subject: Subject) => Shape

export function shapesOf(document: Document): ShapeOf {
  const compilers = { json: compilersOf(document, {}), text: compilersOf(document, { coerceTypes: 'array' }) }

  return (schema, source, subject) => {
    const { open, closed, thorough } = compilers[source]
    const everyStray = once(() => thorough(schema))
    const listed = once(() => fieldsFor(document, schema))
    return {
      check: checking(() => open(schema), subject),
      closed: checking(() => closed(schema), subject),
      unlisted: (value) => strays(everyStray(), value),
      listed: (value) => listed()(value),
    }
  }
}

function checking(compile: () => ValidateFunction, subject: Subject): Check {
  const compiled = once(compile)
  return (value) => {
    const validate = compiled()
    return validate(value) ? undefined : explain(validate.errors ?? [], subject)
  }
}

function strays(validate: ValidateFunction, value: unknown): string[] {
  validate(value)
  return (validate.errors ?? []).filter((fault) => strayField(fault) !== undefined).map(fieldOf)
}

function compilersOf(document: Document, options: Options) {
  return {
    open: compilerOf(document, 'open', options),
    closed: compilerOf(document, 'closed', options),
    thorough: compilerOf(document, 'closed', { ...options, allErrors: true }),
  }
}

type Compile = (schema: Schema) => ValidateFunction

function compilerOf(document: Document, openness: Openness, options: Options): Compile {
  const compiler = once((): Compile => {
    const { components, whole } = ajvSchemas(document, openness)
    const ajv = newAjv(openness, options)
    for (const [name, schema] of components) ajv.addSchema(schema, name)
    return onceEach((schema) => ajv.compile(whole(schema))) // every operation refuses with the same four answers
  })
  return (schema) => compiler()(schema)
}

// Ajv takes longer to load than all the rest, and who only asks for paths never needs it.
const load = createRequire(import.meta.url)

function newAjv(openness: Openness, options: Options) {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof AjvModule
  const { default: addFormats } = load('ajv-formats') as typeof FormatsModule
  const ajv = new Ajv2020({
    discriminator: true,
    verbose: true,
    strictTypes: openness === 'open', // what closes a schema stands beside no type
    meta: false,
    validateSchema: false,
    ...options,
  })
  addFormats.default(ajv, ['email', 'date-time', 'date', 'uri', 'double', 'binary'])
  ajv.addVocabulary(hints)
  return ajv
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

function onceEach<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>()
  return (key) => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

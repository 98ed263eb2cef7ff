import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type * as AjvModule from 'ajv/dist/2020.js'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import type * as FormatsModule from 'ajv-formats'
import { ajvSchemas, hints } from './ajv-schemas.ts'
import { compiledBefore } from './compiled-before.ts'
import type { Document, Schema } from './document.ts'

export type Validate = ValidateFunction

/** JSON has types and is taken as it is; text (a path, a query, a form) is turned into them, in place. */
export type Source = 'json' | 'text'

/** As documented; closed, so that a field that is not documented is a fault; or closed, and every fault is named. */
type Rigour = 'open' | 'closed' | 'thorough'

/** The validators of a document. Each is compiled when it is first asked for, unless that was done before. */
interface Validators {
  of(schema: Schema, source: Source, rigour: Rigour): ValidateFunction
  /** The compilers that were needed so far, each with the keys of what it has compiled. */
  compilers(): Iterable<Compiler>
}

interface Compiler {
  readonly ajv: Ajv2020
  readonly keys: Set<string>
  compile(schema: Schema, key: string): ValidateFunction
}

const known = new WeakMap<Document, Validators>()

export function validatorsOf(document: Document): Validators {
  const validators = known.get(document) ?? newValidators(document)
  known.set(document, validators)
  return validators
}

function newValidators(document: Document): Validators {
  const compilers = new Map<string, Compiler>()
  const compilerFor = (source: Source, rigour: Rigour): Compiler => {
    const name = `${source} ${rigour}`
    const compiler = compilers.get(name) ?? newCompiler(document, source, rigour)
    compilers.set(name, compiler)
    return compiler
  }
  return {
    of: (schema, source, rigour) => {
      const key = keyOf(document, schema, source, rigour)
      return compiledBefore(key) ?? compilerFor(source, rigour).compile(schema, key)
    },
    compilers: () => compilers.values(),
  }
}

/** The same for schemas of a document that read the same. It may stand in a reference, and be the name of a function. */
function keyOf({ info }: Document, schema: Schema, source: Source, rigour: Rigour): string {
  const title = info.title.toLowerCase().replaceAll(/[^a-z]+/g, '_')
  const digest = createHash('sha256').update(JSON.stringify(schema)).digest('hex')
  return `${title}_${source}_${rigour}_${digest.slice(0, 20)}`
}

function newCompiler(document: Document, source: Source, rigour: Rigour): Compiler {
  const { components, whole } = ajvSchemas(document, rigour === 'open' ? 'open' : 'closed')
  const ajv = newAjv(source, rigour)
  for (const [name, schema] of components) ajv.addSchema(schema, name)
  const keys = new Set<string>()
  return {
    ajv,
    keys,
    compile(schema, key) {
      if (!keys.has(key)) ajv.addSchema(whole(schema), key)
      keys.add(key)
      return ajv.getSchema(key) as ValidateFunction
    },
  }
}

// Ajv takes longer to load than all the rest, and what is asked of a bundle never needs it.
const load = createRequire(import.meta.url)

function newAjv(source: Source, rigour: Rigour): Ajv2020 {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof AjvModule
  const { default: addFormats } = load('ajv-formats') as typeof FormatsModule
  const ajv = new Ajv2020({
    discriminator: true,
    verbose: true,
    messages: false, // `explain` has sentences of its own
    strictTypes: rigour === 'open', // what closes a schema stands beside no type
    meta: false,
    validateSchema: false,
    allErrors: rigour === 'thorough',
    coerceTypes: source === 'text' && 'array',
    code: { source: true },
  })
  addFormats.default(ajv, ['email', 'date-time', 'date', 'uri', 'double', 'binary'])
  ajv.addVocabulary(hints)
  return ajv
}

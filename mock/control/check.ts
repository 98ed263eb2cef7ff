import { createRequire } from 'node:module'
import type * as AjvModule from 'ajv/dist/2020.js'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { quoteUnlessPlain } from '../../shared/text.ts'
import { explain, type Fault, fieldOf, strayField } from '../../spec/explain.ts'
import { BadRequest } from '../core/refusals.ts'

/** Compiles the schemas of routes for Fastify. An error is a refusal in one sentence. */
export function newValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof AjvModule
  const options = { verbose: true, messages: false, strict: false, validateSchema: false } as const
  const json = new Ajv2020(options)
  const text = new Ajv2020({ ...options, coerceTypes: 'array' })
  return ({ schema, httpPart }) => {
    const validate = (httpPart === 'body' ? json : text).compile(schema)
    const whole = httpPart === 'body' ? 'the body' : 'the query'
    return (value: unknown) => {
      if (validate(value)) return { value }
      const sentence = sentenceFor((validate.errors ?? []) as Fault[], whole)
      return { error: new BadRequest(sentence, { limit: 'controlPlane' }) }
    }
  }
}

/** As `explain` for the service; an unknown field is answered with the known ones. */
function sentenceFor(faults: readonly Fault[], whole: string): string {
  const fault = faults.at(-1)
  if (!fault) return `${whole} is not as documented`
  const { 'x-form': form, properties = {} } = fault.parentSchema as { 'x-form'?: string; properties?: object }
  const unknownField = strayField(fault)
  if (unknownField !== undefined)
    return `${quoteUnlessPlain(unknownField)} is not a field of this request, which takes ${Object.keys(properties).join(', ') || 'none'}`
  if (form !== undefined && fault.keyword !== 'required') return `${fieldOf(fault)} must be ${form}`
  return explain(faults, { whole, member: 'a field of this request' })
}

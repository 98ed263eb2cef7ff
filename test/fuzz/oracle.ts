import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { document } from '../../spec/document.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'

// An independent check: the published document and plain Ajv, without code of the project.

const ajv = new Ajv2020({ strict: false, validateSchema: false })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi')

const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Whether a JSON body is as documented. */
export function isDocumented(id: OperationId, body: unknown): boolean {
  const { path, method } = operations[id]
  const place = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'].map(escaped)
  const validate = ajv.getSchema(`openapi#/${place.join('/')}`)
  if (!validate) throw new Error(`The document describes no body of ${id}`)
  return validate(body) === true
}

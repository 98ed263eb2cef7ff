import addFormats from 'ajv-formats'
import { document, isObject } from '../../spec/document.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** The answer to a request. */
export interface Got {
  readonly status: number
  readonly contentType: string | null
  /** The assumptions that the answer relied on. */
  readonly assumed: string
  readonly text: string
  readonly milliseconds: number
}

/** The complaints about an answer. `got` is undefined when no answer came in time. */
export function complaintsAbout(id: OperationId, json: string | undefined, got: Got | undefined): string[] {
  if (!got) return ['no answer in time']
  const { status, contentType, text } = got
  const { statuses, response } = operations[id]
  const body = parsed(text)
  const shape = response(status)
  const isSuccess = status < 400
  const offShape = isSuccess ? shape?.check(body) : shape?.faults(body)[0]?.sentence
  return [
    // `malformedId=serverError` answers 500, and says so; an internal error names no assumption.
    ...(status >= 500 && !got.assumed.split(', ').includes('malformedId') ? ['a server error'] : []),
    ...(statuses.includes(status) ? [] : ['a status that is not documented']),
    ...(/^application\/json\b/.test(contentType ?? '') ? [] : ['an answer that is not JSON']),
    ...(offShape === undefined ? [] : [`an answer that is not as documented: ${offShape}`]),
    ...(isObject(body) && (body.success ?? isSuccess) !== isSuccess ? ['an envelope that contradicts the status'] : []),
    ...(isObject(body) && 'data' in body && shape?.listed(body).has('data') !== true
      ? ['data where none is shown']
      : []),
    ...(isSuccess && json !== undefined && !isDocumented(id, bodyOf(json, got))
      ? ['an invalid body that is accepted']
      : []),
  ]
}

/** The body without null fields, if a choice ignores those. */
function bodyOf(json: string, got: Got): unknown {
  const assumed = got.assumed.split(', ')
  const body = parsed(withoutMark(json))
  if (!isObject(body) || !assumed.includes('nullField')) return body
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}

/** A parser may ignore a byte order mark (RFC 8259, section 8.1). */
const withoutMark = (json: string) => json.replace(/^\ufeff/, '')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

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

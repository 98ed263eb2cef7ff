import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Pool } from './pool.ts'
import type { Draft } from './requests.ts'

/** The arguments of `fetch`, and the part of the body that is sent as JSON. */
export function asSent(id: OperationId, draft: Draft, pool: Pool, base: string) {
  const { method, path: documented } = operations[id]
  const path = pool.inPlace(draft.path)
  const query = pool.inPlace(draft.query)
  const segment = (_: string, name: string) => encodeURIComponent(wellFormed(path[name] ?? ''))
  const url = new URL(documented.replaceAll(/\{(\w+)\}/g, segment), base)
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) url.searchParams.append(name, String(value))
  }
  const body = draft.form ? formOf(pool.inPlace(draft.form)) : (draft.text ?? jsonOf(pool.inPlace(draft.body)))
  const isSent = method !== 'get' && body !== undefined
  const json = typeof body === 'string' && operations[id].contentTypes.length > 0 ? body : undefined
  const type = json === undefined ? {} : { 'content-type': 'application/json' }
  const init = { method: method.toUpperCase(), headers: { ...type, ...draft.headers }, ...(isSent ? { body } : {}) }
  return { url, init, json }
}

const jsonOf = (body: unknown) => (body === undefined ? undefined : JSON.stringify(body))

/** A URL cannot contain lone surrogates. */
const wellFormed = (text: string) => Buffer.from(text).toString()

function formOf(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData()
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) {
      if (name === 'file') form.append(name, new Blob([String(value)]), 'picture.png')
      else form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
  }
  return form
}

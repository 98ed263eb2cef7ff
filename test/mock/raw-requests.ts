import { operations, type OperationId } from '../../spec/operations.ts'
import { examples } from './asks.ts'

export const mebibyte = 1024 * 1024

export const evil = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length))

/** The bytes of a request, and the status of its answer. */
export interface Attack {
  readonly what: string
  readonly bytes: string | Buffer
  readonly status: number
}

export const head = (target: string, method: string, headers: readonly string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers, 'Connection: close', '', ''].join('\r\n')

export const methodOf = (id: OperationId) => operations[id].method.toUpperCase()

export const json = ['content-type: application/json']

export const product = JSON.stringify(examples.createProduct.body)

export const create = (...headers: string[]) =>
  head('/api/products', 'POST', [...headers, ...json, `content-length: ${product.length}`]) + product

export const key = 'x-api-key: acme-key'

import { type Asking, requireThat } from './probe.ts'

/** Where a request with a repeated key is executed again, nothing shows when a key counts as repeated. */
export async function checkKeysCount({ ask, call, some, mint }: Asking): Promise<void> {
  const input = { body: plainProduct(some), key: mint.key() }
  const first = await ask('createProduct', input)
  const again = await call('createProduct', input)
  const isExecuted = again.succeeded && again.data._id !== first.data._id
  requireThat(!isExecuted, 'a repeated key is executed again (repeatedKey)')
}

/** The same with another body. */
export async function checkOtherBodyCounts({ ask, call, some, mint }: Asking): Promise<void> {
  const key = mint.key()
  const first = await ask('createProduct', { body: some.product(), key })
  const other = await call('createProduct', { body: some.product(), key })
  const isExecuted = other.succeeded && other.data._id !== first.data._id
  requireThat(!isExecuted, 'a repeated key with another body is executed (repeatedKeyOtherBody)')
}

/** Without an sku, since a server may refuse one that it knows, whatever the key. */
export function plainProduct(some: Asking['some']) {
  const { sku, ...others } = some.product()
  return others
}

import { checkKeysCount, checkOtherBodyCounts } from '../keys.ts'
import { type Asking, requireThat } from '../probe.ts'

type OnDelete = 'ignored' | 'honoured'

/** The first delete is repeated when there is a contact with the address again. */
export async function repeatedDelete(asking: Asking): Promise<OnDelete> {
  await checkKeysCount(asking)
  const { ask, call, make, look, mint } = asking
  const email = mint.email()
  const input = { query: { email }, key: mint.key() }
  const first = await make.contact({ email })
  await ask('deleteContactsByEmail', input)
  requireThat((await look('contact', first)) === undefined, 'a delete by e-mail does not delete')
  const second = await make.contact({ email })
  await call('deleteContactsByEmail', input)
  return (await look('contact', second)) === undefined ? 'ignored' : 'honoured'
}

export async function deleteOfAnother(asking: Asking): Promise<OnDelete> {
  await checkOtherBodyCounts(asking)
  const { ask, call, make, view, mint } = asking
  const [one, other] = [await make.product(), await make.product()]
  const key = mint.key()
  await ask('deleteProduct', { path: { productId: one._id }, key })
  await call('deleteProduct', { path: { productId: other._id }, key })
  return (await view('product', other)).status === 404 ? 'ignored' : 'honoured'
}

export async function deleteWithUnusableKey({ call, make, view, some }: Asking): Promise<OnDelete> {
  const create = await call('createProduct', { body: some.product(), key: '' })
  requireThat(create.status === 400, 'an empty key counts nowhere (unusableKey)')
  const product = await make.product()
  await call('deleteProduct', { path: { productId: product._id }, key: '' })
  return (await view('product', product)).status === 404 ? 'ignored' : 'honoured'
}

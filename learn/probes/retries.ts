import type { retries } from '../../spec/assumptions/retries.ts'
import { type Asking, byStatus, byValue, CannotTell, Other, type Probes, requireThat } from '../probe.ts'

export const retryProbes: Probes<typeof retries> = {
  repeatedKey: async (asking) => {
    const { ask, call, some, mint } = asking
    const input = { body: plainProduct(some), key: mint.key() }
    const first = await ask('createProduct', input)
    const again = await call('createProduct', input)
    if (again.status === 400) return 'refuse'
    if (!again.succeeded) throw new Other(again.summary)
    return again.data._id === first.data._id ? 'replay' : 'reexecute'
  },

  repeatedKeyOtherBody: async ({ ask, call, some, mint }) => {
    const key = mint.key()
    const first = await ask('createProduct', { body: some.product(), key })
    const other = await call('createProduct', { body: some.product(), key })
    if (other.succeeded) return other.data._id === first.data._id ? 'replay' : 'execute'
    const same = await call('createProduct', { body: some.product(), key: mint.key() })
    requireThat(same.succeeded, 'a second product is refused with a fresh key too')
    return byStatus(other, { 400: 'refuse' })
  },

  repeatedKeyInFlight: async (asking) => {
    const { ask, call, some, mint } = asking
    await checkKeysCount(asking)
    const atOnce = Array.from({ length: 12 })
    await Promise.all(atOnce.map(() => call('listTemplates', firstTemplates))) // opens the connections
    const input = { body: plainProduct(some), key: mint.key() }
    const answers = await Promise.all(atOnce.map(() => call('createProduct', input)))
    const later = await call('createProduct', input)
    requireThat(later.succeeded, 'a repeated key is refused (repeatedKey)')
    const ids = new Set(answers.filter(({ succeeded }) => succeeded).map(({ data }) => data._id))
    if (ids.size !== 1) throw new Other(`one key made ${ids.size} products at once`)
    const refused = answers.find(({ succeeded }) => !succeeded)
    if (!refused) throw new CannotTell('none of twelve requests at once was refused, but they may not have met')
    await ask('createProduct', { body: some.product() })
    return byStatus(refused, { 400: 'refuse' })
  },

  failuresKept: async (asking) => {
    const { ask, call, make, some, mint } = asking
    await checkKeysCount(asking)
    const uniqueName = mint.slug('taken')
    const taken = await make.template('sms', { uniqueName })
    const keyed = { body: some.template.sms({ uniqueName }), key: mint.key() }
    const first = await call('createTemplate', keyed)
    requireThat(first.status === 400, `a second template with one uniqueName is not refused: ${first.summary}`)
    await ask('deleteTemplate', { path: { templateId: taken._id } })
    const again = await call('createTemplate', keyed)
    if (again.succeeded) return 'no'
    await ask('createTemplate', { ...keyed, key: mint.key() })
    return byStatus(again, { 400: 'yes' })
  },

  keyScope: async (asking) => {
    const { ask, call, some, mint } = asking
    await checkOtherBodyCounts(asking)
    const key = mint.key()
    await ask('createProduct', { body: some.product(), key })
    const other = await call('createCompany', { body: some.company(), key })
    if (other.succeeded) return 'unitPrice' in other.data ? 'team' : 'teamAndOperation'
    await ask('createCompany', { body: some.company(), key: mint.key() })
    return byStatus(other, { 400: 'team' })
  },

  keyRetention: () => Promise.reject(new CannotTell('it takes more than a day')),

  keyOnDelete: async (asking) => {
    const { call, make, mint } = asking
    await checkKeysCount(asking)
    const [keyed, plain] = [await make.product(), await make.product()]
    const key = mint.key()
    const deletes = [
      { path: { productId: keyed._id }, key },
      { path: { productId: keyed._id }, key },
      { path: { productId: plain._id }, key: null },
      { path: { productId: plain._id }, key: null },
    ]
    const statuses: number[] = []
    for (const one of deletes) statuses.push((await call('deleteProduct', one)).status)
    const told = statuses.join(' ')
    requireThat(told !== '200 200 200 200', 'a second delete succeeds without a key too (deleteAgain)')
    return byValue('with a key twice, then without one twice, the status', told, {
      ignored: '200 404 200 404',
      honoured: told === '200 400 200 200' ? told : told === '200 400 200 404' ? told : '200 200 200 404',
    })
  },

  unusableKey: async ({ call, some, mint }) => {
    const tooLong = `${mint.key()}${'k'.repeat(256)}`.slice(0, 256)
    const statuses = [
      (await call('createProduct', { body: some.product(), key: tooLong })).status,
      (await call('createProduct', { body: some.product(), key: '' })).status,
    ]
    if (statuses.every((status) => status === 400)) return 'refused'
    if (statuses.every((status) => status >= 200 && status < 300)) return 'ignored'
    throw new Other(`a key of 256 characters, and an empty one, get ${statuses.join(' and ')}`)
  },
}

/** Without an sku, since a server may refuse one that it knows, whatever the key. */
function plainProduct(some: Asking['some']) {
  const { sku, ...others } = some.product()
  return others
}

const firstTemplates = { query: { page: 1, limit: 1, types: ['sms'], statuses: ['approved'] } }

/** Where a repeated key is executed again, nothing tells when a key counts as repeated. */
async function checkKeysCount({ ask, call, some, mint }: Asking): Promise<void> {
  const input = { body: plainProduct(some), key: mint.key() }
  const first = await ask('createProduct', input)
  const again = await call('createProduct', input)
  const isExecuted = again.succeeded && again.data._id !== first.data._id
  requireThat(!isExecuted, 'a repeated key is executed again (repeatedKey)')
}

/** The same with another body. */
async function checkOtherBodyCounts({ ask, call, some, mint }: Asking): Promise<void> {
  const key = mint.key()
  const first = await ask('createProduct', { body: some.product(), key })
  const other = await call('createProduct', { body: some.product(), key })
  const isExecuted = other.succeeded && other.data._id !== first.data._id
  requireThat(!isExecuted, 'a repeated key with another body is executed (repeatedKeyOtherBody)')
}

import { byStatus, CannotTell, Other, type ProbeContext, type Probes, requireThat, tryEach } from '../probe.ts'
import type { retries } from '../../spec/assumptions/retries.ts'

export const retryProbes: Probes<typeof retries> = {
  repeatedKey: async (context) => {
    const { ask, call, some, mint } = context
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

  repeatedKeyInFlight: (context) =>
    tryEach(
      () => createAtOnce(context),
      () => queueAtOnce(context),
    ),

  failuresKept: (context) =>
    tryEach(
      async () => {
        const { ask, call, make, some, mint } = context
        await checkKeysCount(context)
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
      async () => {
        const { ask, call, some, mint } = context
        await checkOtherBodyCounts(context)
        const key = mint.key()
        const { unitPrice: _, ...bad } = some.product()
        const first = await call('createProduct', { body: bad, key })
        requireThat(first.status === 400, `a product without a price is not refused: ${first.summary}`)
        const good = await call('createProduct', { body: some.product(), key })
        if (good.succeeded) return 'no'
        await ask('createProduct', { body: some.product(), key: mint.key() })
        return byStatus(good, { 400: 'yes' })
      },
    ),

  keyScope: (context) =>
    tryEach(
      async () => {
        const { ask, call, some, mint } = context
        await checkOtherBodyCounts(context)
        const key = mint.key()
        await ask('createProduct', { body: some.product(), key })
        const other = await call('createCompany', { body: some.company(), key })
        if (other.succeeded) return 'unitPrice' in other.data ? 'team' : 'teamAndOperation'
        await ask('createCompany', { body: some.company(), key: mint.key() })
        return byStatus(other, { 400: 'team' })
      },
      () => useElsewhereMeanwhile(context),
    ),

  keyRetention: () => Promise.reject(new CannotTell('it takes more than a day')),

  keyOnDelete: (context) =>
    tryEach(
      () => repeatedDelete(context),
      () => deleteOfAnother(context),
      () => deleteWithUnusableKey(context),
    ),

  unusableKey: async (context) => {
    const { call, some, mint } = context
    const tooLong = { body: plainProduct(some), key: `${mint.key()}${'k'.repeat(256)}`.slice(0, 256) }
    const first = await call('createProduct', tooLong)
    const statuses = [first.status, (await call('createProduct', { body: some.product(), key: '' })).status]
    if (statuses.every((status) => status === 400)) return 'refused'
    if (!statuses.every((status) => status >= 200 && status < 300))
      throw new Other(`a key of 256 characters, and an empty one, get ${statuses.join(' and ')}`)
    const again = await call('createProduct', tooLong)
    if (again.succeeded && again.data._id === first.data._id)
      throw new Other('a key of 256 characters is used as any other')
    return 'ignored'
  },
}

/** Throws if the server executes a request with a repeated key again: then repeated keys have no visible effect. */
export async function checkKeysCount({ ask, call, some, mint }: ProbeContext): Promise<void> {
  const input = { body: plainProduct(some), key: mint.key() }
  const first = await ask('createProduct', input)
  const again = await call('createProduct', input)
  const isExecuted = again.succeeded && again.data._id !== first.data._id
  requireThat(!isExecuted, 'a repeated key is executed again (repeatedKey)')
}

/** Throws if the server executes a request with a repeated key and another body. */
export async function checkOtherBodyCounts({ ask, call, some, mint }: ProbeContext): Promise<void> {
  const key = mint.key()
  const first = await ask('createProduct', { body: some.product(), key })
  const other = await call('createProduct', { body: some.product(), key })
  const isExecuted = other.succeeded && other.data._id !== first.data._id
  requireThat(!isExecuted, 'a repeated key with another body is executed (repeatedKeyOtherBody)')
}

/** Without an sku, since a server may refuse one that it knows, whatever the key. */
export function plainProduct(some: ProbeContext['some']) {
  const { sku, ...others } = some.product()
  return others
}

type InFlight = 'wait' | 'refuse'

/** A server with many threads may answer two of them one after the other. */
const sends = Array.from({ length: 6 })

const atOnce = Array.from({ length: 12 })

/** Requests that come together find the connections open. */
const openConnections = ({ call }: ProbeContext) => Promise.all(atOnce.map(() => call('listTemplates', firstTemplates)))

export async function createAtOnce(context: ProbeContext): Promise<InFlight> {
  const { ask, call, some, mint } = context
  await openConnections(context)
  const input = { body: plainProduct(some), key: mint.key() }
  const answers = await Promise.all(atOnce.map(() => call('createProduct', input)))
  const later = await call('createProduct', input)
  requireThat(later.succeeded, 'a repeated key is refused (repeatedKey)')
  const refused = answers.find(({ succeeded }) => !succeeded)
  if (!refused) {
    await checkKeysCount(context)
    const ids = new Set(answers.map(({ data }) => (data as { _id?: unknown })._id))
    if (ids.size !== 1) throw new Other(`one key made ${ids.size} products at once`)
    throw new CannotTell('none of twelve requests at once was refused, but they may not have met')
  }
  await ask('createProduct', { body: some.product() })
  return byStatus(refused, { 400: 'refuse' })
}

/** A long list of one person takes the server a while, so that other requests meet it. */
export async function queueAtOnce(context: ProbeContext): Promise<InFlight> {
  const { call, some, mint } = context
  const { to } = await findLongList(context)
  await openConnections(context)
  const input = { body: some.bulk('email', { to }), key: mint.key() }
  const queue = () => call('sendBulkMessages', input)
  const order: string[] = []
  const noting = async <Result>(what: string, result: Promise<Result>) => {
    const value = await result
    order.push(what)
    return value
  }
  const [, answers] = await Promise.all([
    noting('read', call('listTemplates', firstTemplates)),
    Promise.all(sends.map(() => noting('send', queue()))),
  ])
  requireThat(
    answers.some(({ succeeded }) => succeeded),
    'a long list of one person is refused',
  )
  const later = await queue()
  requireThat(later.succeeded, 'a repeated key is refused (repeatedKey)')
  const refused = answers.filter(({ succeeded }) => !succeeded)
  if (refused[0]) return byStatus(refused[0], { 400: 'refuse' })
  requireThat(order[0] === 'read', 'a long list was read before the next request came')
  return 'wait'
}

/** Sends the key with another operation while the server reads a long list. */
export async function useElsewhereMeanwhile(context: ProbeContext): Promise<'team' | 'teamAndOperation'> {
  const { ask, call, some, mint } = context
  const { email, to } = await findLongList(context)
  await openConnections(context)
  const key = mint.key()
  let isOver = false
  const long = call('sendBulkMessages', { body: some.bulk('email', { to }), key }).finally(() => (isOver = true))
  const isTaken = async () =>
    (await call('sendBulkMessages', { body: some.bulk('email', { to: email, content: mint.name('Hello') }), key }))
      .status === 400
  const refusesMeanwhile = async () => {
    while (!isOver) if (await isTaken()) return !isOver
    return false
  }
  const useMeanwhile = async () => {
    const refuses = await refusesMeanwhile()
    const [other] = await Promise.all([
      call('createCompany', { body: some.company(), key }),
      call('listTemplates', firstTemplates).then(() => {
        requireThat(refuses && !isOver, 'no key is refused while its first request is under way (repeatedKeyInFlight)')
      }),
    ])
    return other
  }
  const [used, sent] = await Promise.allSettled([useMeanwhile(), long])
  if (used.status === 'rejected') throw used.reason
  if (sent.status === 'rejected') throw sent.reason
  const other = used.value
  if (other.succeeded) return 'teamAndOperation'
  await ask('createCompany', { body: some.company(), key })
  return byStatus(other, { 400: 'team' })
}

/** Returns a list that takes the server a while to read, with few addresses that count. */
async function findLongList({ call, some, recipient, target }: ProbeContext): Promise<{ email: string; to: string }> {
  requireThat(target.loopback, 'elsewhere a long list is not sent')
  const empty = await call('sendBulkMessages', { body: {} })
  requireThat(empty.status === 400, `a send without any field gets ${empty.status}`)
  const email = recipient.email()
  const accepts = async (to: string) => (await call('sendBulkMessages', { body: some.bulk('email', { to }) })).succeeded
  for (const item of [',', ',x']) if (await accepts(email + item)) return { email, to: email + item.repeat(100_000) }
  const same = (length: number) => Array<string>(length).fill(email).join(',')
  return { email, to: (await accepts(same(5_000))) ? same(5_000) : same(1_000) }
}

const firstTemplates = { query: { page: 1, limit: 1, types: ['sms'], statuses: ['approved'] } }

type OnDelete = 'ignored' | 'honoured'

/** The first delete is repeated when there is a contact with the address again. */
export async function repeatedDelete(context: ProbeContext): Promise<OnDelete> {
  await checkKeysCount(context)
  const { ask, call, make, look, mint } = context
  const email = mint.email()
  const input = { query: { email }, key: mint.key() }
  const first = await make.contact({ email })
  await ask('deleteContactsByEmail', input)
  requireThat((await look('contact', first)) === undefined, 'a delete by e-mail does not delete')
  const second = await make.contact({ email })
  await call('deleteContactsByEmail', input)
  return (await look('contact', second)) === undefined ? 'ignored' : 'honoured'
}

export async function deleteOfAnother(context: ProbeContext): Promise<OnDelete> {
  await checkOtherBodyCounts(context)
  const { ask, call, make, view, mint } = context
  const [one, other] = [await make.product(), await make.product()]
  const key = mint.key()
  await ask('deleteProduct', { path: { productId: one._id }, key })
  await call('deleteProduct', { path: { productId: other._id }, key })
  return (await view('product', other)).status === 404 ? 'ignored' : 'honoured'
}

export async function deleteWithUnusableKey({ call, make, view, some }: ProbeContext): Promise<OnDelete> {
  const create = await call('createProduct', { body: some.product(), key: '' })
  requireThat(create.status === 400, 'an empty key counts nowhere (unusableKey)')
  const product = await make.product()
  await call('deleteProduct', { path: { productId: product._id }, key: '' })
  return (await view('product', product)).status === 404 ? 'ignored' : 'honoured'
}

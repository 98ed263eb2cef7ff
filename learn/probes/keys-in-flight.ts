import { checkKeysCount, plainProduct } from '../keys.ts'
import { type Asking, byStatus, CannotTell, Other, requireThat } from '../probe.ts'

type InFlight = 'wait' | 'refuse'

/** A server with many threads may answer two of them one after the other. */
const sends = Array.from({ length: 6 })

const atOnce = Array.from({ length: 12 })

/** Requests that come together find the connections open. */
const openConnections = ({ call }: Asking) => Promise.all(atOnce.map(() => call('listTemplates', firstTemplates)))

export async function createAtOnce(asking: Asking): Promise<InFlight> {
  const { ask, call, some, mint } = asking
  await openConnections(asking)
  const input = { body: plainProduct(some), key: mint.key() }
  const answers = await Promise.all(atOnce.map(() => call('createProduct', input)))
  const later = await call('createProduct', input)
  requireThat(later.succeeded, 'a repeated key is refused (repeatedKey)')
  const refused = answers.find(({ succeeded }) => !succeeded)
  if (!refused) {
    await checkKeysCount(asking)
    const ids = new Set(answers.map(({ data }) => (data as { _id?: unknown })._id))
    if (ids.size !== 1) throw new Other(`one key made ${ids.size} products at once`)
    throw new CannotTell('none of twelve requests at once was refused, but they may not have met')
  }
  await ask('createProduct', { body: some.product() })
  return byStatus(refused, { 400: 'refuse' })
}

/** A list that is long to read, of one person: others are answered in the meantime. */
export async function queueAtOnce(asking: Asking): Promise<InFlight> {
  const { call, some, mint } = asking
  const { to } = await findLongList(asking)
  await openConnections(asking)
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

/** While a long list is read, the key is used elsewhere. */
export async function useElsewhereMeanwhile(asking: Asking): Promise<'team' | 'teamAndOperation'> {
  const { ask, call, some, mint } = asking
  const { email, to } = await findLongList(asking)
  await openConnections(asking)
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

/** Addresses of one person that take a while to read, and as few of them as the server lets count. */
async function findLongList({ call, some, recipient, target }: Asking): Promise<{ email: string; to: string }> {
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

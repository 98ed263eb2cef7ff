import { checkKeysCount, plainProduct } from '../keys.ts'
import { type Asking, byStatus, CannotTell, Other, requireThat } from '../probe.ts'

type InFlight = 'wait' | 'refuse'

const atOnce = Array.from({ length: 12 })

/** Requests that come together find the connections open. */
const openConnections = ({ call }: Asking) => Promise.all(atOnce.map(() => call('listTemplates', firstTemplates)))

export async function createAtOnce(asking: Asking): Promise<InFlight> {
  await checkKeysCount(asking)
  const { ask, call, some, mint } = asking
  await openConnections(asking)
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
}

/** A list that is long to read, of one person: others are answered in the meantime. */
export async function queueAtOnce(asking: Asking): Promise<InFlight> {
  const { call, some, mint, recipient, target } = asking
  requireThat(target.loopback, 'elsewhere a long list is not sent')
  const empty = await call('sendBulkMessages', { body: {} })
  requireThat(empty.status === 400, `a send without any field gets ${empty.status}`)
  const email = recipient.email()
  const isRefused = (await call('sendBulkMessages', { body: some.bulk('email', { to: `${email},` }) })).status === 400
  const to = isRefused ? Array<string>(1_000).fill(email).join(',') : `${email}${','.repeat(100_000)}`
  await openConnections(asking)
  const input = { body: some.bulk('email', { to }), key: mint.key() }
  const queue = () => call('sendBulkMessages', input)
  const order: string[] = []
  const noting = async <Result>(what: string, result: Promise<Result>) => {
    const value = await result
    order.push(what)
    return value
  }
  const [first, second] = await Promise.all([
    noting('send', queue()),
    noting('send', queue()),
    noting('read', call('listTemplates', firstTemplates)),
  ])
  const answers = [first, second]
  requireThat(first.succeeded || second.succeeded, 'a long list of one person is refused')
  const later = await queue()
  requireThat(later.succeeded, 'a repeated key is refused (repeatedKey)')
  const refused = answers.filter(({ succeeded }) => !succeeded)
  if (refused.length === 1) return byStatus(refused[0] ?? later, { 400: 'refuse' })
  requireThat(refused.length === 0 && order[0] === 'read', 'a long list was read before the next request came')
  return 'wait'
}

const firstTemplates = { query: { page: 1, limit: 1, types: ['sms'], statuses: ['approved'] } }

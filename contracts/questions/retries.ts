import { byStatus, CannotTell, Other, requireThat } from './finding.ts'
import { type ProbeContext, tryEach } from './probe.ts'
import type { Questions } from './question.ts'
import type { retries } from '../../spec/assumptions/retries.ts'
import { keyRefusals } from '../../spec/choices.ts'

export const retryQuestions: Questions<typeof retries> = {
  repeatedKey: async (context) => {
    const { again, isReplayed } = await useKeyTwice(context)
    return byStatus(again, { ok: isReplayed ? 'replay' : 'reexecute', ...keyRefusals })
  },

  repeatedKeyOtherBody: async (context) => {
    const { again, isReplayed } = await useKeyTwice(context, 'otherBody')
    if (!again.succeeded) await context.ask('createProduct', { body: context.some.product() })
    return byStatus(again, { ok: isReplayed ? 'replay' : 'execute', ...keyRefusals })
  },

  repeatedKeyInFlight: (context) =>
    tryEach(
      () => createAtOnce(context),
      () => queueAtOnce(context),
    ),

  failuresKept: (context) =>
    tryEach(
      async () => {
        const { ask, make, some, mint } = context
        await checkKeysCount(context)
        const uniqueName = mint.slug('taken')
        const { _id: templateId } = await make.template('sms', { uniqueName })
        const body = some.template.sms({ uniqueName })
        return repeatRefused(context, 'createTemplate', body, async () => {
          await ask('deleteTemplate', { path: { templateId } })
          return body
        })
      },
      async () => {
        await checkKeysCount(context, 'otherBody')
        const { unitPrice: _, ...bad } = context.some.product()
        return repeatRefused(context, 'createProduct', bad, async () => context.some.product())
      },
    ),

  unusableKey: async (context) => {
    const { call, some, mint } = context
    await checkKeysCount(context)
    const input = { body: plainProduct(some), key: mint.key().padEnd(300, 'x') }
    const first = await call('createProduct', input)
    if (!first.succeeded) return byStatus(first, { 400: 'refused' })
    const again = await call('createProduct', input)
    return again.succeeded && again.data._id !== first.data._id ? 'ignored' : 'accepted'
  },

  keyScope: async ({ ask, call, some, mint }, context) => {
    await checkKeysCount(context, 'otherBody')
    const key = mint.key()
    await ask('createProduct', { body: some.product(), key })
    const other = await call('createCompany', { body: some.company(), key })
    if (other.succeeded) return 'unitPrice' in other.data ? 'team' : 'teamAndOperation'
    await ask('createCompany', { body: some.company(), key: mint.key() })
    return byStatus(other, { 400: 'team', 409: 'team', 422: 'team' })
  },

  keyRetention: () => Promise.reject(new CannotTell('it takes more than a day')),

  keyOnDelete: (context) =>
    tryEach(
      () => repeatedDelete(context),
      () => deleteOfAnother(context),
    ),
}

/** Creates two products with one key, of the same or of another body. */
async function useKeyTwice({ ask, call, some, mint }: ProbeContext, second: 'sameBody' | 'otherBody' = 'sameBody') {
  // Without an sku, since a server may refuse one that it knows, whatever the key.
  const [body, key] = [plainProduct(some), mint.key()]
  const first = await ask('createProduct', { body, key })
  const again = await call('createProduct', { body: second === 'sameBody' ? body : some.product(), key })
  return { again, isReplayed: again.succeeded && again.data._id === first.data._id }
}

/** Throws if a repeated key has no visible effect, since the server executes the request again. */
async function checkKeysCount(context: ProbeContext, second: 'sameBody' | 'otherBody' = 'sameBody'): Promise<void> {
  const { again, isReplayed } = await useKeyTwice(context, second)
  requireThat(
    !again.succeeded || isReplayed,
    second === 'sameBody'
      ? 'a repeated key is executed again (repeatedKey)'
      : 'a repeated key with another body is executed (repeatedKeyOtherBody)',
  )
}

/** Sends a bad request and, with its key, a good one. */
async function repeatRefused(
  { ask, call, mint }: ProbeContext,
  operation: 'createTemplate' | 'createProduct',
  bad: object,
  toGood: () => Promise<object>,
): Promise<'no' | 'yes'> {
  const key = mint.key()
  const first = await call(operation, { body: bad, key })
  requireThat(first.status === 400, `a bad request is not refused: ${first.summary}`)
  const body = await toGood()
  const again = await call(operation, { body, key })
  if (again.succeeded) return 'no'
  await ask(operation, { body, key: mint.key() })
  return byStatus(again, { 400: 'yes', 409: 'yes', 422: 'yes' })
}

function plainProduct(some: ProbeContext['some']) {
  const { sku, ...others } = some.product()
  return others
}

type InFlight = 'wait' | (typeof keyRefusals)[keyof typeof keyRefusals]

/** A server with many threads may answer two of them one after the other. */
const sends = Array.from({ length: 6 })

const atOnce = Array.from({ length: 12 })

/** Requests that come together find the connections open. */
const openConnections = ({ call }: ProbeContext) => Promise.all(atOnce.map(() => call('listTemplates', firstTemplates)))

async function createAtOnce(context: ProbeContext): Promise<InFlight> {
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
  return byStatus(refused, keyRefusals)
}

/** A long list of one person takes the server a while, so that other requests meet it. */
async function queueAtOnce(context: ProbeContext): Promise<InFlight> {
  const { call, some, mint } = context
  const to = await findLongList(context)
  await openConnections(context)
  const input = { body: some.bulk('email', { to }), key: mint.key() }
  const queue = () => call('sendBulkMessages', input)
  let isSent = false
  const [isReadFirst, answers] = await Promise.all([
    call('listTemplates', firstTemplates).then(() => !isSent),
    Promise.all(sends.map(() => queue().finally(() => (isSent = true)))),
  ])
  requireThat((await queue()).succeeded, 'a long list of one person, or a repeated key, is refused (repeatedKey)')
  const refused = answers.find(({ succeeded }) => !succeeded)
  if (refused) return byStatus(refused, keyRefusals)
  requireThat(isReadFirst, 'a long list was read before the next request came')
  return 'wait'
}

/** Returns a list that takes the server a while to read, with few addresses that count. */
async function findLongList({ call, some, recipient, target }: ProbeContext): Promise<string> {
  requireThat(target.loopback, 'elsewhere a long list is not sent')
  const empty = await call('sendBulkMessages', { body: {} })
  requireThat(empty.status === 400, `a send without any field gets ${empty.status}`)
  const email = recipient.email()
  const accepts = async (to: string) => (await call('sendBulkMessages', { body: some.bulk('email', { to }) })).succeeded
  for (const item of [',', ',x']) if (await accepts(email + item)) return email + item.repeat(100_000)
  const same = (length: number) => Array<string>(length).fill(email).join(',')
  return (await accepts(same(5_000))) ? same(5_000) : same(1_000)
}

const firstTemplates = { query: { page: 1, limit: 1, types: ['sms'], statuses: ['approved'] } }

type OnDelete = 'ignored' | 'honoured'

/** The first delete is repeated when there is a contact with the address again. */
async function repeatedDelete(context: ProbeContext): Promise<OnDelete> {
  await checkKeysCount(context)
  const { ask, call, make, readRecord, mint } = context
  const email = mint.email()
  const input = { query: { email }, key: mint.key() }
  const first = await make.contact({ email })
  await ask('deleteContactsByEmail', input)
  requireThat((await readRecord('contact', first)) === undefined, 'a delete by e-mail does not delete')
  const second = await make.contact({ email })
  await call('deleteContactsByEmail', input)
  return (await readRecord('contact', second)) === undefined ? 'ignored' : 'honoured'
}

async function deleteOfAnother(context: ProbeContext): Promise<OnDelete> {
  await checkKeysCount(context, 'otherBody')
  const { ask, call, make, readAnswer, mint } = context
  const [one, other] = [await make.product(), await make.product()]
  const key = mint.key()
  await ask('deleteProduct', { path: { productId: one._id }, key })
  await call('deleteProduct', { path: { productId: other._id }, key })
  return (await readAnswer('product', other)).status === 404 ? 'ignored' : 'honoured'
}

import { bulkChannel } from '../client/bodies.ts'
import { fieldsOf, idOf } from '../client/answer.ts'
import { kindIn } from '../client/kinds.ts'
import { historyOf, messagesOn } from '../client/messages.ts'
import { sending } from '../client/operations.ts'
import type { Input } from '../client/request.ts'
import { newSubjects, type Subjects, type Tools } from '../client/tools.ts'
import { once } from '../../lib/async.ts'
import { singleSends } from '../../spec/operation-groups.ts'
import type { OperationId, Schemas } from '../../spec/types.ts'
import { isUpdate, requestOf } from './each-operation.ts'
import type { Context } from './keeps.ts'
import { listAll } from './template-fixtures.ts'
import { oncePerRun, readFields } from './values.ts'
import { numbersIn } from '../judge/laws/contacts.ts'

/** The records that the requests of a check are about. */
interface Scene {
  readonly subjects: Subjects
  /** Of a contact with these addresses. */
  readonly conversation: () => Promise<Schemas['Conversation']>
  readonly email: string
  readonly phone: string
}

/** A request of which other operations show whether, and how often, it was carried out. */
interface Effect {
  readonly input: Input
  /** Another request with the same subject. */
  readonly another: () => Promise<Input>
  /** Reads the record that an update changes. */
  readonly record?: () => Promise<object | undefined>
  /** The address of the contact that it makes: the answer to a delete states how many there were. */
  readonly email?: string
  /** Counts the other records that it has made, of those that an operation shows. */
  readonly count?: () => Promise<number>
}

export function createScene(tools: Tools, subjects = newSubjects(tools)): Scene {
  const { make, mint } = tools
  const addresses = { email: mint.email(), phone: mint.phone() }
  return { subjects, ...addresses, conversation: once(() => make.conversation(addresses)) }
}

export async function effectOf(operation: OperationId, tools: Tools, scene: Scene): Promise<Effect> {
  const { ask, some, target } = tools
  const single = singleSends.find((one) => one === operation)
  if (single ?? operation === 'sendBulkMessages') {
    const conversation = await scene.conversation()
    const channel = bulkChannel(target)
    const to = channel === 'email' ? scene.email : scene.phone
    const body = single
      ? sending[single].message(tools, sending[single].into(conversation))
      : some.bulk(channel, { to })
    const count = async () => {
      const history = messagesOn(await historyOf(tools, conversation._id))
      return history.filter(({ content }) => content.includes(body.content)).length
    }
    return { input: { body }, another: async () => ({ body }), count }
  }
  const another = () => requestOf(operation, tools, scene.subjects)
  const input = await another()
  if (isUpdate(operation)) {
    const kind = kindIn(operation)
    const record = await scene.subjects.record(kind)
    return { input, another, record: () => readFields(tools, kind, record) }
  }
  const { contactId, email, name, templateType } = fieldsOf(input.body)
  if (typeof contactId === 'string') {
    const countAll = async () => (await ask('listConversationsOfContact', { path: { contactId } })).data.length
    const before = await countAll()
    return { input, another, count: async () => (await countAll()) - before }
  }
  if (typeof email === 'string') return { input, another, email }
  if (typeof templateType !== 'string') return { input, another }
  const list = () => listAll(tools, { types: templateType })
  return { input, another, count: async () => (await list()).filter((one) => one.name === name).length }
}

/** The message of a delete by e-mail address, without the address, since an address may contain digits. */
export async function deleteByEmail(send: Tools['call'], email: string): Promise<string> {
  return (await send('deleteContactsByEmail', { query: { email } })).message.replaceAll(email, '')
}

/** The numbers in that message. It may state more than the count. */
export const countDeleted = async ({ call }: Tools, email: string) => numbersIn(await deleteByEmail(call, email))

/** A request with an Idempotency-Key, and when it was sent. */
interface Keyed extends Effect {
  readonly at: number
  readonly id: string | undefined
}

/** In milliseconds. A server may discard a key after that. */
const longestMemory = 30_000

const keyedOf = (tools: Tools) => oncePerRun(tools, 'keyed', async () => new Map<OperationId, Keyed>())

/** Sends a request with a key, which another check may repeat. */
export async function sendWithKey(
  operation: OperationId,
  tools: Tools,
  scene: Scene,
  send: Context['accepts'] = tools.ask,
): Promise<Keyed> {
  const effect = await effectOf(operation, tools, scene)
  const input = { ...effect.input, key: tools.mint.key() }
  const { fields } = await send(operation, input)
  const keyed: Keyed = { ...effect, input, id: idOf(fields.data), at: Date.now() }
  ;(await keyedOf(tools)).set(operation, keyed)
  return keyed
}

/** A request to repeat. Each is repeated by one check. */
export async function takeKeyed(operation: OperationId, tools: Tools, scene = createScene(tools)): Promise<Keyed> {
  const all = await keyedOf(tools)
  const known = all.get(operation)
  const keyed = known && Date.now() - known.at < longestMemory ? known : await sendWithKey(operation, tools, scene)
  all.delete(operation)
  return keyed
}

/** The bulk send of the run that was repeated with its key, which an early check sends and the last one counts. */
export const repeatedBulkSend = (tools: Tools) =>
  oncePerRun(tools, 'repeated bulk send', async () => {
    const { input, count = async () => 0 } = await takeKeyed('sendBulkMessages', tools)
    await tools.call('sendBulkMessages', input)
    return { at: Date.now(), count }
  })

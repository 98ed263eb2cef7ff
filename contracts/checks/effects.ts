import { bulkChannel } from '../client/bodies.ts'
import { fieldsOf } from '../client/answer.ts'
import { kindIn } from '../client/kinds.ts'
import { historyOf, messagesOn } from '../client/messages.ts'
import { sending } from '../client/operations.ts'
import type { Input } from '../client/request.ts'
import { newSubjects, type Tools } from '../client/tools.ts'
import { singleSends } from '../../spec/operation-groups.ts'
import type { OperationId } from '../../spec/types.ts'
import { isUpdate, requestOf } from './each-operation.ts'
import { newAddress } from './sends.ts'
import { listAll } from './template-fixtures.ts'
import { readFields } from './values.ts'
import { numbersIn } from '../judge/laws/contacts.ts'

/** A request of which other operations show whether, and how often, it was carried out. */
interface Effect {
  readonly input: Input
  /** Another request with the same subject. */
  readonly another: () => Promise<Input>
  /** Reads the record that an update changes. */
  readonly record?: () => Promise<object | undefined>
  /** Counts the records that a create or send has made, contacts by their deletion; its message may state more numbers. */
  readonly count?: () => Promise<readonly number[]>
}

export async function effectOf(operation: OperationId, tools: Tools): Promise<Effect> {
  const { ask, call, make, some, target } = tools
  const single = singleSends.find((one) => one === operation)
  if (single ?? operation === 'sendBulkMessages') {
    const channel = bulkChannel(target)
    const sender = single ?? (channel === 'email' ? 'sendEmailMessage' : 'sendMessage')
    const { to, fields } = newAddress(sender, tools)
    const conversation = await make.conversation(fields)
    const { into, message } = sending[sender]
    const another = async () => ({ body: single ? message(tools, into(conversation)) : some.bulk(channel, { to }) })
    const input = await another()
    const count = async () => {
      const history = messagesOn(await historyOf(tools, conversation._id))
      return [history.filter(({ content }) => content.includes(input.body.content)).length]
    }
    return { input, another, count }
  }
  const subjects = newSubjects(tools)
  const another = () => requestOf(operation, tools, subjects)
  const input = await another()
  if (isUpdate(operation)) {
    const kind = kindIn(operation)
    const record = await subjects.record(kind)
    return { input, another, record: () => readFields(tools, kind, record) }
  }
  const { contactId, email, name, templateType } = fieldsOf(input.body)
  if (typeof contactId === 'string') {
    const list = () => ask('listConversationsOfContact', { path: { contactId } })
    return { input, another, count: async () => [(await list()).data.length] }
  }
  if (typeof email === 'string')
    return { input, another, count: async () => numbersIn(await deleteByEmail(call, email)) }
  if (typeof templateType !== 'string') return { input, another }
  const list = () => listAll(tools, { types: templateType })
  return { input, another, count: async () => [(await list()).filter((one) => one.name === name).length] }
}

/** A bulk send that was repeated with its Idempotency-Key: when, and how many of its messages have arrived. */
interface RepeatedSend {
  readonly at: number
  readonly count: () => Promise<number>
}

const repeatedSends = new WeakMap<Tools['call'], Promise<RepeatedSend>>()

/** The one of the run, which an early check sends and the last one counts. */
export function repeatedBulkSend(tools: Tools): Promise<RepeatedSend> {
  const sent = repeatedSends.get(tools.call) ?? repeatBulkSend(tools)
  repeatedSends.set(tools.call, sent)
  return sent
}

async function repeatBulkSend(tools: Tools): Promise<RepeatedSend> {
  const { input, count } = await effectOf('sendBulkMessages', tools)
  const keyed = { ...input, key: tools.mint.key() }
  await tools.ask('sendBulkMessages', keyed)
  await tools.call('sendBulkMessages', keyed)
  return { at: Date.now(), count: async () => Math.max(...((await count?.()) ?? [0])) }
}

/** The message of a delete by e-mail address, without the address, since an address may contain digits. */
export async function deleteByEmail(send: Tools['call'], email: string): Promise<string> {
  return (await send('deleteContactsByEmail', { query: { email } })).message.replaceAll(email, '')
}

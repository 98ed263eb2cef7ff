import { expect } from 'vitest'
import { plainType } from '../client/bodies.ts'
import { type Fields, fieldsOf } from '../client/answer.ts'
import type { Input } from '../client/request.ts'
import { newSubjects, type Tools } from '../client/tools.ts'
import { type PromiseGroup, type PromiseId, promises, type RequirementKind } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { requestOf } from './each-operation.ts'
import { repeatedBulkSend } from './effects.ts'
import { type Context, keeps } from './keeps.ts'
import { unlessRefused } from './other-records.ts'
import { bareTemplate, templateTypes } from './template-fixtures.ts'
import { pick } from './values.ts'

// The status of a success, the required fields, and the smallest valid request of each operation.

const operationOf = ({ requirement }: Context) => requirement.operations[0] as OperationId

/** A valid request of the operation of the promise. */
const anyRequest = (context: Context) => requestOf(operationOf(context), context, newSubjects(context))

const createOrFind = ['findOrCreateConversation', 'createContactWithConversation', 'createOrUpdateContact']

async function answersWithItsStatus(context: Context): Promise<void> {
  const { ask, call, requirement, target } = context
  const [operation, input] = [operationOf(context), await anyRequest(context)]
  if (requirement.id === 'conversation.createAgainAnswers200') await ask(operation, input)
  const times = createOrFind.includes(operation) ? 2 : 1
  for (let time = 0; time < times; time++) expect((await call(operation, input)).status).toBe(requirement.status)
  // The last check of the run counts its messages.
  if (operation === 'sendBulkMessages' && target.loopback) await unlessRefused(() => repeatedBulkSend(context))
}

const bodiesWithRequiredFields: Readonly<Partial<Record<PromiseId, (tools: Tools) => readonly (() => object)[]>>> = {
  'template.createRequires': ({ some }) => templateTypes.map((type) => () => some.template[type]()),
  'template.smsRequires': (tools) => [() => bareTemplate(tools, 'sms')],
  'template.emailRequires': (tools) => [() => bareTemplate(tools, 'email')],
  'template.whatsappRequires': (tools) => [() => bareTemplate(tools, 'whatsapp')],
  'message.bulkEmailRequiresASubject': ({ some }) => [() => some.bulk('email')],
}

async function requiresItsFields(context: Context): Promise<void> {
  const subjects = newSubjects(context)
  const bodies = bodiesWithRequiredFields[context.requirement.id]?.(context)
  const inputs = bodies?.map((write) => () => ({ body: write() })) ?? [
    () => requestOf(operationOf(context), context, subjects),
  ]
  for (const input of inputs) await context.requires(operationOf(context), input)
}

async function acceptsRequiredFields(context: Context): Promise<void> {
  const { body } = await anyRequest(context)
  await context.accepts(operationOf(context), { body: pick(context.requirement.fields ?? [], fieldsOf(body)) })
}

async function acceptsNames(context: Context): Promise<void> {
  const { accepts, call, mint, target } = context
  const operation = operationOf(context)
  const body: Fields = { firstName: mint.name('Ada'), lastName: 'Lovelace' }
  // A server may refuse digits in a name. Without them, no later run finds the record after a crash.
  const isPlain = target.loopback && !(await call(operation, { body })).succeeded
  await accepts(operation, { body: isPlain ? { ...body, firstName: 'Ada' } : body })
}

async function acceptsBareTemplates(context: Context): Promise<void> {
  for (const type of templateTypes) await context.accepts('createTemplate', { body: bareTemplate(context, type) })
}

async function acceptsSmallMessages({ accepts, recipient, some, target }: Context): Promise<void> {
  const [email, phone] = [recipient.email, recipient.phone]
  const { providers, loopback } = target
  const messages: readonly (readonly [boolean, OperationId, () => Input['body']])[] = [
    [true, 'sendLiveMessage', () => ({ ...some.chat(), to: phone() })],
    [!!providers.email, 'sendEmailMessage', () => ({ ...some.email(), to: email() })],
    [!!providers.sms, 'sendMessage', () => ({ ...some.text({ channel: 'sms' }), to: phone() })],
    // The specification leaves open whether a WhatsApp message needs a template.
    [loopback && !!providers.email, 'sendBulkMessages', () => some.bulk('email')],
    [loopback && !!providers.sms, 'sendBulkMessages', () => some.bulk('sms')],
  ]
  for (const [isPossible, operation, body] of messages) if (isPossible) await accepts(operation, { body: body() })
}

async function acceptsEmptyUpdate(context: Context): Promise<void> {
  const operation = operationOf(context)
  const body = operation === 'updateTemplate' ? { templateType: plainType(context.target) } : {}
  await context.accepts(operation, { ...(await anyRequest(context)), body })
}

type Check = (context: Context) => Promise<void>

const acceptsSmallest: Partial<Record<PromiseGroup, Check>> = {
  conversations: acceptsNames,
  contacts: acceptsNames,
  messages: acceptsSmallMessages,
  templates: acceptsBareTemplates,
}

const checksFor = (group: PromiseGroup): Partial<Record<RequirementKind, Check>> => ({
  success: answersWithItsStatus,
  missing: requiresItsFields,
  requiredFieldsSuffice: acceptsSmallest[group] ?? acceptsRequiredFields,
  emptyUpdate: acceptsEmptyUpdate,
})

for (const { id, group, kind } of promises) {
  const check = kind && checksFor(group)[kind]
  if (check) keeps(id, check)
}

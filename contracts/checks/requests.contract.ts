import { expect } from 'vitest'
import { plainType } from '../client/bodies.ts'
import { type Fields, fieldsOf } from '../client/answer.ts'
import type { Input } from '../client/request.ts'
import { newSubjects } from '../client/tools.ts'
import { type PromiseGroup, promises, type RequirementKind } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { requestOf, unchangedSubjects } from './each-operation.ts'
import { repeatedBulkSend } from './effects.ts'
import { type Context, keeps } from './keeps.ts'
import { unlessRefused } from './other-records.ts'
import { bareTemplate, templateTypes } from './template-fixtures.ts'
import { pick } from './values.ts'

// The status of a create that may find, and the smallest valid request of each operation.

const operationOf = ({ requirement }: Context) => requirement.operations[0] as OperationId

/** A valid request of the operation of the promise. */
const anyRequest = (context: Context) => requestOf(operationOf(context), context, newSubjects(context))

for (const id of ['conversation.createAnswers201', 'conversation.createAgainAnswers200'] as const)
  keeps(id, async (context) => {
    const { ask, call, requirement } = context
    const [operation, input] = [operationOf(context), await anyRequest(context)]
    if (id === 'conversation.createAgainAnswers200') await ask(operation, input)
    expect((await call(operation, input)).status).toBe(requirement.status)
  })

keeps('template.listRequires', (context) => context.requires('listTemplates', () => anyRequest(context)))

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

async function acceptsSmallMessages(context: Context): Promise<void> {
  const { accepts, recipient, some, target } = context
  const [email, phone] = [recipient.email, recipient.phone]
  const { providers, loopback } = target
  // The last check of the run counts its messages.
  if (loopback) await unlessRefused(() => repeatedBulkSend(context))
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
  await context.accepts(operation, { ...(await requestOf(operation, context, unchangedSubjects(context))), body })
}

type Check = (context: Context) => Promise<void>

const acceptsSmallest: Partial<Record<PromiseGroup, Check>> = {
  conversations: acceptsNames,
  contacts: acceptsNames,
  messages: acceptsSmallMessages,
  templates: acceptsBareTemplates,
}

const checksFor = (group: PromiseGroup): Partial<Record<RequirementKind, Check>> => ({
  requiredFieldsSuffice: acceptsSmallest[group] ?? acceptsRequiredFields,
  emptyUpdate: acceptsEmptyUpdate,
})

for (const { id, group, kind } of promises) {
  const check = kind && checksFor(group)[kind]
  if (check) keeps(id, check)
}

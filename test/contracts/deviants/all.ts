import { promises, type PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'
import { contacts, conversations } from './contacts.ts'
import { changeStatus, type Deviant, refuseWhen } from './deviant.ts'
import { access, envelope, errors } from './envelope.ts'
import { bulkMessagesAndHistory, messages } from './messages.ts'
import { records } from './records.ts'
import { templates } from './templates.ts'

/** The same deviant for each promise of this pattern, which is about one operation. */
const forEach = (pattern: RegExp, deviate: (operation: OperationId, status: number) => Deviant) =>
  Object.fromEntries(
    promises.flatMap(({ id, operations: [operation], status = 0 }) =>
      pattern.test(id) ? [[id, deviate(operation as OperationId, status)]] : [],
    ),
  )

/** For each promise a server that breaks it, or several. */
export const deviants: Readonly<Partial<Record<PromiseId, Deviant | readonly Deviant[]>>> = {
  ...forEach(/Answers20\d$/, (operation, status) => changeStatus(operation, status === 200 ? 202 : 200)),
  ...forEach(/updateMayBeEmpty$/, (operation) =>
    refuseWhen(operation, (body) => Object.keys(body).filter((field) => field !== 'templateType').length === 0),
  ),
  ...contacts,
  ...conversations,
  ...messages,
  ...bulkMessagesAndHistory,
  ...templates,
  ...records,
  ...access,
  ...envelope,
  ...errors,
}

/** Each deviant, with its promise and its number. */
export const allDeviants = Object.entries(deviants).flatMap(([id, each]) =>
  [each].flat().map((deviant, index): [PromiseId, number, Deviant] => [id as PromiseId, index + 1, deviant]),
)

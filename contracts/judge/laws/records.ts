import { fieldsOf, idOf, withIds } from '../../client/answer.ts'
import { type CreatedKind, kindIn, kindNames, kinds } from '../../client/kinds.ts'
import { deletesById, updates } from '../../../spec/operation-groups.ts'
import { operations } from '../../../spec/operations.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'
import { factsOf, type KnownRecord } from '../facts.ts'
import { type Law, type Seen, state } from './law.ts'
import { isNone, isSame } from './same-value.ts'

// A record keeps its values until a write names them, belongs to one request, and is gone once it is deleted.

/** Named in a template or a quote only: an update of one may change the other. */
const together: readonly (readonly string[])[] = [['pipeline', 'stage']]

/** A platform may put an approved WhatsApp template into another category. */
const movesByItself = ({ kind }: KnownRecord, field: string) => kind === 'template' && field === 'category'

const named = ({ request: { operation, path } }: Seen) => {
  const kind = kindIn(operation)
  return { kind, id: path[`${kind}Id`] }
}

const reading: readonly OperationId[] = ['getTemplate', 'deleteContact']

const ofEach = <Rest extends 'updateKeepsTheRest' | 'deletedIsGone' | 'updateAnswers200' | 'deleteAnswers200'>(
  rest: Rest,
) => kindNames.map((kind) => `${kind}.${rest}` as const)

const keepsTheRest: Law = {
  promises: [
    'contact.deleteAnswersWithTheContact',
    'template.updateIsKept',
    'contact.createdAtStays',
    ...ofEach('updateKeepsTheRest'),
  ],
  needsAll: true,
  operations: [...updates, ...reading],
  judge: (seen, facts) => {
    const { kind, id } = named(seen)
    const { request, answer, repeatsKey, wasAlone } = seen
    const record = facts.record(kind, id)
    if (repeatsKey || !wasAlone || !facts.isSettled(record, seen.open) || record.deletedBy !== undefined) return []
    const shown = withIds(fieldsOf(answer.fields.data))
    const sent = fieldsOf(request.body)
    const isNamed = (field: string) =>
      sent[field] !== undefined ||
      together.some((some) => some.includes(field) && some.some((one) => sent[one] !== undefined))
    return factsOf[kind].flatMap((field) => {
      const fact = record.fields.get(field)
      // The status of a contact may follow its messages, and a server may leave a field out.
      const isOpen =
        !fact || isNamed(field) || movesByItself(record, field) || (fact.isSent && typeof fact.value === 'object')
      if (isOpen || shown[field] === undefined || (isNone(shown[field]) && kind !== 'contact' && kind !== 'template'))
        return []
      const holds = isSame(field, fact.value, shown[field])
      const wasTrue = (record.earlier.get(field) ?? []).some((value) => isSame(field, value, shown[field]))
      const mayLag = !holds && wasTrue && request.method === 'GET'
      return [
        state(keepingPromise(kind, request.operation, field), holds, fact.value, shown[field], {
          field,
          since: fact.since,
          mayLag,
        }),
      ]
    })
  },
}

function keepingPromise(kind: CreatedKind, operation: OperationId, field: string): PromiseId {
  if (operation === 'deleteContact') return 'contact.deleteAnswersWithTheContact'
  if (operation === 'getTemplate') return 'template.updateIsKept'
  if (kind === 'contact' && field === 'createdAt') return 'contact.createdAtStays'
  return `${kind}.updateKeepsTheRest`
}

/** A deleted record is found by no operation. That it can be deleted once more is left open. */
const deletedIsGone: Law = {
  promises: ofEach('deletedIsGone'),
  needsAll: true,
  operations: [...updates, 'getTemplate'],
  judge: (seen, facts) => {
    const { kind, id } = named(seen)
    const record = facts.record(kind, id)
    const { request, answer, began, repeatsKey } = seen
    if (repeatsKey || record?.deletedBy === undefined || record.deletedBy > began) return []
    const mayLag = request.method === 'GET'
    return [
      state(`${kind}.deletedIsGone`, false, 'a refusal, since the record was deleted', answer.summary, {
        since: record.deletedBy,
        mayLag,
      }),
    ]
  },
}

const answers200 = (operation: OperationId) => {
  const { method, group } = operations[operation]
  const verb = method === 'put' ? 'update' : method
  return `${group.replace(/ies$/, 'y').replace(/s$/, '')}.${verb}Answers200` as PromiseId
}

/** A record that was made and not deleted is found by its id. */
const isFound: Law = {
  promises: [...ofEach('updateAnswers200'), ...ofEach('deleteAnswers200'), 'template.getAnswers200'],
  needsAll: true,
  operations: [...updates, ...deletesById, 'getTemplate'],
  status: 'any',
  judge: (seen, facts) => {
    const { kind, id } = named(seen)
    const record = facts.record(kind, id)
    const { answer, request, began, wasAlone } = seen
    const isMeant =
      facts.isSettled(record, seen.open) &&
      wasAlone &&
      record.deletedBy === undefined &&
      (record.madeBy ?? began) < began
    if (!isMeant || record.caller !== request.caller || request.complaint || ![200, 404].includes(answer.status))
      return []
    const found = answer.status !== 404
    return [
      state(answers200(request.operation), found, `the ${kind} ${record.id}`, answer.summary, {
        since: record.madeBy,
        mayLag: !found,
      }),
    ]
  },
}

const creates = kindNames.map((kind) => kinds[kind].createdBy)

/** A server may merge a new contact with one that has its address. */
const makesItsOwn: Law = {
  promises: [
    'contact.createShowsWhatWasGiven',
    'template.createAnswersWithTheTemplate',
    'company.createShowsTheRecord',
    'product.createShowsTheRecord',
    'deal.createShowsTheRecord',
    'quote.createShowsTheRecord',
  ],
  needsAll: true,
  operations: creates,
  judge: ({ request: { operation, caller, body }, answer, repeatsKey }, facts) => {
    const kind = kindNames.find((one) => kinds[one].createdBy === operation) ?? 'contact'
    const id = idOf(answer.fields.data)
    const record = facts.record(kind, id)
    if (id === undefined) return []
    if (
      kind === 'contact' &&
      !['email', 'phone'].every((name) =>
        isNewAddress(facts.contactsAt(caller, fieldsOf(body)[name]), fieldsOf(body)[name]),
      )
    )
      return []
    const isOfTeam = record === undefined || record.caller === caller
    if (repeatsKey && isOfTeam) return []
    const holds = record === undefined || record.deletedBy !== undefined
    const promise =
      kind === 'contact'
        ? 'contact.createShowsWhatWasGiven'
        : kind === 'template'
          ? 'template.createAnswersWithTheTemplate'
          : (`${kind}.createShowsTheRecord` as const)
    return [
      state(promise, holds, 'a record of its own', `the record ${id}, which was there before`, {
        since: record?.madeBy,
      }),
    ]
  },
}

const isNewAddress = (found: readonly unknown[] | undefined, value: unknown) =>
  value === undefined || found?.length === 0

/** A contact that an earlier answer showed is in the answer to its deletion. */
const deleteShowsTheContact: Law = {
  promises: ['contact.deleteAnswersWithTheContact'],
  operations: ['deleteContact'],
  judge: ({ request: { path }, answer, repeatsKey }, facts) => {
    const record = facts.record('contact', path.contactId)
    if (repeatsKey || !record || record.deletedBy !== undefined) return []
    const { data } = answer.fields
    return [state('contact.deleteAnswersWithTheContact', data !== undefined && data !== null, 'the contact', 'no data')]
  },
}

/** The times of a contact: it is created once, and changed later. */
const timesMove: Law = {
  promises: ['contact.updatedAtMoves'],
  operations: ['createContact', 'updateContact', 'createOrUpdateContact', 'deleteContact'],
  judge: ({ answer }) => {
    const { createdAt, updatedAt } = fieldsOf(answer.fields.data)
    const [created, updated] = [Date.parse(String(createdAt)), Date.parse(String(updatedAt))]
    if (Number.isNaN(created) || Number.isNaN(updated)) return []
    return [state('contact.updatedAtMoves', updated >= created - 1000, `${String(createdAt)} or later`, updatedAt)]
  },
}

export const records: readonly Law[] = [
  keepsTheRest,
  deletedIsGone,
  isFound,
  makesItsOwn,
  deleteShowsTheContact,
  timesMove,
]

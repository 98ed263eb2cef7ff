import { fieldsOf, idOf, withIds } from '../../client/answer.ts'
import { type CreatedKind, kindIn, kindNames, kinds, namesRecord } from '../../client/kinds.ts'
import { deletesById, updates, withBody } from '../../../spec/operation-groups.ts'
import { promise, promises, type PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'
import { factsOf, type KnownRecord } from '../facts.ts'
import { longestWait } from '../lags.ts'
import type { ParsedRequest } from '../parse-request.ts'
import { type Law, listOf, type Seen, saysWhether, state } from './law.ts'
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

/** The kinds with the whole record in each answer, not only the changed fields. */
const showsAll = new Set<CreatedKind>(['contact', 'template'])

/** A server may leave out a value that says nothing. */
const isEmpty = (value: unknown) => !value || (typeof value === 'object' && Object.keys(value).length === 0)

const reading: readonly OperationId[] = ['getTemplate', 'deleteContact']

const ofEach = <Rest extends 'updateKeepsTheRest' | 'deletedIsGone' | 'updateAnswers200' | 'deleteAnswers200'>(
  rest: Rest,
) => kindNames.map((kind) => `${kind}.${rest}` as const)

const keepsTheRest: Law = {
  promises: [
    'contact.deleteAnswersWithTheContact',
    'template.getShowsWhatElseWasGiven',
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
    // Of a form, only the server knows the fields.
    const isForm = request.method === 'PUT' && request.body === undefined
    if (repeatsKey || isForm || !wasAlone || !facts.isSettled(record, seen.open) || !isThere(record, request)) return []
    const shown = withIds(fieldsOf(answer.fields.data))
    const sent = fieldsOf(request.body)
    const isNamed = (field: string) =>
      sent[field] !== undefined ||
      together.some((some) => some.includes(field) && some.some((one) => sent[one] !== undefined))
    // An answer that shows another unchanged field is not about the changed ones alone.
    const isShownBeside = (field: string) =>
      factsOf[kind].some((other) => other !== field && !isNamed(other) && !isNone(shown[other]))
    return factsOf[kind].flatMap((field) => {
      const fact = record.fields.get(field)
      // The status of a contact may follow its messages, and a server may leave a field out.
      const isOpen =
        !fact || isNamed(field) || movesByItself(record, field) || (fact.isSent && typeof fact.value === 'object')
      const isWhole = showsAll.has(kind)
        ? request.operation === 'getTemplate' || (kind === 'contact' && !fact?.isSent)
        : !fact?.isSent && facts.showsBesides(request.operation, field) && isShownBeside(field)
      const mayLack = isEmpty(fact?.value) || (!isWhole && (shown[field] === undefined || !showsAll.has(kind)))
      if (isOpen || (isNone(shown[field]) && mayLack)) return []
      const holds = isSame(field, fact.value, shown[field])
      const wasTrue = isNone(shown[field])
        ? fact.since !== record.madeBy
        : (record.earlier.get(field) ?? []).some((value) => isSame(field, value, shown[field]))
      const mayLag = !holds && wasTrue && request.method === 'GET'
      return [
        state(
          keepingPromise(kind, request.operation, field, fact.since === record.madeBy),
          holds,
          fact.value,
          shown[field],
          {
            field,
            since: fact.since,
            mayLag,
          },
        ),
      ]
    })
  },
}

/** A server may answer 200 to a delete of a record that is not there for this team. */
const isThere = ({ deletedBy, caller }: KnownRecord, request: ParsedRequest) =>
  deletedBy === undefined && caller === request.caller

function keepingPromise(kind: CreatedKind, operation: OperationId, field: string, isFirst: boolean): PromiseId {
  if (operation === 'deleteContact') return 'contact.deleteAnswersWithTheContact'
  const isElse = promise('template.getShowsWhatElseWasGiven').fields.some((one) => one === field)
  if (operation === 'getTemplate' && isFirst && isElse) return 'template.getShowsWhatElseWasGiven'
  if (operation === 'getTemplate') return 'template.updateIsKept'
  if (kind === 'contact' && field === 'createdAt') return 'contact.createdAtStays'
  return `${kind}.updateKeepsTheRest`
}

/** A deleted record is found by no operation. That it can be deleted once more is left open. */
const deletedIsGone: Law = {
  promises: ofEach('deletedIsGone'),
  needsAll: true,
  operations: [...updates, 'getTemplate'],
  status: 'any',
  judge: (seen, facts) => {
    const { kind, id } = named(seen)
    const record = facts.record(kind, id)
    const { request, answer, began, repeatsKey } = seen
    if (!saysWhether(answer) || repeatsKey || record?.deletedBy === undefined || record.deletedBy > began) return []
    const mayLag = request.method === 'GET'
    return [
      state(`${kind}.deletedIsGone`, !answer.succeeded, 'a refusal, since the record was deleted', answer.summary, {
        since: record.deletedBy,
        mayLag,
      }),
    ]
  },
}

/** The promise that an operation succeeds. */
export const answers200 = (operation: OperationId): PromiseId =>
  promises.find(({ id, operations: [own] }) => /Answers20\d$/.test(id) && own === operation)?.id ??
  'error.statusIsDocumented'

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
    const found = answer.status === 200
    // A request with a body may be refused for it, and for a record that it names.
    const isRefused =
      request.method === 'PUT'
        ? [404, 500].includes(answer.status) && !namesRecord(request.body)
        : [400, 404, 500].includes(answer.status)
    // A credential that reads a template of another may not change it.
    const isOfRole = request.method === 'GET' ? record?.foundBy.has(request.role) : record?.role === request.role
    const isOwn = record?.caller === request.caller && (kind !== 'template' || isOfRole)
    if (!isMeant || !isOwn || request.complaint || !(found || isRefused)) return []
    return [
      state(answers200(request.operation), found, `the ${kind} ${record.id}`, answer.summary, {
        since: record.madeBy,
        mayLag: answer.status === 500 || (!found && request.at - record.at < 2 * longestWait),
      }),
    ]
  },
}

/** A contact that was not deleted has its conversation. */
const conversationIsFound: Law = {
  promises: ['conversation.getAnswers200', 'conversation.listAnswers200', 'message.historyAnswers200'],
  needsAll: true,
  operations: ['getConversation', 'listConversationsOfContact', 'listMessages'],
  status: 'any',
  judge: ({ open, request: { operation, path, query, caller, complaint }, answer, began }, facts) => {
    const contact = facts.record('contact', path.contactId ?? facts.contactOf(String(path.conversationId)))
    const since = contact && facts.conversationOf(contact.id)?.since
    const isMeant =
      facts.isSettled(contact, open) && contact.deletedBy === undefined && since !== undefined && since < began
    // A server may answer otherwise to a page beyond the last, and refuse a limit above its largest.
    const isUsual = operation !== 'listMessages' || (query.page === '1' && Number(query.limit) <= 10)
    const found = answer.status === 200
    if (!isMeant || contact.caller !== caller || complaint || !isUsual || ![200, 400, 404].includes(answer.status))
      return []
    return [state(answers200(operation), found, 'a success', answer.summary, { since, mayLag: !found })]
  },
}

/** The conversation of a deleted contact, and its messages, are found no more. */
const conversationIsGone: Law = {
  promises: ['contact.deleteTakesTheConversation', 'contact.deleteTakesTheMessages'],
  needsAll: true,
  operations: ['getConversation', 'listMessages'],
  status: 'any',
  judge: ({ request: { operation, path, caller }, answer, began }, facts) => {
    const contact = facts.record('contact', facts.contactOf(String(path.conversationId)))
    const { deletedBy: since = Infinity } = contact ?? {}
    if (!saysWhether(answer) || since > began || contact?.caller !== caller) return []
    const isHistory = operation === 'listMessages'
    const isGone = !answer.succeeded || (isHistory && listOf(answer.fields.data).length === 0)
    const promise = isHistory ? 'contact.deleteTakesTheMessages' : 'contact.deleteTakesTheConversation'
    return [state(promise, isGone, 'a refusal, since the contact was deleted', answer.summary, { since, mayLag: true })]
  },
}

/** A server may check each of the addresses of a bulk send. */
const judgedByOthers = withBody.filter((operation) => operation !== 'sendBulkMessages')

/** A server accepts each value that it accepted in other requests. */
const isTaken: Law = {
  promises: judgedByOthers.map(answers200),
  needsAll: true,
  operations: judgedByOthers,
  status: 'any',
  judge: ({ open, request, answer, repeatsKey }, facts) => {
    const { operation, path, body, complaint, caller } = request
    // A server may refuse a key that is empty or long.
    const hasUsualKey = /^.{1,64}$/.test(String(request.headers['idempotency-key'] ?? 'none'))
    if (![400, 404, 500].includes(answer.status) || repeatsKey || !hasUsualKey || complaint || body === undefined)
      return []
    const { contactId, recipientId, recipientIds = [], conversationId, dealId, ...others } = fieldsOf(body)
    const named = [
      ...kindNames.map((kind) => [kind, path[`${kind}Id`]] as const),
      ...[contactId, recipientId, recipientIds].flat().map((id) => ['contact', id] as const),
      ['contact', facts.contactOf(String(conversationId)) ?? conversationId] as const,
      ['deal', dealId] as const,
    ].filter(([, id]) => id !== undefined)
    const areThere = named.every(([kind, id]) => {
      const record = facts.record(kind, id)
      return facts.isSettled(record, open) && record.caller === caller && record.deletedBy === undefined
    })
    // A server may refuse a send that names several people.
    const people = new Set(named.flatMap(([kind, id]) => (kind === 'contact' ? [id] : [])))
    // A server may hide a record from a caller.
    const mayHide = answer.status === 404 && request.method !== 'POST'
    const isAboutIds = answer.status === 404 && named.length > 0 && !namesRecord(others)
    const isWrong = !mayHide && (isAboutIds || (people.size < 2 && facts.taken.allows(request)))
    if (!areThere || !isWrong) return []
    return [
      state(answers200(operation), false, 'a success, as of such requests before', answer.summary, {
        mayLag: answer.status !== 400,
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
  judge: ({ request, answer, repeatsKey }, facts) => {
    const record = facts.record('contact', request.path.contactId)
    if (repeatsKey || !record || !isThere(record, request)) return []
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
  conversationIsFound,
  conversationIsGone,
  isTaken,
  makesItsOwn,
  deleteShowsTheContact,
  timesMove,
]

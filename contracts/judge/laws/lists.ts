import { isDeepStrictEqual } from 'node:util'
import { type Fields, fieldsOf, idOf } from '../../client/answer.ts'
import { messageChannels, templateStatuses, templateTypes } from '../../../spec/forms.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import type { Facts, KnownRecord } from '../facts.ts'
import { type Law, listOf, same, type Seen, state, type Statement } from './law.ts'
import { judgeSubject } from './messages.ts'
import { isNone, isSame } from './same-value.ts'
import { contains } from './shown-values.ts'

// A page of a list: its items, and what it says of the other pages.

type Asked = string | string[] | undefined

const messagesOf = ({ answer }: Seen) => listOf(answer.fields.data).flatMap((group) => listOf(group.messages))

const history: Law = {
  promises: [
    'message.historyDatesAreDistinct',
    'message.historyDatesFit',
    'message.emailKeepsItsSubject',
    'message.onlyEmailHasASubject',
    'message.historyIsOfOneConversation',
    'message.historyFiltersByChannel',
    'message.historyLimitHolds',
    'message.historyCurrentPage',
    'message.historyHasMore',
  ],
  operations: ['listMessages'],
  judge: (seen) => {
    const {
      request: { path, query },
      answer,
    } = seen
    const { data, pagination } = answer.fields
    const groups = listOf(data)
    const messages = messagesOf(seen)
    const dates = groups.map(({ date }) => date)
    return [
      ...same('message.historyDatesAreDistinct', dates.length, new Set(dates).size),
      ...groups.flatMap(({ date, messages: ofDate }) => listOf(ofDate).flatMap((one) => onDate(date, one))),
      ...messages.flatMap(judgeSubject),
      ...messages.flatMap((one) => same('message.historyIsOfOneConversation', path.conversationId, one.conversationId)),
      ...oneOf('message.historyFiltersByChannel', query.channel, messageChannels, messages, 'channel'),
      ...within('message.historyLimitHolds', query.limit, messages.length),
      ...currentPage('message.historyCurrentPage', query.page, messages, fieldsOf(pagination)),
      ...hasMore('message.historyHasMore', messages, fieldsOf(pagination)),
    ]
  },
}

const pick = ({ channel, direction, content }: Fields) => [channel, direction, content]

const sentFields = ['channel', 'direction', 'content', 'conversationId', 'contactId'] as const

/** Each message of the history that this traffic sent is as its send returned it. */
const historyHoldsEverySend: Law = {
  promises: [
    'message.historyHoldsEverySend',
    'message.keepsItsContent',
    'message.keepsItsLineBreaks',
    'message.emailKeepsItsSubject',
    'message.historyFiltersByChannel',
  ],
  needsAll: true,
  operations: ['listMessages'],
  judge: (seen, facts) => {
    const {
      request: { path, query },
      answer,
      began,
    } = seen
    const conversationId = String(path.conversationId)
    const messages = messagesOf(seen)
    const promise = 'message.historyHoldsEverySend'
    const ids = messages.map(idOf)
    const known = messages.flatMap((one) => {
      const sent = facts.message(String(idOf(one)))
      if (!sent) return []
      const { fields, since } = sent
      // A send may show what a server appends, such as how to unsubscribe, or not yet.
      const isContent = (field: string) =>
        field === 'content' && contains(promise, field, sent.sent.content, one.content)[0]?.holds === true
      const shown = sentFields.filter((field) => !isNone(fields[field]) && !isNone(one[field]))
      return [
        ...shown.map((field) =>
          state(promise, isSame(field, fields[field], one[field]) || isContent(field), fields[field], one[field], {
            field,
            since,
          }),
        ),
        ...(sent.sent.templateId === undefined
          ? contains('message.keepsItsContent', 'content', sent.sent.content, one.content)
          : []),
        ...contains('message.emailKeepsItsSubject', 'subject', sent.sent.subject, one.subject),
      ]
    })
    const once = state(
      promise,
      new Set(ids).size === ids.length,
      'each message once',
      `${ids.length} messages with ${new Set(ids).size} ids`,
    )
    // A text that one request sent is in one message.
    const sentOnce = facts.messagesIn(conversationId).filter(({ fields }) => facts.isSentOnce(fields.content))
    const doubles = messages.filter(
      (one) =>
        !facts.message(String(idOf(one))) && sentOnce.some(({ fields }) => isDeepStrictEqual(pick(one), pick(fields))),
    )
    const isOne = state(
      promise,
      doubles.length === 0,
      'one message for each send',
      `a second one with ${String(doubles[0]?.content)}`,
    )
    const { hasMore, currentPage } = fieldsOf(answer.fields.pagination)
    // Only a first page that is the last has all of them.
    const isWhole = hasMore === false && (currentPage === 1 || currentPage === undefined) && (query.page ?? '1') === '1'
    const wanted = facts
      .messagesIn(conversationId)
      .filter(({ ended, fields }) => ended < began && (query.channel === undefined || fields.channel === query.channel))
    const missing = wanted.find(({ id }) => !ids.includes(id))
    const isComplete =
      !isWhole || wanted.length === 0
        ? []
        : [
            state(
              query.channel === undefined ? promise : 'message.historyFiltersByChannel',
              missing === undefined,
              `the message ${missing?.id ?? ''}`,
              `${ids.length} others`,
              { since: missing?.since, mayLag: true },
            ),
          ]
    return [
      ...known,
      ...(ids.includes(undefined) ? [] : [once]),
      ...(sentOnce.length === 0 ? [] : [isOne]),
      ...isComplete,
    ]
  },
}

const templateList: Law = {
  promises: [
    'template.listFiltersByType',
    'template.typesMayRepeat',
    'template.listFiltersByStatus',
    'template.statusesMayRepeat',
    'template.listLimitHolds',
    'template.listLimit',
    'template.listCurrentPage',
    'template.listTotalPages',
    'template.listHasMore',
    'template.listPagesAddUp',
  ],
  operations: ['listTemplates'],
  judge: ({ request: { query }, answer }) => {
    const { data, pagination } = answer.fields
    const templates = listOf(data)
    const [byType, byStatus] = [
      typeof query.types === 'string' ? 'template.listFiltersByType' : 'template.typesMayRepeat',
      typeof query.statuses === 'string' ? 'template.listFiltersByStatus' : 'template.statusesMayRepeat',
    ] as const
    const { totalResults, totalPages, limit } = fieldsOf(pagination)
    const pages = Number(limit) > 0 ? Math.ceil(Number(totalResults) / Number(limit)) : undefined
    const ids = templates.map(idOf)
    return [
      ...oneOf(byType, query.types, templateTypes, templates, 'templateType'),
      ...oneOf(byStatus, query.statuses, templateStatuses, templates, 'status'),
      ...within('template.listLimitHolds', query.limit, templates.length),
      // The largest limit of a server may be lower than the requested one, but hardly below the limit of the examples.
      ...(isCount(query.limit) && Number(query.limit) <= 10
        ? same('template.listLimit', Number(query.limit), limit)
        : []),
      ...currentPage('template.listCurrentPage', query.page, templates, fieldsOf(pagination)),
      ...(templates.length === 0 ? [] : same('template.listTotalPages', pages, totalPages)),
      ...hasMore('template.listHasMore', templates, { ...fieldsOf(pagination), totalPages: pages }),
      ...(ids.includes(undefined)
        ? []
        : [
            state(
              'template.listPagesAddUp',
              new Set(ids).size === ids.length,
              'each template once',
              'one of them twice',
            ),
          ]),
    ]
  },
}

const listedFields = ['templateType', 'name', 'uniqueName', 'content', 'language', 'subject'] as const

/** The templates of this traffic in a list: with their values, all of them, and none that was deleted. */
const listIsTrue: Law = {
  promises: [
    'access.adminsListAllTemplates',
    'template.deletedIsGone',
    'template.listHoldsWhatWasCreated',
    'template.listTotal',
    'template.updateIsKept',
    'template.listPagesAddUp',
  ],
  needsAll: true,
  operations: ['listTemplates'],
  judge: (seen, facts) => {
    const {
      open,
      request: { query, role },
      answer,
      began,
    } = seen
    const templates = listOf(answer.fields.data)
    const ids = new Set(templates.map(idOf))
    const shown = templates.flatMap((one): Statement[] => {
      const record = facts.record('template', idOf(one))
      if (record?.madeBy === undefined) return []
      if (record.deletedBy !== undefined && record.deletedBy < began)
        return [
          state('template.deletedIsGone', false, 'no deleted template', `the template ${record.id}`, {
            since: record.deletedBy,
            mayLag: true,
          }),
        ]
      return facts.isSettled(record, open) ? valuesIn(record, one) : []
    })
    const { hasMore, totalResults } = fieldsOf(answer.fields.pagination)
    const isWhole = hasMore === false && query.page === '1'
    const own = [...facts.living('template', open)]
    const [types, statuses] = [[query.types ?? []].flat(), [query.statuses ?? []].flat()]
    const wanted = own.filter(({ madeBy = began, fields }) => {
      const type = fields.get('templateType')?.value
      // A WhatsApp template is approved or rejected by itself.
      const isOfStatus = statuses.length === 3 || (type !== 'whatsapp' && statuses.includes('approved'))
      return madeBy < began && types.includes(String(type)) && isOfStatus
    })
    const [missing] = wanted.filter(({ id }) => isWhole && !ids.has(id))
    const total = Number(totalResults)
    const least = `at least ${wanted.length} templates`
    const isComplete = [
      state(
        missing && missing.role !== role ? 'access.adminsListAllTemplates' : 'template.listHoldsWhatWasCreated',
        !missing,
        `the template ${missing?.id}`,
        `${ids.size} others`,
        { since: missing?.madeBy, mayLag: true },
      ),
      state('template.listTotal', total >= wanted.length, least, `totalResults: ${total}`, { mayLag: true }),
    ]
    return [...shown, ...(wanted.length === 0 ? [] : isComplete), ...isFull(seen, facts)]
  },
}

/** A page has as many items as the total and the limit leave for it, unless a write came between counting and reading. */
function isFull({ open, answer }: Seen, facts: Facts): Statement[] {
  const { data, pagination } = answer.fields
  const [total, limit, page] = ['totalResults', 'limit', 'currentPage'].map((name) =>
    Number(fieldsOf(pagination)[name]),
  )
  const expected = Math.min(limit ?? NaN, (total ?? NaN) - ((page ?? NaN) - 1) * (limit ?? NaN))
  const count = listOf(data).length
  if (!facts.isQuiet('templates', open) || !(expected > 0)) return []
  const promise = 'template.listPagesAddUp'
  return [state(promise, count === expected, `${expected} templates on page ${page}`, `${count}`, { mayLag: true })]
}

function valuesIn(record: KnownRecord, one: Fields): Statement[] {
  return listedFields.flatMap((field) => {
    const fact = record.fields.get(field)
    // That an update is kept is promised of lists as well.
    const isOpen = isNone(one[field]) && (fact?.since === record.madeBy || one[field] !== undefined)
    if (!fact || isOpen) return []
    const holds = isSame(field, fact.value, one[field])
    const mayLag =
      !holds &&
      (isNone(one[field]) || (record.earlier.get(field) ?? []).some((value) => isSame(field, value, one[field])))
    return [state('template.updateIsKept', holds, fact.value, one[field], { field, since: fact.since, mayLag })]
  })
}

/** Whether the date of a group is the date of a message, in the time zone of some place on earth. */
function onDate(date: unknown, { createdAt }: Fields): Statement[] {
  const hours = (Date.parse(String(createdAt)) - Date.parse(String(date))) / 3_600_000
  if (Number.isNaN(hours)) return []
  const holds = hours >= -14 && hours < 24 + 12
  return [state('message.historyDatesFit', holds, 'a message of the date of its group', 'another day')]
}

/** Records with only these values of a field, if each of the values is a documented one. */
function oneOf(
  promise: PromiseId,
  wanted: Asked,
  documented: readonly string[],
  records: readonly Fields[],
  field: string,
): Statement[] {
  const values = [wanted ?? []].flat()
  if (values.length === 0 || !values.every((value) => documented.includes(value))) return []
  const shown = records.map((record) => record[field]).filter((value) => typeof value === 'string')
  const other = shown.find((value) => !values.includes(value))
  return shown.length === 0 ? [] : [state(promise, other === undefined, values.join(' or '), other)]
}

const within = (promise: PromiseId, limit: Asked, count: number): Statement[] =>
  isCount(limit) ? [state(promise, count <= Number(limit), `at most ${limit}`, String(count))] : []

/** A server may show another page than one beyond the last. */
function currentPage(promise: PromiseId, page: Asked, shown: readonly Fields[], pagination: Fields): Statement[] {
  const exists = isCount(page) && Number(page) <= Number(pagination.totalPages) && shown.length > 0
  return exists ? same(promise, Number(page), pagination.currentPage) : []
}

/** Compares `hasMore` with the number of the page and of all pages, on a page that exists. */
function hasMore(
  promise: PromiseId,
  shown: readonly Fields[],
  { currentPage, totalPages, hasMore: actual }: Fields,
): Statement[] {
  const expected = Number(currentPage) < Number(totalPages)
  const exists = shown.length > 0 && Number(currentPage) <= Number(totalPages)
  const where = `page ${String(currentPage)} of ${String(totalPages)}`
  return exists ? [state(promise, actual === expected, `hasMore: ${expected} on ${where}`, String(actual))] : []
}

const isCount = (text: Asked): text is string => typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text)

/** Four documented values, as the examples have them, are no reason to refuse a list. */
const isAnswered: Law = {
  promises: ['template.listAnswers200'],
  operations: ['listTemplates'],
  status: 'any',
  judge: ({ request: { query, complaint }, answer: { status, summary } }) => {
    const isUsual = !complaint && query.page === '1' && Number(query.limit) <= 10
    return isUsual && status === 400 ? [state('template.listAnswers200', false, 'a success', summary)] : []
  },
}

export const lists: readonly Law[] = [isAnswered, history, historyHoldsEverySend, templateList, listIsTrue]

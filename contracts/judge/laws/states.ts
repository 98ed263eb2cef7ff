import { type Fields, fieldsOf, idOf } from '../../client/answer.ts'
import { promise, type PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'
import { type Law, listOf, same, state, type Statement } from './law.ts'

// How templates and quotes begin, the ids that an answer must show, and the form of times.

const startingStatus: Readonly<Record<string, readonly [PromiseId, string]>> = {
  sms: ['template.smsStartsApproved', 'approved'],
  email: ['template.emailStartsApproved', 'approved'],
  whatsapp: ['template.whatsappStartsPending', 'pending'],
}

const newTemplate: Law = {
  promises: [
    'template.smsStartsApproved',
    'template.emailStartsApproved',
    'template.whatsappStartsPending',
    'template.mediaHeaderNeedsAFile',
  ],
  operations: ['createTemplate'],
  judge: ({ request: { body }, answer, repeatsKey }) => {
    const { templateType, status } = fieldsOf(answer.fields.data)
    const [promise, expected] = startingStatus[String(templateType)] ?? []
    if (repeatsKey) return []
    return [...(promise === undefined ? [] : same(promise, expected, status)), ...judgeHeader(fieldsOf(body))]
  },
}

/** Only a form, which has no parsed body, can have a file. */
function judgeHeader({ templateType, headerType }: Fields): Statement[] {
  const needsFile = promise('template.mediaHeaderNeedsAFile').values.some((type) => type === headerType)
  if (templateType !== 'whatsapp' || !needsFile) return []
  return [state('template.mediaHeaderNeedsAFile', false, 'a refusal without a file', 'a success')]
}

/** The id of a reference, which may be populated. */
const idIn = (data: unknown, field: string) => idOf(fieldsOf(data)[field]) ?? fieldsOf(data)[field]

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''

const newQuote: Law = {
  promises: ['quote.createShowsTheRecord', 'quote.startsAsDraft', 'quote.templateDefaultsToBasic'],
  operations: ['createQuote'],
  judge: ({
    request: { body },
    answer: {
      fields: { data },
    },
    repeatsKey,
  }) =>
    repeatsKey
      ? []
      : [
          ...same('quote.createShowsTheRecord', fieldsOf(body).dealId, idIn(data, 'dealId')),
          ...same('quote.startsAsDraft', 'draft', fieldsOf(data).status),
          ...(isGiven(fieldsOf(body).template)
            ? []
            : same('quote.templateDefaultsToBasic', 'default-basic', fieldsOf(data).template)),
        ],
}

const quoteStatus: Law = {
  promises: ['quote.updateSetsTheStatus'],
  operations: ['updateQuote'],
  judge: ({
    request: { body },
    answer: {
      fields: { data },
    },
    repeatsKey,
  }) => (repeatsKey ? [] : same('quote.updateSetsTheStatus', fieldsOf(body).status, fieldsOf(data).status)),
}

const idPromises = {
  getTemplate: ['template.getShowsTheTemplate', 'templateId'],
  updateContact: ['contact.answersWithTheContact', 'contactId'],
  deleteContact: ['contact.deleteAnswersWithTheContact', 'contactId'],
} as const

const showsTheId: Law = {
  promises: ['template.getShowsTheTemplate', 'contact.answersWithTheContact', 'contact.deleteAnswersWithTheContact'],
  operations: ['getTemplate', 'updateContact', 'deleteContact'],
  judge: ({
    request: { operation, path },
    answer: {
      fields: { data },
    },
    repeatsKey,
  }) => {
    const [promise, name] = idPromises[operation as keyof typeof idPromises]
    return repeatsKey ? [] : same(promise, path[name], fieldsOf(data)._id)
  },
}

const timePromises = ['contact.timesAreIso', 'conversation.createdAtIsIso', 'message.createdAtIsIso'] as const

/** A time of the document has a T, which the format of JSON Schema does not require. */
const times: readonly Law[] = timePromises.map((id) => ({
  promises: [id],
  operations: promise(id).operations as readonly OperationId[],
  judge: ({
    request: { operation },
    answer: {
      fields: { data },
    },
  }) => {
    const groups = operation === 'listMessages' ? listOf(data).map(({ messages }) => messages) : [data]
    const found = groups.flat().flatMap((record) => [fieldsOf(record).createdAt, fieldsOf(record).updatedAt])
    const texts = found.filter((time) => typeof time === 'string')
    const wrong = texts.find((time) => !/^\d{4}-\d\d-\d\dT/.test(time))
    return texts.length === 0
      ? []
      : [state(id, wrong === undefined, 'a time in ISO 8601', wrong, { field: 'createdAt' })]
  },
}))

export const states: readonly Law[] = [newTemplate, newQuote, quoteStatus, showsTheId, ...times]

import { type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { probeOf, type Question, type Reader, readerOf } from './question.ts'
import { accessQuestions } from './access.ts'
import { bulkQuestions } from './bulk.ts'
import { contactQuestions } from './contacts.ts'
import { conversationQuestions } from './conversations.ts'
import { listQuestions } from './lists.ts'
import { mergeFieldQuestions } from './merge-fields.ts'
import { messageQuestions } from './messages.ts'
import { recordQuestions } from './records.ts'
import { answerQuestions, requestQuestions } from './requests.ts'
import { retryQuestions } from './retries.ts'
import { templateQuestions, templateSendQuestions } from './templates.ts'

/** A question for each entry of the register. */
const questions: { readonly [Name in AssumptionName]: Question<NonNullable<WrittenChoices[Name]>> } = {
  ...accessQuestions,
  ...retryQuestions,
  ...requestQuestions,
  ...answerQuestions,
  ...listQuestions,
  ...conversationQuestions,
  ...contactQuestions,
  ...messageQuestions,
  ...mergeFieldQuestions,
  ...bulkQuestions,
  ...templateQuestions,
  ...templateSendQuestions,
  ...recordQuestions,
}

export const probeFor = (name: AssumptionName) => probeOf<string>(questions[name])

/** The readers of the questions that have one. */
export const readers: ReadonlyMap<AssumptionName, Reader<string>> = new Map(
  assumptionNames.flatMap((name) => {
    const reader = readerOf<string>(questions[name])
    return reader ? [[name, reader] as const] : []
  }),
)

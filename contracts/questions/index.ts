import type { AssumptionName } from '../../spec/assumptions.ts'
import type { Probe } from './probe.ts'
import { accessProbes } from './access.ts'
import { bulkProbes } from './bulk.ts'
import { contactProbes } from './contacts.ts'
import { conversationProbes } from './conversations.ts'
import { listProbes } from './lists.ts'
import { mergeFieldProbes } from './merge-fields.ts'
import { messageProbes } from './messages.ts'
import { recordProbes } from './records.ts'
import { answerProbes, requestProbes } from './requests.ts'
import { retryProbes } from './retries.ts'
import { templateProbes, templateSendProbes } from './templates.ts'

/** A probe for every entry of the register that can be switched. */
export const probes: { readonly [Name in AssumptionName]: Probe<Name> } = {
  ...accessProbes,
  ...retryProbes,
  ...requestProbes,
  ...answerProbes,
  ...listProbes,
  ...conversationProbes,
  ...contactProbes,
  ...messageProbes,
  ...mergeFieldProbes,
  ...bulkProbes,
  ...templateProbes,
  ...templateSendProbes,
  ...recordProbes,
}

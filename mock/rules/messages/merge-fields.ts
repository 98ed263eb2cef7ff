import type { MessageRecord } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Transaction } from '../../core/transaction.ts'
import { fillPlaceholders, hasPlaceholder } from '../placeholders.ts'

type Contact = Schemas['Contact']

/** The text that a message shows and, when it has merge fields, the text that was sent. */
type RenderedText = Pick<MessageRecord, 'content' | 'unfilled'>

/**
 * promise message.mergeFieldsAreTaken: content with a merge field in it is accepted, in live chat and bulk sends. The
 * specification does not say whether the message then shows its value.
 */
export function renderText(text: string, contact: Contact, tx: Transaction): RenderedText {
  if (!hasPlaceholder(text)) return { content: text }
  const content = mergeFields[tx.assumed.mergeFields](() => fillMergeFields(text, contact, tx), text)
  return { content, unfilled: text }
}

type Choose = (fill: () => string, unfilled: string) => string

export const mergeFields: ByChoice<'mergeFields', Choose> = {
  rendered: (fill) => fill(),
  raw: (_fill, unfilled) => unfilled,
}

/** The specification does not say whether single e-mails, SMS and WhatsApp messages have merge fields. */
export function renderTextElsewhere(text: string, contact: Contact, tx: Transaction): RenderedText {
  if (!hasPlaceholder(text)) return { content: text }
  const render = () => renderText(text, contact, tx)
  return mergeFieldsElsewhere[tx.assumed.mergeFieldsElsewhere](render, { content: text })
}

const mergeFieldsElsewhere: ByChoice<'mergeFieldsElsewhere', <R>(render: () => R, asSent: R) => R> = {
  rendered: (render) => render(),
  leftAsIs: (_render, asSent) => asSent,
}

/** For the subject and the preheader of a bulk send. */
export function renderSubject(subject: string, contact: Contact, tx: Transaction): string {
  if (!hasPlaceholder(subject)) return subject
  return mergeFieldsInSubject[tx.assumed.mergeFieldsInSubject](() => fillMergeFields(subject, contact, tx), subject)
}

const mergeFieldsInSubject: ByChoice<'mergeFieldsInSubject', Choose> = {
  rendered: (fill) => fill(),
  raw: (_fill, unfilled) => unfilled,
}

/** For the subject of a single e-mail. */
export function renderSubjectElsewhere(subject: string, contact: Contact, tx: Transaction): string {
  if (!hasPlaceholder(subject)) return subject
  return mergeFieldsElsewhere[tx.assumed.mergeFieldsElsewhere](() => renderSubject(subject, contact, tx), subject)
}

interface WithParameters {
  readonly headerParameters?: readonly Parameter[]
  readonly bodyParameters?: readonly Parameter[]
}

type Parameter = Schemas['TemplateParameter']

/** The text of a template with its parameters, which may contain merge fields. */
export function renderParameters(
  text: string,
  { bodyParameters = [] }: WithParameters,
  contact: Contact,
  tx: Transaction,
) {
  if (!bodyParameters.some((parameter) => hasPlaceholder(parameter.text ?? ''))) return text
  return mergeFieldsInParameters[tx.assumed.mergeFieldsInParameters](() => fillMergeFields(text, contact, tx), text)
}

const mergeFieldsInParameters: ByChoice<'mergeFieldsInParameters', Choose> = {
  rendered: (fill) => fill(),
  raw: (_fill, unfilled) => unfilled,
}

function fillMergeFields(text: string, contact: Contact, { assumed }: Transaction): string {
  return fillPlaceholders(text, (placeholder) => {
    const path = placeholder.trim()
    const hasPrefix = path.startsWith(prefix)
    const value = valueAt(contact, hasPrefix ? path.slice(prefix.length) : path)
    const isKnown = value !== undefined && mergeFieldPaths[assumed.mergeFieldPaths](hasPrefix)
    return isKnown ? value : unknownMergeField[assumed.unknownMergeField]
  })
}

const prefix = 'contact.'

const mergeFieldPaths: ByChoice<'mergeFieldPaths', (hasPrefix: boolean) => boolean> = {
  both: () => true,
  contactDotField: (hasPrefix) => hasPrefix,
  bareField: (hasPrefix) => !hasPrefix,
}

const unknownMergeField: ByChoice<'unknownMergeField', string | undefined> = { leftAsIs: undefined, empty: '' }

/** An allow-list, so that neither ids nor inherited properties can be read. */
const mergeableFields = ['firstName', 'lastName', 'email', 'phone', 'status', 'source', 'lifecycleStage'] as const

const customPrefix = 'additionalFields.'

function valueAt(contact: Contact, path: string): string | undefined {
  const field = mergeableFields.find((known) => known === path)
  if (field !== undefined) return contact[field]
  const { additionalFields = {} } = contact
  const key = path.startsWith(customPrefix) ? path.slice(customPrefix.length) : ''
  const value = Object.hasOwn(additionalFields, key) ? additionalFields[key] : undefined
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

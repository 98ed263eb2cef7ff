import type { MessageRecord } from '../../../fixtures/records.ts'
import type { Assumed } from '../../../spec/assumed.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Transaction } from '../../core/transaction.ts'

type Contact = Schemas['Contact']

/** The text that a message shows and, when it has merge fields, the text that was sent. */
type RenderedText = Pick<MessageRecord, 'content' | 'unfilled'>

/**
 * promise message.mergeFieldsAreTaken: content with a merge field in it is accepted, in live chat and bulk sends. The
 * specification does not say whether the message then shows its value.
 */
export function renderText(text: string, contact: Contact, tx: Transaction): RenderedText {
  if (!hasPlaceholder(text)) return { content: text }
  return { content: tx.assumed.mergeFields === 'rendered' ? fillMergeFields(text, contact, tx) : text, unfilled: text }
}

/** The specification does not say whether single e-mails, SMS and WhatsApp messages have merge fields. */
export function renderTextElsewhere(text: string, contact: Contact, tx: Transaction): RenderedText {
  if (!hasPlaceholder(text) || tx.assumed.mergeFieldsElsewhere === 'leftAsIs') return { content: text }
  return renderText(text, contact, tx)
}

/** For the subject and the preheader of a bulk send. */
export function renderSubject(subject: string, contact: Contact, tx: Transaction): string {
  if (!hasPlaceholder(subject) || tx.assumed.mergeFieldsInSubject === 'raw') return subject
  return fillMergeFields(subject, contact, tx)
}

/** For the subject of a single e-mail. */
export function renderSubjectElsewhere(subject: string, contact: Contact, tx: Transaction): string {
  if (!hasPlaceholder(subject) || tx.assumed.mergeFieldsElsewhere === 'leftAsIs') return subject
  return renderSubject(subject, contact, tx)
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
  const hasMergeFields = bodyParameters.some((parameter) => hasPlaceholder(parameter.text ?? ''))
  return hasMergeFields ? fillMergeFields(text, contact, tx) : text
}

function fillMergeFields(text: string, contact: Contact, { assumed }: Transaction): string {
  return fillPlaceholders(text, (placeholder) => {
    const path = readPath(placeholder)
    const value = valueAt(contact, path.name)
    if (value !== undefined && isAccepted(path, assumed)) return value
    return assumed.unknownMergeField === 'empty' ? '' : undefined
  })
}

/** Marks a response before the text is rendered, for contacts that are not known yet. */
export function relyOnMergeFields(
  decider: 'mergeFields' | 'mergeFieldsInSubject',
  text: string,
  { assumed }: Transaction,
): void {
  if (hasPlaceholder(text) && assumed[decider] === 'rendered') relyOnPaths(text, assumed)
}

/** Also before the custom fields of the contact have been read. */
export function relyOnPaths(text: string, assumed: Assumed): void {
  for (const placeholder of pathsIn(text)) {
    const path = readPath(placeholder)
    const isFilled = mergeableFields.some((known) => known === path.name) && isAccepted(path, assumed)
    if (!isFilled) assumed.relyOn('unknownMergeField')
  }
}

const prefix = 'contact.'

interface Path {
  readonly name: string
  readonly hasPrefix: boolean
}

function readPath(placeholder: string): Path {
  const path = placeholder.trim()
  const hasPrefix = path.startsWith(prefix)
  return { name: hasPrefix ? path.slice(prefix.length) : path, hasPrefix }
}

function isAccepted({ hasPrefix }: Path, assumed: Assumed): boolean {
  const form = assumed.mergeFieldPaths
  return form === 'both' || form === (hasPrefix ? 'contactDotField' : 'bareField')
}

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

/** How many characters the values may add to one text in all: a short bulk send can name a long value many times. */
const maxAdded = 64 * 1024

/**
 * Replaces `{{path}}` by its value. A path without a value stays as it is, and so does the rest of the text once the
 * values get too long. Values are not scanned again. One linear pass: an expression such as `{{(.*?)}}` takes seconds on
 * a long row of braces.
 */
export function fillPlaceholders(text: string, valueAt: (path: string) => string | undefined): string {
  const pieces = text.split('}}')
  const rest = pieces.pop() ?? ''
  const values = new Map<string, string | undefined>()
  const knownValueAt = (path: string) => {
    if (!values.has(path)) values.set(path, valueAt(path))
    return values.get(path)
  }
  let added = 0
  const filled = pieces.map((piece) => {
    const opening = piece.lastIndexOf('{{')
    const value = opening < 0 ? undefined : knownValueAt(piece.slice(opening + 2))
    if (value === undefined || (added += value.length) > maxAdded) return `${piece}}}`
    return piece.slice(0, opening) + value
  })
  return filled.join('') + rest
}

/** The paths of all placeholders, as they are written. */
export function pathsIn(text: string): Set<string> {
  const paths = new Set<string>()
  fillPlaceholders(text, (path) => {
    paths.add(path)
    return undefined
  })
  return paths
}

export function hasPlaceholder(text: string): boolean {
  const opening = text.indexOf('{{')
  return opening >= 0 && text.includes('}}', opening + 2)
}

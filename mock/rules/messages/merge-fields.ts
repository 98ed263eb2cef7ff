import type { MessageRecord } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Turn } from '../../core/turn.ts'
import { filledIn, holdsFields } from './placeholders.ts'

type Contact = Schemas['Contact']

/** A text as a contact reads it, and as it was sent. */
export type Text = Pick<MessageRecord, 'content' | 'unfilled'>

/** promise message.mergeFieldsAreTaken: in chats and bulk sends `{{path}}` stands for something about the contact. */
export function mergedText(text: string, contact: Contact, turn: Turn): Text {
  if (!holdsFields(text)) return { content: text }
  return { content: mergeFields[turn.assumed.mergeFields](() => merged(text, contact, turn), text), unfilled: text }
}

type Choose = (filled: () => string, unfilled: string) => string

/** What the content of a message shows. */
export const mergeFields: ByChoice<'mergeFields', Choose> = {
  rendered: (filled) => filled(),
  raw: (_filled, unfilled) => unfilled,
}

/** The same in single e-mails, SMS and WhatsApp messages. */
export function mergedTextElsewhere(text: string, contact: Contact, turn: Turn): Text {
  if (!holdsFields(text)) return { content: text }
  return mergeFieldsElsewhere[turn.assumed.mergeFieldsElsewhere](() => mergedText(text, contact, turn), {
    content: text,
  })
}

const mergeFieldsElsewhere: ByChoice<'mergeFieldsElsewhere', <Merged>(merged: () => Merged, asIs: Merged) => Merged> = {
  rendered: (merged) => merged(),
  leftAsIs: (_merged, asIs) => asIs,
}

/** The subject, or the preheader, of a bulk send. */
export function mergedSubject(subject: string, contact: Contact, turn: Turn): string {
  if (!holdsFields(subject)) return subject
  return mergeFieldsInSubject[turn.assumed.mergeFieldsInSubject](() => merged(subject, contact, turn), subject)
}

const mergeFieldsInSubject: ByChoice<'mergeFieldsInSubject', Choose> = {
  rendered: (filled) => filled(),
  raw: (_filled, unfilled) => unfilled,
}

/** The subject of a single e-mail. */
export function mergedSubjectElsewhere(subject: string, contact: Contact, turn: Turn): string {
  if (!holdsFields(subject)) return subject
  return mergeFieldsElsewhere[turn.assumed.mergeFieldsElsewhere](() => mergedSubject(subject, contact, turn), subject)
}

function merged(text: string, contact: Contact, { assumed }: Turn): string {
  return filledIn(text, (path) => {
    const spelt = path.trim()
    const isDotted = spelt.startsWith(prefix)
    const value = valueOf(contact, isDotted ? spelt.slice(prefix.length) : spelt)
    const leadsSomewhere = value !== undefined && mergeFieldPaths[assumed.mergeFieldPaths](isDotted)
    return leadsSomewhere ? value : unknownMergeField[assumed.unknownMergeField]
  })
}

const prefix = 'contact.'

const mergeFieldPaths: ByChoice<'mergeFieldPaths', (isDotted: boolean) => boolean> = {
  both: () => true,
  contactDotField: (isDotted) => isDotted,
  bareField: (isDotted) => !isDotted,
}

const unknownMergeField: ByChoice<'unknownMergeField', string | undefined> = { leftAsIs: undefined, empty: '' }

/** Nothing else of a contact is to be had: neither its ids nor what an object brings along unasked. */
const fields = ['firstName', 'lastName', 'email', 'phone', 'status', 'source', 'lifecycleStage'] as const

const custom = 'additionalFields.'

function valueOf(contact: Contact, name: string): string | undefined {
  const field = fields.find((known) => known === name)
  if (field !== undefined) return contact[field]
  const { additionalFields = {} } = contact
  const key = name.startsWith(custom) ? name.slice(custom.length) : ''
  const value = Object.hasOwn(additionalFields, key) ? additionalFields[key] : undefined
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

import { expect } from 'vitest'
import { type CreatedKind, kinds, type Subject } from '../client/kinds.ts'
import type { Tools } from '../client/tools.ts'
import { operations } from '../../spec/operations.ts'

// Values to send, and matchers for the same values in an answer.

/** Beyond ASCII, with quotes and characters that HTML escapes, and longer than a short text. */
export const longText = `${'Zoë & Søren <3 "Ω", O’Brien\'s 日本 😀; '.repeat(6)}¿Ñandú?`

export const severalLines = 'Dear Ada,\nwe open at nine.\n\nYours, Grace'

/** The specification leaves open how a line break is written. */
export const withLineFeeds = (text: string | undefined) => text?.replaceAll(/\r\n?/g, '\n')

/** Beyond ASCII, with a letter that UTF-16 writes as two. */
export const unusualName = 'Zoë "Ω" O\'Brien & 日本 𠮷'

/** The second is longer than a database column often is. */
export const unusualNames = [unusualName, 'Augusta Ada King, Countess of Lovelace '.repeat(7).trim()]

/** The values of some fields; a field without a value does not compile. */
export function pick<Field extends string, Values extends Readonly<Record<Field, unknown>>>(
  fields: readonly Field[],
  values: Values,
): Pick<Values, Field> {
  return Object.fromEntries(fields.map((field) => [field, values[field]])) as Pick<Values, Field>
}

export const inAMonth = () => new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString()

const files = 'https://files.example.com/'

/** A picture that the operator named, or else one that does not exist. */
export const pictureUrl = ({ target }: Pick<Tools, 'target'>): string => target.mediaUrl ?? `${files}plan.png`

/** An attachment of a media type, with a file of that type. */
export function attachmentOf<Type extends string | number>(mediaType: Type, tools: Tools) {
  const [, extension, mimeType] =
    mediaTypes.find(([type]) => type === mediaType) ?? (['', 'pdf', 'application/pdf'] as const)
  const mediaUrl = mediaType === 'image' ? pictureUrl(tools) : `${files}plan.${extension}`
  return { fileName: `plan.${extension}`, fileSize: '12 KB', mimeType, mediaUrl, mediaType }
}

const mediaTypes = [
  ['image', 'png', 'image/png'],
  ['video', 'mp4', 'video/mp4'],
  ['audio', 'mp3', 'audio/mpeg'],
] as const

/** An attachment that the service can fetch, if the operator named one. */
export const anyAttachment = (tools: Tools) =>
  attachmentOf<'file' | 'image'>(tools.target.mediaUrl === undefined ? 'file' : 'image', tools)

/** Values for the optional fields of messages. */
export const optionalFields = (tools: Tools) => ({
  mediaUrl: pictureUrl(tools),
  mediaType: 'image',
  source: 'Contract',
  attachments: [anyAttachment(tools)],
})

/** Matches fields in an answer, where a phone number may have spaces and the like, or no plus. */
export function asShown<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [
      name,
      (name === 'phone' || name === 'phoneNumber') && typeof value === 'string' ? sameNumber(value) : value,
    ]),
  ) as Fields
}

const sameNumber = (phone: string): unknown =>
  expect.stringMatching(new RegExp(`^\\+?[\\s().-]*${(phone.match(/\d/g) ?? []).join('[\\s().-]*')}$`))

/** ISO 8601, at least to the minute. */
export const timestamp: unknown = expect.stringMatching(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?$/,
)

/** The precision of a time, in milliseconds. */
export function precisionOf(time: string): number {
  if (!/T\d\d:\d\d:\d\d/.test(time)) return 60_000
  return /[.,]\d/.test(time) ? 1 : 1000
}

/** Expects two answers to show the same time, each in its own precision, rounded or cut. */
export function expectSameTime(one: string, other: string): void {
  const precision = Math.max(precisionOf(one), precisionOf(other))
  const isSame = Math.abs(Date.parse(one) - Date.parse(other)) < precision
  expect(isSame ? other : one).toBe(other)
}

const found = new WeakMap<Tools['call'], Map<string, Promise<unknown>>>()

/** How long a check waits for another one, in milliseconds: that one may wait for a check to end, so that it may run on. */
const longestWait = 3000

/** Asks once, and returns the same value to all checks of a run. */
export async function oncePerRun<Value>({ call }: Tools, name: string, ask: () => Promise<Value>): Promise<Value> {
  const known = found.get(call) ?? new Map<string, Promise<unknown>>()
  found.set(call, known)
  const other = known.get(name) as Promise<Value> | undefined
  const late = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), longestWait).unref())
  const value = other && (await Promise.race([other, late()]))
  if (value !== undefined) return value
  const asked = ask()
  known.set(name, asked)
  asked.catch(() => known.delete(name))
  return asked
}

/** The fields that an update can change. Other fields may change by a read, if the read is an empty update. */
export async function readFields(tools: Tools, kind: CreatedKind, record: Subject): Promise<object | undefined> {
  const shown = await tools.readRecord(kind, record)
  const update = kind === 'template' ? 'updateTemplate' : kinds[kind].shownBy
  const documented = operations[update].body('application/json')?.listed(shown)
  return shown && Object.fromEntries(Object.entries(shown).filter(([field]) => documented?.has(field)))
}

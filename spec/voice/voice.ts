import type { OperationId } from '../types.ts'
import type { RecordName } from './records.ts'

/**
 * How a server speaks where nothing is promised and no entry of the register lists it. A profile holds it under
 * `voice`. A text may have placeholders such as `{field}`, `{id}` or `{email}`; a text whose placeholders cannot be filled
 * is not used.
 */
export interface Voice {
  /** The message by operation and status. */
  readonly messages?: Readonly<Partial<Record<OperationId, Readonly<Record<string, string>>>>>
  /** The message about a field of the request. */
  readonly badField?: Readonly<Partial<Record<FaultOfField, string>>>
  readonly ids?: Readonly<Partial<Record<RecordName, IdForm>>>
  readonly times?: TimeForm
  /** What a record shows beside the fields of the specification. */
  readonly fields?: Readonly<Partial<Record<RecordName, FieldTypes>>>
  readonly meta?: FieldTypes
  /** Headers of a rate limit, and names of requests. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A required field is not there, a field is there that is not listed, or what a field holds is not taken. */
export const faultsOfField = ['missing', 'unlisted', 'wrong'] as const
export type FaultOfField = (typeof faultsOfField)[number]

/** What is the same for all ids of a kind: `con_{lowercase:16}`, `{uuid}`. */
export interface IdForm {
  readonly prefix: string
  readonly alphabet: IdAlphabet | 'uuid'
  readonly length: number
}

export const idAlphabets = {
  hex: '0123456789abcdef',
  digits: '0123456789',
  lowercase: '0123456789abcdefghijklmnopqrstuvwxyz',
  alphanumeric: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
} as const
export type IdAlphabet = keyof typeof idAlphabets

const writtenId = /^((?:[A-Za-z]{1,20}[_-])?)\{(?:(uuid)|(hex|digits|lowercase|alphanumeric):([1-9]|[1-5]\d|6[0-4]))\}$/

/** Reads `con_{lowercase:16}`; nothing for what is no form of ids. */
export function idFormOf(text: string): IdForm | undefined {
  const [all, prefix = '', uuid, alphabet, length] = writtenId.exec(text) ?? []
  if (all === undefined) return undefined
  return uuid === undefined
    ? { prefix, alphabet: alphabet as IdAlphabet, length: Number(length) }
    : { prefix, alphabet: 'uuid', length: 36 }
}

export const writeIdForm = ({ prefix, alphabet, length }: IdForm) =>
  `${prefix}{${alphabet === 'uuid' ? 'uuid' : `${alphabet}:${length}`}}`

export interface TimeForm {
  readonly precision: Precision
  /** `Z`, or such as `+02:00`. */
  readonly offset: string
}

export const precisions = ['minutes', 'seconds', 'milliseconds', 'microseconds', 'nanoseconds'] as const
export type Precision = (typeof precisions)[number]

export const offsetForm = /^(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/

export const fieldTypes = ['text', 'number', 'boolean', 'time', 'id', 'sameId', 'list', 'object', 'null'] as const
export type FieldType = (typeof fieldTypes)[number]
export type FieldTypes = Readonly<Record<string, FieldType>>

/** What stands for the value of a header that differs from answer to answer. */
export const countedHeaders = ['{remaining}', '{resetIn}', '{resetAt}'] as const

export const headerNames =
  /^(?:(?:x-)?rate-?limit(?:-(?:limit|remaining|reset|used))?|(?:x-)?(?:request|correlation|trace)-id)$/

/** Field names as a server may have them; none that means something to JavaScript. */
export const isFieldName = (name: string) =>
  /^[A-Za-z_$][\w$-]{0,59}$/.test(name) && !['__proto__', 'constructor', 'prototype'].includes(name)

/** A text of one line, not too long. */
export const isOneLine = (text: string) =>
  text.trim() !== '' && text.length <= longestText && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)

export const longestText = 300

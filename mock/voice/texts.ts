import type { Operation } from '../../spec/operations.ts'
import type { Voice } from '../../spec/voice/voice.ts'
import type { Because } from '../core/because.ts'
import type { AnyReply } from '../core/envelope.ts'
import type { Asked } from '../core/operation.ts'

/** The message of a success as a server words it; our own where it has none, or where it would break a promise. */
export function successText({ messages = {} }: Voice, reply: AnyReply, { id }: Operation, asked: Asked): string {
  const { message, status, data } = reply
  const text = messages[id]?.[status]
  if (text === undefined || breaksAPromise[id]?.(text, messages[id] ?? {})) return message
  const [count] = /\d+/.exec(message) ?? []
  return fill(text, [{ count }, idOf(asked, data), asked.body, asked.query, data]) ?? message
}

/** promise contact.deleteByEmailSaysHowMany, conversation.createAgainSaysSo. */
const breaksAPromise: Readonly<
  Partial<Record<string, (text: string, all: Readonly<Record<string, string>>) => boolean>>
> = {
  deleteContactsByEmail: (text) => !text.includes('{count}'),
  createConversation: (text, { 200: again, 201: created }) => again === created && text === again,
}

/** The message of a refusal; nothing where the specification shows the text, or the voice has none. */
export function refusalText({ messages = {}, badField = {} }: Voice, refused: Refused): string | undefined {
  const { operation, status, because, isGeneral, path } = refused
  const ofOperation = operation && messages[operation.id]?.[status]
  if (status === 404) return ofOperation === undefined ? undefined : fill(ofOperation, [idOf({ path }, undefined)])
  if (status !== 400) return undefined // promise error.unauthorizedText
  const { field } = because
  const ofField = isGeneral || because.fault === undefined || field === undefined ? undefined : badField[because.fault]
  const text = fill(ofField ?? '', [{ field }]) ?? (ofOperation === undefined ? undefined : fill(ofOperation, []))
  return text === undefined || text === '' || shownTexts.includes(text) ? undefined : text
}

export interface Refused {
  readonly status: number
  readonly operation: Operation | undefined
  readonly because: Because
  /** The message must not name the field. */
  readonly isGeneral: boolean
  readonly path: unknown
}

/** promise error.badRequestSaysWhy: these are the texts of other statuses. */
const shownTexts: readonly string[] = ['Unauthorized', 'Resource not found', 'Internal server error']

function idOf({ path }: { readonly path: unknown }, data: unknown): object {
  const [id = fieldOf(data, '_id')] = Object.values(path ?? {}) as unknown[]
  return { id }
}

/** The text with its placeholders filled from the first of these that has them; nothing when one cannot be. */
function fill(text: string, sources: readonly unknown[]): string | undefined {
  if (text === '') return undefined
  const valueOf = (name: string) => sources.map((source) => fieldOf(source, name)).find((one) => one !== undefined)
  const names = [...text.matchAll(placeholder)].map(([, name = '']) => name)
  if (names.some((name) => valueOf(name) === undefined)) return undefined
  return text.replaceAll(placeholder, (_, name: string) => String(valueOf(name)))
}

const placeholder = /\{([A-Za-z]\w{0,59})\}/g

function fieldOf(source: unknown, name: string): string | number | undefined {
  if (typeof source !== 'object' || source === null || !Object.hasOwn(source, name)) return undefined
  const value = (source as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

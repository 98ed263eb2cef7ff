import { hintHeader } from '../core/operation.ts'
import type { SeenRequest } from '../http/journal/seen.ts'

/** The reason of a refusal, such as `lastName is required (contact.createRequires, lastName)`, and its hint. */
export function refusalInWords({ why, answered: { headers, body } }: SeenRequest): string[] {
  const hint = headers[hintHeader]
  return [...(why ? [reasonOf(why, body)] : []), ...(hint === undefined ? [] : [`hint: ${hint}`])]
}

function reasonOf(why: NonNullable<SeenRequest['why']>, body: unknown): string {
  const { promise, assumption, choice = '', document, limit, field } = why
  const decider = promise ?? (assumption === undefined ? (document ?? limit) : `${assumption}=${choice}`)
  const message = (body as { message?: unknown } | null | undefined)?.message
  return `${typeof message === 'string' ? message : 'refused'} (${[decider, field].filter((word) => word !== undefined).join(', ')})`
}

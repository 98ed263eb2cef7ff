import { type Answer, idOf } from '../client/answer.ts'
import { makes, readOf } from '../client/kinds.ts'
import type { Input } from '../client/request.ts'
import type { StoryTools } from '../judge/story.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'

/** Texts that a server may change on their way. */
const texts = {
  plain: 'Ada',
  rich: `<p style="color: red">Dear <b class="name">Ada</b></p> Fish &amp; Chips &lt;3 "now" &#169; **Ada** _and_ \`Grace\` ~once~ Zoë 😀 日本 👩‍👩‍👧 Ada  and   Grace`,
  long: 'Augusta Ada King, Countess of Lovelace '.repeat(14).trim(),
} as const

/** Each write of a story has the next of them. */
export const textPairs = ['plain rich', 'rich long', 'long plain'] as const

export function textOf(pair: (typeof textPairs)[number], time: number): string {
  const names = pair.split(' ') as (keyof typeof texts)[]
  return texts[names[time % names.length] ?? 'plain']
}

/** The Idempotency-Key of a request. */
export const keys = ['none', 'new', 'repeated', 'ofAnotherTeam'] as const

export type KeyUse = (typeof keys)[number]

/** Sends a write with such a key: a repeated one twice, and one of another team there first, with the body of that team. */
export async function withKey<Id extends OperationId>(
  { attempt, mint }: StoryTools,
  use: KeyUse,
  operation: Id,
  input: Input,
  elsewhere?: Input,
): Promise<Answer<Id> | undefined> {
  if (use === 'none') return attempt(operation, { ...input, key: null })
  const key = mint.key()
  if (use === 'ofAnotherTeam' && elsewhere) {
    const caller = 'otherTeam'
    const id = idOf((await attempt(operation, { ...elsewhere, key, caller }))?.fields.data)
    const kind = operation.includes('Conversation') ? 'conversation' : makes[operation]?.kind
    if (id !== undefined && kind && operations[operation].effect !== 'send') {
      const [reading, input] = readOf(kind, id)
      await attempt(reading, { ...input, caller })
    }
  }
  const answer = await attempt(operation, { ...input, key })
  if (use === 'repeated') await attempt(operation, { ...input, key })
  return answer
}

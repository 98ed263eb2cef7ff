import { signal } from '@preact/signals'

// The id of the last message that this browser showed of each conversation, in localStorage.

type Seen = Readonly<Record<string, string>>

const nameOf = (team: string) => `crm-sandbox-seen-${team}`

const seen = signal<Readonly<Record<string, Seen>>>({})

/** By the id of the conversation. */
export const seenBy = (team: string): Seen => seen.value[team] ?? stored(team)

export function markSeen(team: string, conversationId: string, messageId: string): void {
  const before = stored(team)
  if (before[conversationId] === messageId && seen.value[team]) return
  const now = { ...before, [conversationId]: messageId }
  localStorage.setItem(nameOf(team), JSON.stringify(now))
  seen.value = { ...seen.value, [team]: now }
}

const stored = (team: string) => JSON.parse(localStorage.getItem(nameOf(team)) ?? '{}') as Seen

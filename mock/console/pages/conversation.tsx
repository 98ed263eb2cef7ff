import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { InboxConversation } from '../../testing/control-client.ts'
import { hrefOf } from '../address.ts'
import { useData } from '../data.ts'
import { Button } from '../ui/buttons.tsx'
import { Loaded } from '../ui/page.tsx'
import { firstText } from '../ui/values.tsx'
import { ContactCard } from './contact-card.tsx'
import { ThreadMessage } from './thread-message.tsx'
import { WriteMessage } from './write-message.tsx'

const pageLength = 50
/** The control plane sends no more at once. */
const longestThread = 1_000

/** The thread of one conversation, and its contact. */
export function Conversation({ team, id }: { readonly team: string; readonly id: string }) {
  const [limit, setLimit] = useState(pageLength)
  const conversation = useData(
    async (client) => ({
      ...(await client.conversation(team, id, { limit })),
      settings: await client.teams.get(team),
    }),
    [team, id, limit],
    'records',
  )
  const latest = conversation.value?.messages.at(-1)?._id
  useEffect(() => {
    if (latest !== undefined) markSeen(team, id, latest)
  }, [team, id, latest])
  return (
    <>
      <section class="conversation">
        <a class="back" href={hrefOf(team, 'inbox')}>
          All conversations
        </a>
        <Loaded data={conversation}>
          {({ contact, messages, total, settings }) => (
            <>
              <h2>
                <bdi>{nameOf(contact)}</bdi>
              </h2>
              <div class="thread" role="log" aria-label={`Messages with ${nameOf(contact)}`} tabIndex={0}>
                <div>
                  {total > messages.length && limit < longestThread ? (
                    <Button onPress={() => setLimit(Math.min(longestThread, limit + pageLength))}>
                      Earlier messages
                    </Button>
                  ) : null}
                  {messages.length === 0 ? <p class="empty">No message yet. Write the first one below.</p> : null}
                  {messages.map((message, at) => (
                    <div key={message._id}>
                      <DaySeparator at={message.createdAt} before={messages[at - 1]?.createdAt} />
                      <ThreadMessage
                        team={team}
                        message={message}
                        contactName={nameOf(contact)}
                        providers={settings.providers}
                      />
                    </div>
                  ))}
                </div>
              </div>
              <WriteMessage
                team={team}
                conversationId={id}
                contact={contact}
                latestChannel={messages.at(-1)?.channel}
                settings={settings}
              />
            </>
          )}
        </Loaded>
      </section>
      {conversation.value ? <ContactCard team={team} conversation={conversation.value} /> : null}
    </>
  )
}

function nameOf(contact: InboxConversation['contact']): string {
  if (!contact) return 'Deleted contact'
  const { firstName, lastName, email, phone } = contact
  return firstText(`${firstName} ${lastName}`.trim(), email, phone, 'No name')
}

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })
const dayOf = (at: string) => days.format(new Date(at))

/** The day of a message, unless the message before it has the same. */
function DaySeparator({ at, before }: { readonly at: string; readonly before: string | undefined }) {
  const day = dayOf(at)
  return before !== undefined && dayOf(before) === day ? null : <h3 class="day">{day}</h3>
}

// The id of the last message that this browser showed of each conversation, in localStorage.

type Seen = Readonly<Record<string, string>>

const nameOfSeen = (team: string) => `crm-sandbox-seen-${team}`

const seen = signal<Readonly<Record<string, Seen>>>({})

/** By the id of the conversation. */
export const seenBy = (team: string): Seen => seen.value[team] ?? storedSeen(team)

function markSeen(team: string, conversationId: string, messageId: string): void {
  const before = storedSeen(team)
  if (before[conversationId] === messageId && seen.value[team]) return
  const now = { ...before, [conversationId]: messageId }
  localStorage.setItem(nameOfSeen(team), JSON.stringify(now))
  seen.value = { ...seen.value, [team]: now }
}

const storedSeen = (team: string) => JSON.parse(localStorage.getItem(nameOfSeen(team)) ?? '{}') as Seen

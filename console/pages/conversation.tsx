import { useEffect, useState } from 'preact/hooks'
import type { InboxConversation } from '../../mock/control/client.ts'
import { sandbox } from '../session.ts'
import { firstText } from '../ui/first-text.ts'
import { Loaded } from '../ui/loaded.tsx'
import { useData } from '../use-data.ts'
import { ContactCard } from './contact-card.tsx'
import { markSeen } from './seen-messages.ts'
import { ThreadMessage } from './thread-message.tsx'
import { WriteMessage } from './write-message.tsx'

const pageLength = 50
/** The control plane sends no more at once. */
const longestThread = 1_000

/** The thread of one conversation, and its contact. */
export function Conversation({ team, id }: { readonly team: string; readonly id: string }) {
  const client = sandbox.value
  const [limit, setLimit] = useState(pageLength)
  const conversation = useData(
    async () => ({ ...(await client.conversation(team, id, { limit })), settings: await client.teams.get(team) }),
    [client, team, id, limit],
    { at: 'records' },
  )
  const latest = conversation.value?.messages.at(-1)?._id
  useEffect(() => {
    if (latest !== undefined) markSeen(team, id, latest)
  }, [team, id, latest])
  return (
    <>
      <section class="conversation">
        <a class="back" href={`/console/${encodeURIComponent(team)}/inbox`}>
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
                    <button
                      type="button"
                      onClick={() => {
                        setLimit(Math.min(longestThread, limit + pageLength))
                      }}
                    >
                      Earlier messages
                    </button>
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

import type { InboxItem } from '../../mock/control/client.ts'
import { firstText } from '../ui/first-text.ts'
import { moveFocus } from '../ui/move-focus.ts'
import { Time } from '../ui/time.tsx'
import { textOfHtml } from './email-frame.tsx'
import { seenBy } from './seen-messages.ts'

interface ConversationListProps {
  readonly team: string
  /** Of the conversation that is open. */
  readonly id: string | undefined
  readonly search: string
  readonly conversations: readonly InboxItem[]
}

/** Links to conversations. Arrow keys move from one to the next. */
export function ConversationList({ team, id, search, conversations }: ConversationListProps) {
  const seen = seenBy(team)
  if (conversations.length === 0)
    return (
      <p class="empty">
        {search === ''
          ? 'No conversation yet. Send a message through the API, or let a customer write; it appears here at once.'
          : 'No conversation has this text in its name, its addresses or its latest message.'}
      </p>
    )
  return (
    <ol
      onKeyDown={(event) => {
        moveFocus(event, 'a')
      }}
    >
      {conversations.map(({ conversationId, contact, latest }) => {
        const isUnread = latest !== undefined && latest.direction !== 'outgoing' && seen[conversationId] !== latest.id
        return (
          <li key={conversationId}>
            <a
              class={isUnread ? 'unread' : undefined}
              href={`/console/${encodeURIComponent(team)}/inbox/${encodeURIComponent(conversationId)}${search && `?search=${encodeURIComponent(search)}`}`}
              aria-current={conversationId === id ? 'true' : undefined}
            >
              <bdi class="name">
                {firstText(contact?.name, contact?.email, contact?.phone, contact ? 'No name' : 'Deleted contact')}
              </bdi>
              {isUnread ? <span class="hidden">, unread</span> : null}
              {latest === undefined ? (
                <small>No message yet</small>
              ) : (
                <>
                  <span class="clip">
                    {latest.direction === 'outgoing' ? 'Team: ' : ''}
                    <bdi>{latest.subject ?? textOfHtml(latest.content, latest.channel)}</bdi>
                  </span>
                  <small>
                    {latest.channel} · <Time at={latest.at} />
                  </small>
                </>
              )}
            </a>
          </li>
        )
      })}
    </ol>
  )
}

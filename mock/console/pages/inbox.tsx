import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { ControlBody, InboxItem } from '../../testing/control-client.ts'
import { hrefOf, useQuery } from '../address.ts'
import { useData } from '../data.ts'
import { sandbox } from '../session.ts'
import { ActionForm, type FormField } from '../ui/actions.tsx'
import { Button } from '../ui/buttons.tsx'
import { SearchBox } from '../ui/form.tsx'
import { Loaded, Page, type PageProps } from '../ui/page.tsx'
import { moveFocus } from '../ui/table.tsx'
import { firstText, Time } from '../ui/values.tsx'
import { Conversation, seenBy } from './conversation.tsx'
import { textOfHtml } from './email-frame.tsx'

const pageLength = 50
/** The control plane lists no more at once. */
const longestList = 1_000

/** The conversations of a team, and one of them. */
export function Inbox({ team, id }: PageProps) {
  const { search = '' } = useQuery().query
  const [limit, setLimit] = useState(pageLength)
  const list = useData(
    (client) => client.inbox(team, { limit, ...(search !== '' && { search }) }),
    [team, search, limit],
    'records',
  )
  return (
    <Page title="Inbox">
      <div class={id === undefined ? 'inbox' : 'inbox has-conversation'}>
        <section class="conversations" aria-label="Conversations" aria-busy={list.isOld}>
          <SearchBox name="search" label="Search in conversations" />
          <Loaded data={list}>
            {({ conversations, hasMore }) => (
              <>
                <ConversationList team={team} id={id} search={search} conversations={conversations} />
                {hasMore && limit < longestList ? (
                  <Button onPress={() => setLimit(Math.min(longestList, limit + pageLength))}>Show more</Button>
                ) : null}
                {hasMore && limit >= longestList ? (
                  <p class="empty">Search to find conversations that are older.</p>
                ) : null}
              </>
            )}
          </Loaded>
        </section>
        {id === undefined ? (
          <div>
            {list.value?.conversations.length === 0 ? null : (
              <p class="empty">Choose a conversation to read it, and to write in it.</p>
            )}
            <NewCustomer team={team} />
          </div>
        ) : (
          <Conversation key={id} team={team} id={id} />
        )}
      </div>
    </Page>
  )
}

const fieldsOfCustomer: readonly FormField[] = [
  { name: 'channel', label: 'Channel', choices: ['chat', 'email', 'sms', 'whatsapp'] },
  {
    name: 'from',
    label: 'Address of the customer',
    hint: 'An e-mail address, or a phone number such as +14155550123. A new one makes a contact and a conversation.',
    required: true,
  },
  { name: 'content', label: 'What the customer writes', required: true },
]

function NewCustomer({ team }: { readonly team: string }) {
  const { route } = useLocation()
  return (
    <ActionForm
      title="Write as a new customer"
      columns={[fieldsOfCustomer]}
      action={(message) => ({
        title: 'Write the message',
        async run() {
          // The control plane checks the values of the form.
          const { conversationId } = await sandbox.value.incoming.add(team, message as unknown as IncomingMessage)
          route(hrefOf(team, 'inbox', conversationId))
        },
        done: 'The customer has written',
      })}
    />
  )
}

type IncomingMessage = ControlBody<'addIncoming'>

interface ConversationListProps {
  readonly team: string
  /** Of the conversation that is open. */
  readonly id: string | undefined
  readonly search: string
  readonly conversations: readonly InboxItem[]
}

/** Links to conversations. Arrow keys move from one to the next. */
function ConversationList({ team, id, search, conversations }: ConversationListProps) {
  const seen = seenBy(team)
  if (conversations.length === 0)
    return (
      <p class="empty">
        {search === ''
          ? 'No conversation yet. Send a message through the API, or write as a customer; it appears here at once.'
          : 'No conversation has this text in its name, its addresses or its latest message.'}
      </p>
    )
  return (
    <ol onKeyDown={(event) => moveFocus(event, 'a')}>
      {conversations.map(({ conversationId, contact, latest }) => {
        const isUnread = latest !== undefined && latest.direction !== 'outgoing' && seen[conversationId] !== latest.id
        return (
          <li key={conversationId}>
            <a
              class={isUnread ? 'unread' : undefined}
              href={hrefOf(team, 'inbox', conversationId) + (search && `?search=${encodeURIComponent(search)}`)}
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

import { useState } from 'preact/hooks'
import { useQuery } from '../query.ts'
import { sandbox } from '../session.ts'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { useData } from '../use-data.ts'
import { Conversation } from './conversation.tsx'
import { ConversationList } from './conversation-list.tsx'
import type { PageProps } from './page-props.ts'

const pageLength = 50
/** The control plane lists no more at once. */
const longestList = 1_000

/** The conversations of a team, and one of them. */
export function Inbox({ team, id }: PageProps) {
  const client = sandbox.value
  const { query, set } = useQuery()
  const { search = '' } = query
  const [limit, setLimit] = useState(pageLength)
  const list = useData(
    () => client.inbox(team, { limit, ...(search !== '' && { search }) }),
    [client, team, search, limit],
    { at: 'records' },
  )
  return (
    <Page title="Inbox">
      <div class={id === undefined ? 'inbox' : 'inbox has-conversation'}>
        <section class="conversations" aria-label="Conversations">
          <SearchBox
            label="Search in conversations"
            value={search}
            onSearch={(text) => {
              set({ search: text })
            }}
          />
          <Loaded data={list}>
            {({ conversations, hasMore }) => (
              <>
                <ConversationList team={team} id={id} search={search} conversations={conversations} />
                {hasMore && limit < longestList ? (
                  <button
                    type="button"
                    onClick={() => {
                      setLimit(Math.min(longestList, limit + pageLength))
                    }}
                  >
                    Show more
                  </button>
                ) : null}
                {hasMore && limit >= longestList ? (
                  <p class="empty">Search to find conversations that are older.</p>
                ) : null}
              </>
            )}
          </Loaded>
        </section>
        {id === undefined ? (
          <p class="empty">Choose a conversation to read it, and to write in it.</p>
        ) : (
          <Conversation key={id} team={team} id={id} />
        )}
      </div>
    </Page>
  )
}

import { useQuery } from '../query.ts'
import { sandbox } from '../session.ts'
import { Badge } from '../ui/badge.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { useData } from '../use-data.ts'
import { textOfHtml } from './email-frame.tsx'
import { OneOutboxItem } from './one-outbox-item.tsx'
import { OutboxActions, type OutboxItem, stateOf } from './outbox-actions.tsx'
import type { PageProps } from './page-props.ts'

type OutboxQuery = NonNullable<Parameters<typeof sandbox.value.outbox.list>[0]>

/** More rows would slow the page down. */
const mostShown = 200
/** The most that a bulk send shows of its recipients. */
const addressesShown = 3

/** What was sent and what waits, the latest first. */
export function Outbox({ team, id }: PageProps) {
  if (id !== undefined) return <OneOutboxItem team={team} id={id} />
  return <OutboxList team={team} />
}

function OutboxList({ team }: { readonly team: string }) {
  const { query, set } = useQuery()
  const { state, channel, to } = query
  const client = sandbox.value
  const outbox = useData(
    // The control plane checks the values of the address.
    () => client.outbox.list({ team, state, channel, to, limit: mostShown } as OutboxQuery),
    [client, team, state, channel, to],
    { at: 'records' },
  )
  const columns: readonly Column<OutboxItem>[] = [
    {
      title: 'To',
      show: ({ to, channel }) => (
        <>
          {addresses(to)}
          <br />
          <small>{channel}</small>
        </>
      ),
    },
    { title: 'State', show: (item) => <Badge>{stateOf(item)}</Badge> },
    {
      title: 'Content',
      show: ({ channel, subject, content }) => (
        <span class="clip">
          {`${subject === undefined ? '' : `${subject} · `}${textOfHtml(content.slice(0, 2_000), channel)}`.slice(
            0,
            300,
          )}
        </span>
      ),
    },
    { title: 'At', show: ({ at }) => <Time at={at} /> },
    { title: 'Do', show: (item) => <OutboxActions item={item} team={team} /> },
  ]
  const isFiltered = state !== undefined || channel !== undefined || to !== undefined
  return (
    <Page title="Outbox">
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
        }}
      >
        <SearchBox
          label="Phone number or e-mail address"
          value={to ?? ''}
          onSearch={(to) => {
            set({ to: to.trim() })
          }}
        />
        <select
          aria-label="State"
          value={state ?? ''}
          onChange={({ currentTarget: { value } }) => {
            set({ state: value })
          }}
        >
          <option value="">All states</option>
          {['sent', 'queued', 'scheduled', 'held'].map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <select
          aria-label="Channel"
          value={channel ?? ''}
          onChange={({ currentTarget: { value } }) => {
            set({ channel: value })
          }}
        >
          <option value="">All channels</option>
          {['chat', 'email', 'sms', 'whatsapp'].map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </form>
      <Loaded data={outbox}>
        {(items) => (
          <>
            <Table
              caption="Sent and waiting messages, the latest first"
              columns={columns}
              rows={items.toReversed()}
              keyOf={({ id, state }) => `${id} ${state}`}
              hrefOf={({ id }) => `/console/${encodeURIComponent(team)}/outbox/${encodeURIComponent(id)}`}
              empty={
                isFiltered
                  ? 'No message fits these filters. The address must be the whole one, such as +14155550123.'
                  : 'Nothing was sent yet. Send a message or a bulk message with the API; it appears here at once.'
              }
            />
            {items.length === mostShown ? (
              <p class="more">Only the latest {mostShown} are shown; filter for others.</p>
            ) : null}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function addresses(to: readonly string[]): string {
  const first = to.slice(0, addressesShown).map((address) => address.slice(0, 100))
  const others = to.length - first.length
  return `${first.join(', ')}${others > 0 ? ` and ${others.toLocaleString()} more` : ''}`
}

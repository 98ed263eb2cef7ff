import { hrefOf, useQuery } from '../address.ts'
import { useData } from '../data.ts'
import type { sandbox } from '../session.ts'
import { Filter, SearchBox } from '../ui/form.tsx'
import { Loaded, Page, type PageProps } from '../ui/page.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Badge, Time } from '../ui/values.tsx'
import { textOfHtml } from './email-frame.tsx'
import { OneOutboxItem, OutboxActions, type OutboxItem, stateOf } from './one-outbox-item.tsx'

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
  const { state, channel, to } = useQuery().query
  const outbox = useData(
    // The control plane checks the values of the address.
    (client) => client.outbox.list({ team, state, channel, to: to?.trim(), limit: mostShown } as OutboxQuery),
    [team, state, channel, to],
    'records',
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
      <div class="filters">
        <SearchBox name="to" label="Phone number or e-mail address" />
        <Filter name="state" label="State" all="All states" choices={['sent', 'queued', 'scheduled', 'held']} />
        <Filter name="channel" label="Channel" all="All channels" choices={['chat', 'email', 'sms', 'whatsapp']} />
      </div>
      <Loaded data={outbox}>
        {(items) => (
          <>
            <Table
              caption="Sent and waiting messages, the latest first"
              columns={columns}
              rows={items.toReversed()}
              keyOf={({ id, state }) => `${id} ${state}`}
              hrefOf={({ id }) => hrefOf(team, 'outbox', id)}
              empty={
                isFiltered
                  ? 'No message matches these filters. The address must be the whole one, such as +14155550123.'
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

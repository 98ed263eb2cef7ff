import type { ControlData } from '../../testing/control-client.ts'
import { hrefOf } from '../address.ts'
import { useData } from '../data.ts'
import { sandbox } from '../session.ts'
import { Button } from '../ui/buttons.tsx'
import { confirm } from '../ui/confirm.tsx'
import { act } from '../ui/notices.tsx'
import { Loaded, Page } from '../ui/page.tsx'
import { Badge, Item, Json, Time } from '../ui/values.tsx'
import { EmailFrame, isHtml } from './email-frame.tsx'

/** The control plane lists no more. */
const mostListed = 1000
const addressesShown = 100

/** One message of the outbox, with all that is known of it. */
export function OneOutboxItem({ team, id }: { readonly team: string; readonly id: string }) {
  const item = useData(
    async (client) => {
      const items = await client.outbox.list({ team, limit: mostListed })
      return { found: items.find((one) => one.id === id) }
    },
    [team, id],
    'records',
  )
  return (
    <Loaded data={item}>
      {({ found }) =>
        found ? (
          <Shown item={found} team={team} />
        ) : (
          <Page title="Outbox">
            <p class="empty">
              The message is not in the outbox: it was sent, dropped or deleted meanwhile.{' '}
              <a href={hrefOf(team, 'outbox')}>Show the outbox</a>
            </p>
          </Page>
        )
      }
    </Loaded>
  )
}

function Shown({ item, team }: { readonly item: OutboxItem; readonly team: string }) {
  const { channel, state, to, subject, content, conversationId, contactId, providerId, at } = item
  return (
    <Page title={`${channel} message`} actions={<OutboxActions item={item} team={team} />}>
      <dl class="fields">
        <Item title="State">
          <Badge>{stateOf(item)}</Badge>
        </Item>
        <Item title={state === 'sent' ? 'Sent at' : 'To be sent at'}>
          {at === undefined ? 'Not decided' : <Time at={at} />}
        </Item>
        <Item title="To" isList>
          {to.slice(0, addressesShown).map((address, index) => (
            <span key={`${index}`}>{address}</span>
          ))}
          {to.length > addressesShown ? `and ${(to.length - addressesShown).toLocaleString()} more` : ''}
        </Item>
        <Item title="Subject">{subject}</Item>
        <Item title="Provider">{providerId}</Item>
        <Item title="Conversation">
          {conversationId && <a href={hrefOf(team, 'inbox', conversationId)}>{conversationId}</a>}
        </Item>
        <Item title="Contact">{contactId && <a href={hrefOf(team, 'contacts', contactId)}>{contactId}</a>}</Item>
      </dl>
      <h2>Content</h2>
      {channel === 'email' && isHtml(content) ? (
        <>
          <EmailFrame html={content} subject={subject} />
          <details>
            <summary>HTML</summary>
            <Json value={content} />
          </details>
        </>
      ) : (
        <Json value={content} />
      )}
    </Page>
  )
}

export type OutboxItem = ControlData<'listOutbox'>[number]

/** The state, or of what was sent its status. */
export const stateOf = ({ state, status }: OutboxItem) => (state === 'sent' ? (status ?? state) : state)

const reports = [
  ['delivered', 'Delivered'],
  ['read', 'Read'],
  ['bounced', 'Bounced'],
] as const

interface DeliveryReportsProps {
  readonly team: string
  /** Of the message. */
  readonly id: string
  readonly status: string | undefined
}

/** Buttons that report the delivery of a sent message. */
export function DeliveryReports({ team, id, status }: DeliveryReportsProps) {
  const report = (as: (typeof reports)[number][0]) =>
    act(() => sandbox.value.outbox.report(team, id, { status: as }), `The message is reported as ${as}`)
  return (
    <div class="actions" role="group" aria-label="Report the message as">
      {reports.map(([as, words]) => (
        <Button key={as} class="small" disabled={status === as} onPress={() => report(as)}>
          {words}
        </Button>
      ))}
    </div>
  )
}

/** Buttons that send or drop a waiting message, or report the delivery of a sent message. */
export function OutboxActions({ item, team }: { readonly item: OutboxItem; readonly team: string }) {
  const { id, state, status, to, channel } = item
  const { outbox } = sandbox.value
  if (state === 'sent') return <DeliveryReports team={team} id={id} status={status} />
  const drop = async () => {
    const recipients = `${to.length.toLocaleString()} ${to.length === 1 ? 'recipient' : 'recipients'}`
    if (await confirm('Drop the message', `The ${channel} message to ${recipients} will never be sent.`))
      await act(() => outbox.drop(team, id), 'The message is dropped')
  }
  return (
    <div class="actions">
      <Button class="small" onPress={() => act(() => outbox.release(team, id), 'The message is sent')}>
        Send now
      </Button>
      <Button class="small danger" onPress={drop}>
        Drop
      </Button>
    </div>
  )
}

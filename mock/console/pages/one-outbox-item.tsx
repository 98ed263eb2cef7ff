import type { ControlData } from '../../testing/control-client.ts'
import { capitalize } from '../../../lib/text.ts'
import { hrefOf } from '../address.ts'
import { useData } from '../data.ts'
import { sandbox } from '../session.ts'
import { ActionButton } from '../ui/actions.tsx'
import { Loaded, Page } from '../ui/page.tsx'
import { Badge, Item, Json, Time } from '../ui/values.tsx'
import { EmailFrame, isHtml } from './email-frame.tsx'
import { RecordLink } from './records/record-link.tsx'

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
          {conversationId && <a href={hrefOf(team, 'inbox', conversationId)}>Open in the inbox</a>}
        </Item>
        <Item title="Contact">{contactId && <RecordLink team={team} kind="contacts" id={contactId} />}</Item>
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

/** The state; of a sent message, its status. */
export const stateOf = ({ state, status }: OutboxItem) => (state === 'sent' ? (status ?? state) : state)

const reports = ['delivered', 'read', 'bounced'] as const

interface DeliveryReportsProps {
  readonly team: string
  /** Of the message. */
  readonly id: string
  readonly status: string | undefined
}

/** Buttons that report the delivery of a sent message. */
export function DeliveryReports({ team, id, status }: DeliveryReportsProps) {
  return (
    <div class="actions" role="group" aria-label="Report the message as">
      {reports.map((as) => (
        <ActionButton
          key={as}
          title={capitalize(as)}
          disabled={status === as}
          run={() => sandbox.value.outbox.report(team, id, { status: as })}
          done={`The message is reported as ${as}`}
        />
      ))}
    </div>
  )
}

/** Buttons that send or drop a waiting message, or report the delivery of a sent message. */
export function OutboxActions({ item, team }: { readonly item: OutboxItem; readonly team: string }) {
  const { id, state, status, to, channel } = item
  const { outbox } = sandbox.value
  if (state === 'sent') return <DeliveryReports team={team} id={id} status={status} />
  const recipients = `${to.length.toLocaleString()} ${to.length === 1 ? 'recipient' : 'recipients'}`
  return (
    <div class="actions">
      <ActionButton title="Send now" run={() => outbox.release(team, id)} done="The message is sent" />
      <ActionButton
        title="Drop"
        asks="Drop the message"
        loses={`The ${channel} message to ${recipients} will never be sent.`}
        run={() => outbox.drop(team, id)}
        done="The message is dropped"
      />
    </div>
  )
}

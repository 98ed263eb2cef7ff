import { sandbox } from '../session.ts'
import { Badge } from '../ui/badge.tsx'
import { Json } from '../ui/json.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { useData } from '../use-data.ts'
import { EmailFrame, isHtml } from './email-frame.tsx'
import { OutboxActions, type OutboxItem, stateOf } from './outbox-actions.tsx'

/** The control plane lists no more. */
const mostListed = 1000
const addressesShown = 100

/** One message of the outbox, with all that is known of it. */
export function OneOutboxItem({ team, id }: { readonly team: string; readonly id: string }) {
  const client = sandbox.value
  const item = useData(
    async () => {
      const items = await client.outbox.list({ team, limit: mostListed })
      return { found: items.find((one) => one.id === id) }
    },
    [client, team, id],
    { at: 'records' },
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
              <a href={`/console/${encodeURIComponent(team)}/outbox`}>Show the outbox</a>
            </p>
          </Page>
        )
      }
    </Loaded>
  )
}

function Shown({ item, team }: { readonly item: OutboxItem; readonly team: string }) {
  const { channel, state, to, subject, content, conversationId, contactId, providerId, at } = item
  const teamAt = `/console/${encodeURIComponent(team)}`
  return (
    <Page title={`${channel} message`} actions={<OutboxActions item={item} team={team} />}>
      <dl class="fields">
        <div>
          <dt>State</dt>
          <dd>
            <Badge>{stateOf(item)}</Badge>
          </dd>
        </div>
        <div>
          <dt>{state === 'sent' ? 'Sent at' : 'To be sent at'}</dt>
          <dd>{at === undefined ? 'Not decided' : <Time at={at} />}</dd>
        </div>
        <div>
          <dt>To</dt>
          <dd class="list">
            {to.slice(0, addressesShown).map((address, index) => (
              <span key={`${index}`}>{address}</span>
            ))}
            {to.length > addressesShown ? `and ${(to.length - addressesShown).toLocaleString()} more` : ''}
          </dd>
        </div>
        {subject === undefined ? null : (
          <div>
            <dt>Subject</dt>
            <dd>{subject}</dd>
          </div>
        )}
        {providerId === undefined ? null : (
          <div>
            <dt>Provider</dt>
            <dd>{providerId}</dd>
          </div>
        )}
        {conversationId === undefined ? null : (
          <div>
            <dt>Conversation</dt>
            <dd>
              <a href={`${teamAt}/inbox/${encodeURIComponent(conversationId)}`}>{conversationId}</a>
            </dd>
          </div>
        )}
        {contactId === undefined ? null : (
          <div>
            <dt>Contact</dt>
            <dd>
              <a href={`${teamAt}/contacts/${encodeURIComponent(contactId)}`}>{contactId}</a>
            </dd>
          </div>
        )}
      </dl>
      <h2>Content</h2>
      {channel === 'email' && isHtml(content) ? (
        <>
          <EmailFrame html={content} title={`E-mail: ${(subject ?? 'without a subject').slice(0, 100)}`} />
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

import type { InboxConversation } from '../../testing/control-client.ts'
import { Badge, cutText, firstText, Time } from '../ui/values.tsx'
import { EmailFrame, isHtml } from './email-frame.tsx'
import { DeliveryReports } from './one-outbox-item.tsx'

interface ThreadMessageProps {
  readonly team: string
  readonly message: InboxConversation['messages'][number]
  readonly contactName: string
  readonly providers: readonly { readonly id: string; readonly address: string }[]
}

/** In characters. */
const longest = 10_000

/** One message: of the customer on the left, of the team on the right. */
export function ThreadMessage({ team, message, contactName, providers }: ThreadMessageProps) {
  const { _id: id, channel, direction, content, subject, status, createdAt, failure } = message
  const isOutgoing = direction === 'outgoing'
  const { providerId } = message as { readonly providerId?: string }
  const sender = isOutgoing
    ? (providers.find((one) => one.id === providerId)?.address ?? providerId ?? 'Team')
    : contactName
  return (
    <article class={isOutgoing ? 'message outgoing' : 'message'}>
      <header>
        <bdi class="name">{sender}</bdi>{' '}
        <small>
          {channel} · <Time at={createdAt} />
        </small>
      </header>
      {subject === undefined ? null : (
        <h4>
          <bdi>{subject}</bdi>
        </h4>
      )}
      {channel === 'email' && isHtml(content) ? (
        <EmailFrame html={content} subject={subject} />
      ) : (
        <p class="words" dir="auto">
          {cutText(content, longest)}
        </p>
      )}
      <Media message={message} />
      {isOutgoing ? (
        <details class="report">
          <summary title="Report it as delivered, read or bounced">
            <Badge>{status}</Badge>
            {failure === undefined ? null : <small> {failures[failure]}</small>}
          </summary>
          <DeliveryReports team={team} id={id} status={status} />
        </details>
      ) : (
        <Badge>{status}</Badge>
      )}
    </article>
  )
}

const failures = {
  outsideSession: 'The customer has not written by WhatsApp within a day.',
  noSuchNumber: 'There is no such number.',
}

interface Attached {
  readonly mediaUrl?: string | null
  readonly mediaType?: string | null
  readonly fileName?: string
  readonly mimeType?: string
}

/** Media and attachments by name and type. They are never loaded. */
function Media({ message }: { readonly message: object }) {
  const { mediaUrl, mediaType, attachments } = message as Attached & { readonly attachments?: unknown }
  const files: readonly Attached[] = [
    ...(mediaUrl ? [{ mediaUrl, ...(mediaType && { mediaType }) }] : []),
    ...(Array.isArray(attachments) ? (attachments as Attached[]) : []),
  ]
  if (files.length === 0) return null
  return (
    <ul class="media">
      {files.slice(0, 20).map(({ fileName, mimeType, mediaType, mediaUrl }, at) => (
        <li key={at}>
          <bdi>{firstText(fileName, mediaUrl?.split(/[?#]/)[0]?.split('/').at(-1), 'file')}</bdi>{' '}
          <Badge>{firstText(mimeType, mediaType, 'file')}</Badge>
        </li>
      ))}
    </ul>
  )
}

import type { ControlData } from '../../mock/control/client.ts'
import { sandbox } from '../session.ts'
import { confirm } from '../ui/confirm.tsx'
import { act } from '../ui/notices.tsx'

export type OutboxItem = ControlData<'listOutbox'>[number]

/** The state, or of what was sent its status. */
export const stateOf = ({ state, status }: OutboxItem) => (state === 'sent' ? (status ?? state) : state)

const reports = [
  ['delivered', 'Delivered'],
  ['read', 'Read'],
  ['bounced', 'Bounced'],
] as const

/** Sends or drops a message that waits; reports what became of one that was sent. */
export function OutboxActions({ item, team }: { readonly item: OutboxItem; readonly team: string }) {
  const { id, state, status, to, channel } = item
  const { outbox } = sandbox.value
  if (state === 'sent')
    return (
      <div class="actions" role="group" aria-label="Report the message as">
        {reports.map(([report, words]) => (
          <button
            key={report}
            type="button"
            class="small"
            disabled={status === report}
            onClick={() =>
              void act(() => outbox.report(team, id, { status: report }), `The message is reported as ${report}`)
            }
          >
            {words}
          </button>
        ))}
      </div>
    )
  const drop = async () => {
    const recipients = `${to.length.toLocaleString()} ${to.length === 1 ? 'recipient' : 'recipients'}`
    if (await confirm('Drop the message', `The ${channel} message to ${recipients} will never be sent.`))
      await act(() => outbox.drop(team, id), 'The message is dropped')
  }
  return (
    <div class="actions">
      <button
        type="button"
        class="small"
        onClick={() => void act(() => outbox.release(team, id), 'The message is sent')}
      >
        Send now
      </button>
      <button type="button" class="small danger" onClick={() => void drop()}>
        Drop
      </button>
    </div>
  )
}

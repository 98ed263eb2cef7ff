import { useState } from 'preact/hooks'
import { sandbox } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Field } from '../../ui/field.tsx'
import { act } from '../../ui/notices.tsx'
import { type AnyRecord, textOf } from './kinds.ts'

/** The text of a template, and the decision of the messaging platform about it. */
export function TemplatePreview({ team, template }: { readonly team: string; readonly template: AnyRecord }) {
  const [reason, setReason] = useState('')
  const client = sandbox.value
  const id = textOf(template._id, Infinity)
  const approve = () => act(() => client.templates.approve(id, { teamId: team }), 'Approved the template')
  const reject = () =>
    act(() => client.templates.reject(id, { teamId: team, ...(reason !== '' && { reason }) }), 'Rejected the template')
  return (
    <section class="card document" aria-label="Preview">
      <header>
        <h2>{textOf(template.subject, 200) || 'Preview'}</h2>
        <Badge>{textOf(template.status, 40)}</Badge>
      </header>
      <p>{textOf(template.content, 5_000) || 'It has no content.'}</p>
      {template.rejectionReason === undefined ? null : (
        <p class="error">Rejected because: {textOf(template.rejectionReason, 1_000)}</p>
      )}
      {template.templateType === 'whatsapp' ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void reject()
          }}
        >
          <Field label="Reason of a rejection">
            <input
              value={reason}
              autocomplete="off"
              onInput={({ currentTarget }) => {
                setReason(currentTarget.value)
              }}
            />
          </Field>
          <div class="actions">
            <button type="button" class="primary" onClick={() => void approve()}>
              Approve
            </button>
            <button type="submit" class="danger">
              Reject
            </button>
          </div>
        </form>
      ) : null}
    </section>
  )
}

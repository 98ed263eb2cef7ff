import { hrefOf } from '../../address.ts'
import { sandbox } from '../../session.ts'
import { Button } from '../../ui/buttons.tsx'
import { Field, type FilledIn, Form } from '../../ui/form.tsx'
import { act } from '../../ui/notices.tsx'
import { Badge, Time } from '../../ui/values.tsx'
import { amountOf, type AnyRecord, textOf, titleOf, wordsOf } from './kinds.ts'
import { useRecord } from './record-link.tsx'

const parts = ['commentsToBuyer', 'terms', 'purchaseTerms', 'notes']

/** A quote as its buyer would read it, with the amount of its deal. */
export function QuoteDocument({ team, quote }: { readonly team: string; readonly quote: AnyRecord }) {
  const dealId = textOf(quote.dealId)
  const { value: deal } = useRecord(team, 'deals', dealId, 'records')
  return (
    <section class="card document" aria-label="The quote as a document">
      <header>
        <h2>{titleOf(quote)}</h2>
        <Badge>{textOf(quote.status, 40)}</Badge>
      </header>
      {deal ? (
        <p class="total">
          <a href={hrefOf(team, 'deals', dealId)}>{titleOf(deal)}</a>
          <strong>{amountOf(deal)}</strong>
        </p>
      ) : null}
      {parts.map((field) =>
        textOf(quote[field]) === '' ? null : (
          <section key={field}>
            <h3>{wordsOf(field).title}</h3>
            <p>{textOf(quote[field], 5_000)}</p>
          </section>
        ),
      )}
      <footer>
        <span>
          Expires:{' '}
          {typeof quote.expirationDate === 'string' ? <Time at={quote.expirationDate.slice(0, 40)} /> : 'never'}
        </span>
        <span>Signature: {quote.signatureOption === 'written-signature' ? 'in writing' : 'none'}</span>
        <span>Online payment: {quote.acceptOnlinePayment === true ? 'accepted' : 'not accepted'}</span>
      </footer>
    </section>
  )
}

/** The text of a template, and the decision of the messaging platform about it. */
export function TemplatePreview({ team, template }: { readonly team: string; readonly template: AnyRecord }) {
  const { templates } = sandbox.value
  const id = textOf(template._id, Infinity)
  const approve = () => act(() => templates.approve(id, { teamId: team }), 'Approved the template')
  const reject = (fields: FilledIn) =>
    act(() => templates.reject(id, { teamId: team, ...fields }), 'Rejected the template')
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
        <Form onSubmit={reject}>
          <Field label="Reason of a rejection">
            <input name="reason" autocomplete="off" />
          </Field>
          <div class="actions">
            <Button class="primary" onPress={approve}>
              Approve
            </Button>
            <button type="submit" class="danger">
              Reject
            </button>
          </div>
        </Form>
      ) : null}
    </section>
  )
}

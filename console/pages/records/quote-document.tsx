import { sandbox } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/time.tsx'
import { useData } from '../../use-data.ts'
import { type AnyRecord, hrefOf, textOf, titleOf } from './kinds.ts'

const parts = [
  ['commentsToBuyer', 'Comments to the buyer'],
  ['terms', 'Terms'],
  ['purchaseTerms', 'Purchase terms'],
  ['notes', 'Notes'],
] as const

/** A quote as its buyer would read it, with the amount of its deal. */
export function QuoteDocument({ team, quote }: { readonly team: string; readonly quote: AnyRecord }) {
  const client = sandbox.value
  const dealId = textOf(quote.dealId)
  const { value: deal } = useData(
    async () => (await client.records(team, 'deals', { where: { _id: dealId }, limit: 1 })).records[0],
    [client, team, dealId],
    { at: 'records' },
  )
  return (
    <section class="card document" aria-label="The quote as a document">
      <header>
        <h2>{titleOf(quote)}</h2>
        <Badge>{textOf(quote.status, 40)}</Badge>
      </header>
      {deal ? (
        <p class="total">
          <a href={hrefOf(team, 'deals', dealId)}>{titleOf(deal)}</a>
          <strong>
            {typeof deal.amount === 'number' ? deal.amount.toLocaleString() : '—'} {textOf(deal.currency, 10)}
          </strong>
        </p>
      ) : null}
      {parts.map(([field, title]) =>
        textOf(quote[field]) === '' ? null : (
          <section key={field}>
            <h3>{title}</h3>
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

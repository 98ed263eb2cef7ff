import type { ComponentChildren } from 'preact'
import type { InboxConversation } from '../../testing/control-client.ts'
import { hrefOf } from '../address.ts'
import { Badge, firstText, Item, Time } from '../ui/values.tsx'

export function ContactCard({
  team,
  conversation,
}: {
  readonly team: string
  readonly conversation: InboxConversation
}) {
  const { contact, companies, deals, quotes } = conversation
  if (!contact) return <aside class="contact" aria-label="Contact" />
  const { _id, firstName, lastName, email, phone, status, lifecycleStage, source, groupIds, createdAt } = contact
  const additional = Object.entries(contact.additionalFields ?? {}).slice(0, 20)
  return (
    <aside class="contact card" aria-label="Contact">
      <h2>
        <a href={hrefOf(team, 'contacts', _id)}>
          <bdi>{firstText(`${firstName} ${lastName}`.trim(), 'No name')}</bdi>
        </a>
      </h2>
      <dl class="fields">
        <Shown title="E-mail">{email}</Shown>
        <Shown title="Phone">{phone}</Shown>
        <Shown title="Status">{status && <Badge>{short(status)}</Badge>}</Shown>
        <Shown title="Stage">{lifecycleStage}</Shown>
        <Shown title="Source">{source}</Shown>
        <Shown title="Groups">{groupIds?.slice(0, 20).join(', ')}</Shown>
        {additional.map(([name, value]) => (
          <Shown key={name} title={name}>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Shown>
        ))}
        <Shown title="Created">
          <Time at={createdAt} />
        </Shown>
      </dl>
      <Related title="Company" page="companies" records={companies}>
        {({ name }) => short(name)}
      </Related>
      <Related title="Deals" page="deals" records={deals}>
        {({ name, stage, amount, currency }) => (
          <>
            {short(name)}{' '}
            <small>
              {short(stage)}
              {amount === undefined ? '' : `, ${amount.toLocaleString()} ${short(currency ?? '')}`}
            </small>
          </>
        )}
      </Related>
      <Related title="Quotes" page="quotes" records={quotes}>
        {({ name, status }) => (
          <>
            {short(name ?? 'Quote')} <Badge>{status}</Badge>
          </>
        )}
      </Related>
    </aside>
  )

  function Related<Record extends { readonly _id: string }>({
    title,
    page,
    records,
    children,
  }: {
    readonly title: string
    readonly page: string
    readonly records: readonly Record[]
    readonly children: (record: Record) => ComponentChildren
  }) {
    if (records.length === 0) return null
    return (
      <section>
        <h3>{title}</h3>
        <ul>
          {records.map((record) => (
            <li key={record._id}>
              <a href={hrefOf(team, page, record._id)}>
                <bdi>{children(record)}</bdi>
              </a>
            </li>
          ))}
        </ul>
      </section>
    )
  }
}

/** A field that has a value. */
function Shown({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  if (children === undefined || children === '') return null
  return (
    <Item title={short(title)}>
      <bdi>{typeof children === 'string' ? short(children) : children}</bdi>
    </Item>
  )
}

/** In characters. */
const longest = 200

const short = (text: string) => (text.length > longest ? `${text.slice(0, longest)} …` : text)

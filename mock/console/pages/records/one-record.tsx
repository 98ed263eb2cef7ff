import { useLocation } from 'preact-iso'
import { hrefOf, useQuery } from '../../address.ts'
import { useData } from '../../data.ts'
import { callAs } from '../../session.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { Button } from '../../ui/buttons.tsx'
import { act } from '../../ui/notices.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { Item, Json, Time } from '../../ui/values.tsx'
import { type AnyRecord, kinds, namesOf, textOf, titleOf } from './kinds.ts'
import { QuoteDocument, TemplatePreview } from './previews.tsx'
import { RecordForm } from './record-form.tsx'
import { type RecordPlace, useRecord } from './record-link.tsx'

/** One record: its fields, what it is related to, and its JSON. */
export function OneRecord({ team, kind, id }: RecordPlace) {
  const found = useRecord(team, kind, id, 'records')
  return (
    <Loaded data={found}>
      {(record) =>
        record === null ? (
          <p class="empty">
            There is no {namesOf(kind).one} {id.slice(0, 100)}, or it was deleted meanwhile.{' '}
            <a href={hrefOf(team, kind)}>Show all {kind}.</a>
          </p>
        ) : (
          <Shown team={team} kind={kind} id={id} record={record} />
        )
      }
    </Loaded>
  )
}

function Shown({ team, kind, id, record }: RecordPlace & { readonly record: AnyRecord }) {
  const { query, set } = useQuery()
  const { route } = useLocation()
  const { one, operation } = namesOf(kind)
  const title = titleOf(record)
  const update = async (body: AnyRecord) => {
    if (await act(() => callAs(team, operation('update'), id, body), `Saved the ${one}`)) set({ edit: '' })
  }
  const remove = async () => {
    await callAs(team, operation('delete'), id)
    route(hrefOf(team, kind))
  }
  return (
    <Page
      title={title}
      actions={
        <>
          <Button onPress={() => set({ edit: query.edit === undefined ? '1' : '' })}>Edit</Button>
          <ActionButton
            title="Delete"
            asks={`Delete the ${one} ${title}`}
            loses={kinds[kind].loses}
            run={remove}
            done={`Deleted the ${one}`}
          />
        </>
      }
    >
      {query.edit === undefined ? null : (
        <RecordForm
          operation={operation('update')}
          record={record}
          submit="Save"
          onSubmit={update}
          cancel={hrefOf(team, kind, id)}
        />
      )}
      {kind === 'quotes' ? <QuoteDocument team={team} quote={record} /> : null}
      {kind === 'templates' ? <TemplatePreview team={team} template={record} /> : null}
      <div class="columns">
        <section>
          <h2>Fields</h2>
          <dl class="fields">
            {Object.entries(record)
              .slice(0, mostFields)
              .map(([name, value]) => (
                <Item key={name} title={name.slice(0, 100)}>
                  {textOf(value) || '—'}
                </Item>
              ))}
          </dl>
        </section>
        <Relations team={team} kind={kind} record={record} />
      </div>
      <details>
        <summary>JSON</summary>
        <Json value={record} />
      </details>
    </Page>
  )
}

/** The JSON shows the others. */
const mostFields = 100

const mostShown = 20

/** The records that are related to this one, as links. */
function Relations({ team, kind, record }: Omit<RecordPlace, 'id'> & { readonly record: AnyRecord }) {
  const related = useData(
    (client) =>
      Promise.all(
        kinds[kind].relations(record).map(async ({ title, kind, where }) => ({
          title,
          on: kind === 'conversations' ? 'inbox' : kind,
          ...(await client.records(team, kind, { where, limit: mostShown })),
        })),
      ),
    [team, kind, record],
  )
  return (
    <section>
      <h2>Related</h2>
      <Loaded data={related}>
        {(groups) =>
          groups.every(({ total }) => total === 0) ? (
            <p class="empty">No other record is related to it.</p>
          ) : (
            <dl class="fields">
              {groups.map(({ title, on, total, records }, at) =>
                total === 0 ? null : (
                  <Item key={at} title={title} isList>
                    {records.map(({ _id, ...one }) => (
                      <a key={_id} href={hrefOf(team, on, _id)}>
                        {on === 'inbox' ? <Time at={textOf(one.createdAt)} /> : titleOf({ ...one, _id })}
                      </a>
                    ))}
                    {total > records.length ? (
                      <small>and {(total - records.length).toLocaleString()} more</small>
                    ) : null}
                  </Item>
                ),
              )}
            </dl>
          )
        }
      </Loaded>
      {kind === 'contacts' && related.value?.every(({ on, total }) => on !== 'inbox' || total === 0) ? (
        <StartConversation team={team} contact={record} />
      ) : null}
    </section>
  )
}

/** Starts the conversation of a contact with an address, and opens it. */
function StartConversation({ team, contact }: { readonly team: string; readonly contact: AnyRecord }) {
  const { route } = useLocation()
  const { email, phone } = contact
  const start = async () => {
    const { data } = await callAs(team, 'findOrCreateConversation', { email, phone })
    route(hrefOf(team, 'inbox', (data as { readonly _id: string })._id))
  }
  return email || phone ? (
    <ActionButton title="Start a conversation" run={start} done="The conversation is started" />
  ) : null
}

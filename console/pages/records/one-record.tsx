import { useLocation } from 'preact-iso'
import { useQuery } from '../../query.ts'
import { sandbox } from '../../session.ts'
import { confirm } from '../../ui/confirm.tsx'
import { Json } from '../../ui/json.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { act } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { useData } from '../../use-data.ts'
import { type AnyRecord, hrefOf, kinds, type RecordKind, textOf, titleOf } from './kinds.ts'
import { callAs } from './operations.ts'
import { QuoteDocument } from './quote-document.tsx'
import { RecordForm } from './record-form.tsx'
import { Relations } from './relations.tsx'
import { TemplatePreview } from './template-preview.tsx'

interface OneRecordProps {
  readonly team: string
  readonly kind: RecordKind
  readonly id: string
}

/** One record: its fields, what it is related to, and its JSON. */
export function OneRecord({ team, kind, id }: OneRecordProps) {
  const client = sandbox.value
  const found = useData(
    async () => (await client.records(team, kind, { where: { _id: id }, limit: 1 })).records[0] ?? null,
    [client, team, kind, id],
    { at: 'records' },
  )
  return (
    <Loaded data={found}>
      {(record) =>
        record === null ? (
          <p class="empty">
            There is no {kinds[kind].one} {id.slice(0, 100)}, or it was deleted meanwhile.{' '}
            <a href={hrefOf(team, kind)}>Show all {kinds[kind].title.toLowerCase()}.</a>
          </p>
        ) : (
          <Shown team={team} kind={kind} id={id} record={record} />
        )
      }
    </Loaded>
  )
}

function Shown({ team, kind, id, record }: OneRecordProps & { readonly record: AnyRecord }) {
  const { query, set } = useQuery()
  const { route } = useLocation()
  const { one, form, operations, loses } = kinds[kind]
  const title = titleOf(record)
  const update = async (body: AnyRecord) => {
    const whole = kind === 'templates' ? { templateType: record.templateType, ...body } : body
    if (await act(() => callAs(team, operations.update, id, whole), `Saved the ${one}`)) set({ edit: '' })
  }
  const remove = async () => {
    if (!(await confirm(`Delete the ${one} ${title}`, loses))) return
    if (await act(() => callAs(team, operations.remove, id), `Deleted the ${one}`)) route(hrefOf(team, kind))
  }
  return (
    <Page
      title={title}
      actions={
        <>
          <button
            type="button"
            onClick={() => {
              set({ edit: query.edit === undefined ? '1' : '' })
            }}
          >
            Edit
          </button>
          <button type="button" class="danger" onClick={() => void remove()}>
            Delete
          </button>
        </>
      }
    >
      {query.edit === undefined ? null : (
        <RecordForm
          fields={form}
          record={record}
          submit="Save"
          onSubmit={(body) => void update(body)}
          onCancel={() => {
            set({ edit: '' })
          }}
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
                <div key={name}>
                  <dt>{name.slice(0, 100)}</dt>
                  <dd>{textOf(value) || '—'}</dd>
                </div>
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

import { useLocation } from 'preact-iso'
import { hrefOf, useQuery } from '../../address.ts'
import { callAs } from '../../session.ts'
import { act } from '../../ui/notices.tsx'
import { Page, type PageProps } from '../../ui/page.tsx'
import { DealBoard } from './deal-board.tsx'
import { type KindWithPages, namesOf } from './kinds.ts'
import { OneRecord } from './one-record.tsx'
import { RecordForm } from './record-form.tsx'
import { RecordTable } from './record-table.tsx'

/** The pages of a kind: its table, a form for a new record, and each record. */
export const pagesOf = (kind: KindWithPages) =>
  function RecordPages({ team, id }: PageProps) {
    const { query } = useQuery()
    if (id !== undefined) return <OneRecord key={id} team={team} kind={kind} id={id} />
    if (query.create !== undefined) return <NewRecord team={team} kind={kind} />
    if (kind === 'deals' && query.view === 'board') return <DealBoard team={team} />
    return <RecordTable team={team} kind={kind} />
  }

/** Creates a record with the operation of the API, and opens it. */
function NewRecord({ team, kind }: { readonly team: string; readonly kind: KindWithPages }) {
  const { route } = useLocation()
  const { one, operation } = namesOf(kind)
  const create = (body: object) =>
    act(async () => {
      const { data } = await callAs(team, operation('create'), body)
      const id = typeof data === 'object' && data !== null && '_id' in data ? String(data._id) : ''
      route(hrefOf(team, kind, id))
    }, `Created the ${one}`)
  return (
    <Page title={`New ${one}`}>
      <RecordForm
        operation={operation('create')}
        submit={`Create the ${one}`}
        onSubmit={create}
        cancel={hrefOf(team, kind)}
      />
    </Page>
  )
}

import { useQuery } from '../../query.ts'
import type { PageProps } from '../page-props.ts'
import { DealBoard } from './deal-board.tsx'
import type { RecordKind } from './kinds.ts'
import { NewRecord } from './new-record.tsx'
import { OneRecord } from './one-record.tsx'
import { RecordTable } from './record-table.tsx'

/** The pages of a kind: its table, a form for a new record, and each record. */
export const pagesOf = (kind: RecordKind) =>
  function RecordPages({ team, id }: PageProps) {
    const { query } = useQuery()
    if (id !== undefined) return <OneRecord key={id} team={team} kind={kind} id={id} />
    if (query.create !== undefined) return <NewRecord team={team} kind={kind} />
    if (kind === 'deals' && query.view === 'board') return <DealBoard team={team} />
    return <RecordTable team={team} kind={kind} />
  }

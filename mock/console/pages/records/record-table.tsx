import { hrefOf, useQuery } from '../../address.ts'
import { useData } from '../../data.ts'
import { Button } from '../../ui/buttons.tsx'
import { SearchBox } from '../../ui/form.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Badge, Time } from '../../ui/values.tsx'
import { DealViews } from './deal-board.tsx'
import { type AnyRecord, kinds, type KindWithPages, namesOf, textOf, wordsOf } from './kinds.ts'
import { RecordLink } from './record-link.tsx'

const limit = 50

/** A page of the records of a kind. Its search, its order and its place are in the URL. */
export function RecordTable({ team, kind }: { readonly team: string; readonly kind: KindWithPages }) {
  const { query, set } = useQuery()
  const { search = '', sort = '-' } = query
  const page = Math.max(1, Number.parseInt(query.page ?? '1', 10) || 1)
  const { title, one, operation } = namesOf(kind)
  const found = useData(
    (client) =>
      client.records(team, kind, {
        page,
        limit,
        sort, // a minus alone: the newest first
        ...(search !== '' && { search }),
      }),
    [team, kind, search, sort, page],
    'records',
  )
  return (
    <Page
      title={title}
      actions={
        <a class="button primary" href={`${hrefOf(team, kind)}?create=1`}>
          Create a {one}
        </a>
      }
    >
      <div class="filters">
        <SearchBox name="search" label={`Search in ${title.toLowerCase()}`} />
        {kind === 'deals' ? <DealViews team={team} view="table" /> : null}
      </div>
      <Loaded data={found}>
        {({ total, records }) => (
          <div aria-busy={found.isOld}>
            <Table
              caption={title}
              columns={kinds[kind].columns.map((field) => columnOf(field, records, team))}
              rows={records}
              keyOf={({ _id }) => _id}
              hrefOf={({ _id }) => hrefOf(team, kind, _id)}
              sort={sort}
              onSort={(sort) => set({ sort, page: '' })}
              empty={
                search !== ''
                  ? 'No record contains these words. Search for others.'
                  : `There are no ${title.toLowerCase()} yet. Create one here or with ${operation('create')}, or load a world.`
              }
            />
            <Pager page={page} total={total} onPage={(page) => set({ page })} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const columnOf = (field: string, records: readonly AnyRecord[], team: string): Column<AnyRecord> => {
  const { title, as, kind } = wordsOf(field)
  return {
    title,
    sortBy: field,
    isNumber: records.some((record) => typeof record[field] === 'number'),
    show: ({ [field]: value }) => {
      if (as === 'status' && typeof value === 'string' && value !== '') return <Badge>{value.slice(0, 40)}</Badge>
      if (as === 'time' && typeof value === 'string') return <Time at={value.slice(0, 40)} />
      if (typeof value === 'number') return value.toLocaleString()
      if (kind && typeof value === 'string') return <RecordLink team={team} kind={kind} id={value} />
      return <span class="clip">{textOf(value) || '—'}</span>
    },
  }
}

interface PagerProps {
  readonly page: number
  readonly total: number
  readonly onPage: (page: number) => void
}

function Pager({ page, total, onPage }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / limit))
  if (total === 0) return null
  const first = (page - 1) * limit + 1
  return (
    <nav class="pager" aria-label="Pages of the list">
      <p role="status">
        {first.toLocaleString()} to {Math.min(page * limit, total).toLocaleString()} of {total.toLocaleString()}
      </p>
      <Button disabled={page <= 1} onPress={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button disabled={page >= last} onPress={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  )
}

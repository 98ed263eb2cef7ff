import { useQuery } from '../../query.ts'
import { sandbox } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useData } from '../../use-data.ts'
import { DealViews } from './deal-views.tsx'
import { type AnyRecord, hrefOf, kinds, type RecordKind, type ShownField, textOf } from './kinds.ts'

const limit = 50

/** A page of the records of a kind. Its search, its order and its place are in the URL. */
export function RecordTable({ team, kind }: { readonly team: string; readonly kind: RecordKind }) {
  const { query, set } = useQuery()
  const { search = '', sort } = query
  const page = Math.max(1, Number.parseInt(query.page ?? '1', 10) || 1)
  const client = sandbox.value
  const { title, one, columns } = kinds[kind]
  const found = useData(
    () =>
      client.records(team, kind, {
        page,
        limit,
        ...(search !== '' && { search }),
        ...(sort !== undefined && { sort }),
      }),
    [client, team, kind, search, sort, page],
    { at: 'records' },
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
        <SearchBox
          label={`Search in ${title.toLowerCase()}`}
          value={search}
          onSearch={(search) => {
            set({ search, page: '' })
          }}
        />
        {kind === 'deals' ? <DealViews team={team} view="table" /> : null}
      </div>
      <Loaded data={found}>
        {({ total, records }) => (
          <>
            <Table
              caption={title}
              columns={columns.map(columnOf)}
              rows={records}
              keyOf={({ _id }) => String(_id)}
              hrefOf={({ _id }) => hrefOf(team, kind, String(_id))}
              sort={sort}
              onSort={(sort) => {
                set({ sort, page: '' })
              }}
              empty={
                search !== ''
                  ? 'No record contains this text. Search for another one.'
                  : `There are no ${title.toLowerCase()} yet. Create one here or with ${kinds[kind].operations.create}, or load a world.`
              }
            />
            <Pager
              page={page}
              limit={limit}
              total={total}
              onPage={(page) => {
                set({ page })
              }}
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}

const columnOf = ({ field, title, as }: ShownField): Column<AnyRecord> => ({
  title,
  sortBy: field,
  isNumber: as === 'number',
  show: (record) => <Value value={record[field]} as={as} />,
})

/** A field as its kind is shown. */
export function Value({ value, as }: { readonly value: unknown; readonly as: ShownField['as'] }) {
  if (as === 'status' && typeof value === 'string' && value !== '') return <Badge>{value.slice(0, 40)}</Badge>
  if (as === 'time' && typeof value === 'string') return <Time at={value.slice(0, 40)} />
  if (as === 'number' && typeof value === 'number') return <>{value.toLocaleString()}</>
  return <span class="clip">{textOf(value) || '—'}</span>
}

import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import type { Data } from '../data.ts'
import { Loaded } from './page.tsx'

export interface Column<Row> {
  readonly title: string
  readonly show: (row: Row) => ComponentChildren
  /** The name of its field, if the table can be sorted by it. */
  readonly sortBy?: string
  readonly isNumber?: boolean
}

interface TableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly hrefOf?: (row: Row) => string
  /** The field that it is sorted by; with a minus, from the last to the first. */
  readonly sort?: string | undefined
  readonly onSort?: (sort: string) => void
  /** Instead of rows when there are none: says what to do. */
  readonly empty: ComponentChildren
}

export interface ListProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  readonly data: Data<readonly Row[]>
  /** The buttons of a row, in the last column. */
  readonly actions: (row: Row) => ComponentChildren
}

/** What was read, as a table whose rows have buttons. */
export function List<Row>({ data, columns, actions, ...table }: ListProps<Row>) {
  return (
    <Loaded data={data}>
      {(rows) => (
        <Table
          {...table}
          columns={[...columns, { title: 'Do', show: (row) => <div class="actions">{actions(row)}</div> }]}
          rows={rows}
        />
      )}
    </Loaded>
  )
}

/** A table whose rows are links. Arrow keys move from row to row. */
export function Table<Row>({ caption, columns, rows, keyOf, hrefOf, sort, onSort, empty }: TableProps<Row>) {
  const { route } = useLocation()
  if (rows.length === 0) return <p class="empty">{empty}</p>
  return (
    <div class="table" tabIndex={-1}>
      <table onKeyDown={(event) => moveFocus(event, 'tbody td:first-child > a')}>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.title} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              class={hrefOf ? 'link' : undefined}
              onClick={({ target }) => {
                if (hrefOf && target instanceof Element && !target.closest('a, button, input, select'))
                  route(hrefOf(row))
              }}
            >
              {columns.map(({ title, show, isNumber }, at) => (
                <td key={title} class={isNumber ? 'number' : undefined} data-title={title}>
                  {hrefOf && at === 0 ? <a href={hrefOf(row)}>{show(row)}</a> : show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function HeaderCell<Row>({
  column: { title, sortBy, isNumber },
  sort,
  onSort,
}: {
  column: Column<Row>
  sort: string | undefined
  onSort: ((sort: string) => void) | undefined
}) {
  const isUp = sort === sortBy
  const isDown = sort === `-${sortBy}`
  const isSortable = sortBy !== undefined && onSort
  return (
    <th
      scope="col"
      class={isNumber ? 'number' : undefined}
      aria-sort={isSortable ? (isUp ? 'ascending' : isDown ? 'descending' : 'none') : undefined}
    >
      {isSortable ? (
        <button type="button" onClick={() => onSort(isUp ? `-${sortBy}` : sortBy)}>
          {title}
          <span aria-hidden="true">{isUp ? ' ↑' : isDown ? ' ↓' : ''}</span>
        </button>
      ) : (
        title
      )}
    </th>
  )
}

/** Arrow keys move the focus to the next or the previous of these elements. */
export function moveFocus(event: KeyboardEvent, selector: string): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || !(event.currentTarget instanceof Element)) return
  const elements = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const at = elements.findIndex((element) => element === document.activeElement)
  const next = elements[at + step]
  if (at < 0 || !next) return
  event.preventDefault()
  next.focus()
}

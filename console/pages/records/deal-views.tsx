import { hrefOf } from './kinds.ts'

/** Switches between the table and the board of deals. */
export function DealViews({ team, view }: { readonly team: string; readonly view: 'table' | 'board' }) {
  return (
    <nav class="actions" aria-label="Views">
      <a href={hrefOf(team, 'deals')} aria-current={view === 'table' ? 'page' : undefined}>
        Table
      </a>
      <a href={`${hrefOf(team, 'deals')}?view=board`} aria-current={view === 'board' ? 'page' : undefined}>
        Board
      </a>
    </nav>
  )
}

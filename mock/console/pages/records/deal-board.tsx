import { hrefOf } from '../../address.ts'
import { useData } from '../../data.ts'
import { callAs } from '../../session.ts'
import { Select } from '../../ui/form.tsx'
import { act } from '../../ui/notices.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { amountOf, type AnyRecord, titleOf } from './kinds.ts'

/** More cards would slow the page down. */
const mostShown = 300

interface Board {
  readonly pipeline: string
  readonly stages: readonly string[]
}

/** The deals by pipeline and stage. A deal is moved with the operation updateDeal. */
export function DealBoard({ team }: { readonly team: string }) {
  const found = useData(
    async (client) => ({
      pipelines: (await client.teams.get(team)).pipelines,
      ...(await client.records(team, 'deals', { sort: '-createdAt', limit: mostShown })),
    }),
    [team],
    'records',
  )
  return (
    <Page title="Deals" actions={<DealViews team={team} view="board" />}>
      <Loaded data={found}>
        {({ pipelines, total, records }) => (
          <>
            {total === 0 ? (
              <p class="empty">
                There are no deals yet. <a href={`${hrefOf(team, 'deals')}?create=1`}>Create a deal.</a>
              </p>
            ) : null}
            {total > records.length ? (
              <p>
                The board shows the latest {records.length} of {total.toLocaleString()} deals; the table has all of
                them.
              </p>
            ) : null}
            {boardsOf(pipelines, records).map((board) => (
              <section key={board.pipeline}>
                <h2>{board.pipeline.slice(0, 100)}</h2>
                <div class="board" tabIndex={0} role="group" aria-label={`Stages of ${board.pipeline.slice(0, 100)}`}>
                  {board.stages.map((stage) => (
                    <Stage
                      key={stage}
                      team={team}
                      stage={stage}
                      stages={board.stages}
                      deals={records.filter((deal) => deal.pipeline === board.pipeline)}
                    />
                  ))}
                </div>
              </section>
            ))}
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** The pipelines of the team, and those that only deals name, each with all of its stages. */
function boardsOf(
  pipelines: readonly { readonly id: string; readonly stages: readonly string[] }[],
  deals: readonly AnyRecord[],
): readonly Board[] {
  const stages = new Map(pipelines.map(({ id, stages }) => [id, new Set(stages)]))
  for (const { pipeline, stage } of deals) {
    if (typeof pipeline !== 'string' || typeof stage !== 'string') continue
    stages.set(pipeline, (stages.get(pipeline) ?? new Set()).add(stage))
  }
  return [...stages].map(([pipeline, stages]) => ({ pipeline, stages: [...stages].slice(0, 30) }))
}

interface StageProps {
  readonly team: string
  readonly stage: string
  readonly stages: readonly string[]
  /** All deals of the pipeline. */
  readonly deals: readonly AnyRecord[]
}

/** A deal is moved by its list of stages, or by dragging its card to another stage. */
function Stage({ team, stage, stages, deals }: StageProps) {
  const move = (id: string, to: string) => act(() => callAs(team, 'updateDeal', id, { stage: to }), `Moved to ${to}`)
  const shown = deals.filter((deal) => deal.stage === stage)
  return (
    <section
      class="stage"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        const id = event.dataTransfer?.getData('text/plain')
        const dropped = deals.find((deal) => deal._id === id)
        if (dropped && dropped.stage !== stage) void move(String(dropped._id), stage)
      }}
    >
      <h3>
        {stage.slice(0, 60)} <small>{shown.length}</small>
      </h3>
      <ul>
        {shown.map((deal) => (
          <li
            key={String(deal._id)}
            class="card"
            draggable
            onDragStart={({ dataTransfer }) => dataTransfer?.setData('text/plain', String(deal._id))}
          >
            <a draggable={false} href={hrefOf(team, 'deals', String(deal._id))}>
              {titleOf(deal)}
            </a>
            <span>{amountOf(deal)}</span>
            <Select
              label={`Stage of ${titleOf(deal)}`}
              value={stage}
              choices={stages.map((one) => [one, one.slice(0, 60)])}
              onChoose={(to) => move(String(deal._id), to)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

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

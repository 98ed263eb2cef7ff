import type { ControlData } from '../../mock/control/client.ts'
import { sandbox } from '../session.ts'
import { Badge } from '../ui/badge.tsx'
import { confirm } from '../ui/confirm.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { act } from '../ui/notices.tsx'
import { Page } from '../ui/page.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { useData } from '../use-data.ts'
import { FaultForm } from './fault-form.tsx'
import { Gates } from './gates.tsx'
import { matchColumns, isOfTeam } from './match-columns.tsx'
import type { PageProps } from './page-props.ts'

type Fault = ControlData<'listFaults'>[number]

/** The faults and gates that apply to a team. */
export function Faults({ team }: PageProps) {
  const client = sandbox.value
  const faults = useData(async () => (await client.faults.list()).filter(isOfTeam(team)), [client, team], {
    at: 'settings',
  })
  const columns: readonly Column<Fault>[] = [
    ...matchColumns(team),
    { title: 'Does', show: (fault) => <Effect fault={fault} /> },
    { title: 'Matched', show: ({ matched }) => matched.toLocaleString(), isNumber: true },
    {
      title: 'Fired',
      show: (fault) => (
        <span>
          {fault.fired.toLocaleString()} {isUsedUp(fault) ? <Badge>used up</Badge> : null}
        </span>
      ),
      isNumber: true,
    },
    {
      title: 'Do',
      show: ({ id }) => (
        <button
          type="button"
          class="small"
          aria-label={`Remove ${id}`}
          onClick={() => void act(() => client.faults.delete(id), 'The fault is removed')}
        >
          Remove
        </button>
      ),
    },
  ]
  const clear = async (shown: readonly Fault[]) => {
    const ofAll = shown.filter((fault) => fault.team === undefined).length
    const words = `${shown.length} ${shown.length === 1 ? 'fault' : 'faults'} and the counts of how often they fired will be lost.`
    const others = ofAll === 0 ? '' : ` ${ofAll} of them apply to all teams.`
    // Not `clear`, which would also remove the faults of other teams.
    if (await confirm('Remove all faults', words + others))
      await act(() => Promise.all(shown.map(({ id }) => client.faults.delete(id))), 'All faults are removed')
  }
  return (
    <Page title="Faults and gates">
      <section>
        <header class="bar">
          <h2>Faults</h2>
          {faults.value?.length ? (
            <button type="button" class="small danger" onClick={() => void clear(faults.value ?? [])}>
              Remove all faults
            </button>
          ) : null}
        </header>
        <Loaded data={faults}>
          {(shown) => (
            <Table
              caption="Faults, in the order in which they were added"
              columns={columns}
              rows={shown}
              keyOf={({ id }) => id}
              empty="No fault. Add one below to see how a client copes with a request that fails, waits or loses its answer."
            />
          )}
        </Loaded>
        <FaultForm team={team} />
      </section>
      <Gates team={team} />
    </Page>
  )
}

/** A fault with `nth` applies once unless `times` says more. */
function isUsedUp({ nth, times = nth === undefined ? Infinity : 1, fired }: Fault): boolean {
  return fired >= times
}

function Effect({ fault }: { readonly fault: Fault }) {
  const { phase = 'onArrival', delay, status, message, retryAfter, connection, body, nth, times } = fault
  const time = typeof delay === 'object' ? `${delay.from} to ${delay.to}` : delay
  const parts = [
    phases[phase],
    time === undefined ? '' : `wait ${time}`,
    connection === undefined ? '' : `${connection} the connection`,
    body === undefined ? '' : body === 'cut' ? 'cut the body' : 'HTML as the body',
    nth === undefined ? '' : `from request ${nth} on`,
    times === undefined ? '' : `${times} ${times === 1 ? 'time' : 'times'}`,
    retryAfter === undefined ? '' : `retry after ${retryAfter}`,
    status === undefined ? '' : `answer ${status}`,
  ]
  return (
    <span>
      {parts.filter(Boolean).join(', ')}
      {message === undefined ? null : (
        <>
          {': '}
          <bdi>{message.slice(0, 200)}</bdi>
        </>
      )}
    </span>
  )
}

const phases: Readonly<Record<NonNullable<Fault['phase']>, string>> = {
  onArrival: 'On arrival',
  beforeCommit: 'Before the commit',
  afterCommit: 'After the commit',
  inBody: 'In the body',
}

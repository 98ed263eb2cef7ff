import { useState } from 'preact/hooks'
import type { ControlBody, ControlData } from '../../mock/control/client.ts'
import { sandbox } from '../session.ts'
import { Badge } from '../ui/badge.tsx'
import { Field } from '../ui/field.tsx'
import { filledIn } from '../ui/filled-in.ts'
import { Loaded } from '../ui/loaded.tsx'
import { act } from '../ui/notices.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { useData } from '../use-data.ts'
import { isOfTeam, matchColumns } from './match-columns.tsx'
import { MatchFields, matchIn } from './match-fields.tsx'

type Gate = ControlData<'listGates'>[number]

const states: Readonly<Record<Gate['state'], string>> = {
  waiting: 'waits for its request',
  held: 'holds a request',
  released: 'opened',
  failed: 'failed',
  timedOut: 'timed out',
  dropped: 'connection lost',
}

/** The gates that apply to a team. */
export function Gates({ team }: { readonly team: string }) {
  const client = sandbox.value
  const gates = useData(async () => (await client.gates.list()).filter(isOfTeam(team)), [client, team], {
    at: 'settings',
  })
  const columns: readonly Column<Gate>[] = [
    ...matchColumns(team),
    {
      title: 'State',
      show: ({ state }) => (
        <Badge tone={state === 'held' ? 'bad' : state === 'waiting' ? 'waiting' : undefined}>{states[state]}</Badge>
      ),
    },
    { title: 'Matched', show: ({ matched }) => matched.toLocaleString(), isNumber: true },
    { title: 'Do', show: (gate) => <GateActions gate={gate} /> },
  ]
  return (
    <section>
      <header class="bar">
        <h2>Gates</h2>
      </header>
      <Loaded data={gates}>
        {(shown) => (
          <Table
            caption="Gates, in the order in which they were added"
            columns={columns}
            rows={shown}
            keyOf={({ id }) => id}
            empty="No gate. Add one below to hold a request before its commit, and decide what happens first."
          />
        )}
      </Loaded>
      <details class="card form">
        <summary>Add a gate</summary>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const fields = filledIn(event.currentTarget)
            const { nth, timeout } = fields
            const gate = { ...matchIn(fields, team), nth: nth === undefined ? undefined : Number(nth), timeout }
            void act(() => client.gates.add(gate as ControlBody<'addGate'>), 'The gate is added')
          }}
        >
          <div class="columns">
            <div>
              <MatchFields />
            </div>
            <div>
              <Field label="The nth of these requests" hint="Empty: the first">
                <input name="nth" type="number" />
              </Field>
              <Field label="Opens by itself after" hint="At most 5m">
                <input name="timeout" defaultValue="2m" autocomplete="off" />
              </Field>
            </div>
          </div>
          <div class="actions">
            <button type="submit" class="primary">
              Add the gate
            </button>
          </div>
        </form>
      </details>
    </section>
  )
}

const failures = [
  ['500', { status: 500 }],
  ['503', { status: 503 }],
  ['429', { status: 429 }],
  ['close', { connection: 'close' }],
  ['reset', { connection: 'reset' }],
] as const

/** Opens a gate, lets the request that it holds fail, or deletes it. */
function GateActions({ gate: { id, state } }: { readonly gate: Gate }) {
  const { gates } = sandbox.value
  const [failure, setFailure] = useState<string>('500')
  const fail = failures.find(([name]) => name === failure)?.[1] ?? { status: 500 }
  return (
    <div class="actions">
      {state === 'held' || state === 'waiting' ? (
        <button type="button" class="small" onClick={() => void act(() => gates.release(id), 'The gate is open')}>
          Open
        </button>
      ) : null}
      {state === 'held' ? (
        <>
          <button
            type="button"
            class="small danger"
            onClick={() => void act(() => gates.fail(id, fail), 'The request failed')}
          >
            Fail with
          </button>
          <select
            class="small"
            aria-label="How the request fails"
            value={failure}
            onChange={({ currentTarget: { value } }) => {
              setFailure(value)
            }}
          >
            {failures.map(([name]) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </>
      ) : null}
      <button type="button" class="small" onClick={() => void act(() => gates.delete(id), 'The gate is deleted')}>
        Delete
      </button>
    </div>
  )
}

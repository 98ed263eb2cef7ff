import type { ControlData } from '../../testing/control-client.ts'
import { useData } from '../data.ts'
import { sandbox } from '../session.ts'
import { Button } from '../ui/buttons.tsx'
import { Field, Form, Select } from '../ui/form.tsx'
import { act } from '../ui/notices.tsx'
import type { Column } from '../ui/table.tsx'
import { Badge } from '../ui/values.tsx'
import { isOfTeam, matchIn, numberIn, RuleForm, RuleList } from './match.tsx'

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
  const gates = useData(async (client) => (await client.gates.list()).filter(isOfTeam(team)), [team], 'settings')
  const add = (gate: object) => sandbox.value.gates.add(gate)
  const columns: readonly Column<Gate>[] = [
    {
      title: 'State',
      show: ({ state }) => (
        <Badge tone={state === 'held' ? 'bad' : state === 'waiting' ? 'waiting' : undefined}>{states[state]}</Badge>
      ),
    },
    { title: 'Matched', show: ({ matched }) => matched.toLocaleString(), isNumber: true },
  ]
  return (
    <RuleList
      title="Gates"
      team={team}
      data={gates}
      columns={columns}
      actions={(gate) => <GateActions gate={gate} />}
      empty="No gate. Add one below to hold a request before its commit, and decide what happens first."
    >
      <RuleForm
        what="gate"
        onAdd={(fields) => {
          const { nth, timeout } = fields
          return act(() => add({ ...matchIn(fields, team), nth: numberIn(nth), timeout }), 'The gate is added')
        }}
      >
        <Field label="The nth of these requests" hint="Empty: the first">
          <input name="nth" type="number" />
        </Field>
        <Field label="Opens by itself after" hint="At most 5m">
          <input name="timeout" defaultValue="2m" autocomplete="off" />
        </Field>
      </RuleForm>
    </RuleList>
  )
}

const failures = ['500', '503', '429', 'close', 'reset'] as const

/** Opens a gate, lets the request that it holds fail, or deletes it. */
function GateActions({ gate: { id, state } }: { readonly gate: Gate }) {
  const { gates } = sandbox.value
  const fail = (failure: string | undefined) =>
    gates.fail(id, failure === 'close' || failure === 'reset' ? { connection: failure } : { status: Number(failure) })
  return (
    <div class="actions">
      {state === 'held' || state === 'waiting' ? (
        <Button class="small" onPress={() => act(() => gates.release(id), 'The gate is open')}>
          Open
        </Button>
      ) : null}
      {state === 'held' ? (
        <Form onSubmit={({ failure }) => act(() => fail(failure), 'The request failed')}>
          <button type="submit" class="small danger">
            Fail with
          </button>
          <Select class="small" name="failure" label="How the request fails" choices={failures} />
        </Form>
      ) : null}
      <Button class="small" onPress={() => act(() => gates.delete(id), 'The gate is deleted')}>
        Delete
      </Button>
    </div>
  )
}

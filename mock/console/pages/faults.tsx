import type { ComponentChildren, ComponentProps } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { parseJson } from '../../../lib/json.ts'
import { pluralize } from '../../../lib/text.ts'
import type { ControlData } from '../../testing/control-client.ts'
import { useData } from '../data.ts'
import { operationIds, sandbox } from '../session.ts'
import { ActionButton, ActionForm, type Columns, type FormField, perform } from '../ui/actions.tsx'
import { type FilledIn, Form, Select, teamChoices } from '../ui/form.tsx'
import { Page, type PageProps } from '../ui/page.tsx'
import { type Column, List, type ListProps } from '../ui/table.tsx'
import { Badge } from '../ui/values.tsx'

type Fault = ControlData<'listFaults'>[number]
type Gate = ControlData<'listGates'>[number]
type Rule = Fault | Gate

/** The faults and gates that apply to a team. One without a team applies to every team. */
export function Faults({ team }: PageProps) {
  const { faults, gates } = sandbox.value
  const isShown = (rule: Rule) => rule.team === undefined || rule.team === team
  const ofFaults = useData(async (client) => (await client.faults.list()).filter(isShown), [team], 'settings')
  const ofGates = useData(async (client) => (await client.gates.list()).filter(isShown), [team], 'settings')
  const shown = ofFaults.value ?? []
  const ofAll = shown.filter((fault) => fault.team === undefined).length
  const lost = `${pluralize(shown.length, 'fault')} and the counts of how often they fired will be lost.`
  return (
    <Page title="Faults and gates">
      <Rules
        what="fault"
        team={team}
        bar={
          shown.length === 0 ? null : (
            <ActionButton
              title="Remove all faults"
              loses={ofAll === 0 ? lost : `${lost} ${ofAll} of them apply to all teams.`}
              // Not `clear`, which would also remove the faults of other teams.
              run={() => Promise.all(shown.map(({ id }) => faults.delete(id)))}
              done="All faults are removed"
            />
          )
        }
        data={ofFaults}
        columns={faultColumns}
        actions={({ id }) => (
          <ActionButton
            title="Remove"
            label={`Remove ${id}`}
            run={() => faults.delete(id)}
            done="The fault is removed"
          />
        )}
        empty="No fault. Add one below to see how a client copes with a request that fails, waits or loses its answer."
        fields={fieldsOfFault}
        add={faults.add}
      />
      <Rules
        what="gate"
        team={team}
        data={ofGates}
        columns={gateColumns}
        actions={(gate) => <GateActions gate={gate} />}
        empty="No gate. Add one below to hold a request before its commit, and decide what happens first."
        fields={fieldsOfGate}
        add={gates.add}
      />
    </Page>
  )
}

interface RulesProps<R extends Rule> extends Pick<ListProps<R>, 'data' | 'columns' | 'actions' | 'empty'> {
  readonly what: 'fault' | 'gate'
  readonly team: string
  /** Beside the title. */
  readonly bar?: ComponentChildren
  readonly fields: ComponentProps<typeof ActionForm>['columns']
  readonly add: (rule: object) => Promise<Rule>
}

function Rules<R extends Rule>({ what, team, bar, columns, fields, add, ...list }: RulesProps<R>) {
  const title = what === 'fault' ? 'Faults' : 'Gates'
  const [added, setAdded] = useState('')
  useEffect(() => {
    const row = document.getElementById(added)
    if (!row) return
    row.scrollIntoView({ block: 'center' })
    setAdded('')
  }, [added, list.data.value])
  return (
    <section>
      <header class="bar">
        <h2>{title}</h2>
        {bar}
      </header>
      <List
        {...list}
        caption={`${title}, in the order in which they were added`}
        columns={[...matchColumns(team), ...columns]}
        keyOf={({ id }) => id}
      />
      <details class="card form">
        <summary>Add a {what}</summary>
        <ActionForm
          columns={fields}
          action={(filledIn) => ({
            title: `Add the ${what}`,
            run: async () => setAdded((await add(ruleIn(filledIn, team))).id),
            done: `The ${what} is added`,
          })}
        />
      </details>
    </section>
  )
}

/** Which requests a fault or a gate is about. */
const matchColumns = (shown: string): readonly Column<Rule>[] => [
  {
    title: 'Operation',
    show: ({ id, operation }) => <span id={id}>{[operation ?? 'All operations'].flat().join(', ')}</span>,
  },
  { title: 'Teams', show: ({ team }) => (team === shown ? 'This team' : 'All teams') },
  {
    title: 'Where',
    show: ({ where }) => (where === undefined ? 'All requests' : <code>{JSON.stringify(where).slice(0, 150)}</code>),
  },
  { title: 'Matched', show: ({ matched }) => matched.toLocaleString(), isNumber: true },
]

const faultColumns: readonly Column<Fault>[] = [
  { title: 'Does', show: (fault) => <Effect fault={fault} /> },
  {
    title: 'Fired',
    show: ({ fired, usedUp }) => (
      <span>
        {fired.toLocaleString()} {usedUp ? <Badge>used up</Badge> : null}
      </span>
    ),
    isNumber: true,
  },
]

const gateColumns: readonly Column<Gate>[] = [
  {
    title: 'State',
    show: ({ state }) => (
      <Badge tone={state === 'held' ? 'bad' : state === 'waiting' ? 'waiting' : undefined}>{states[state]}</Badge>
    ),
  },
]

const states: Readonly<Record<Gate['state'], string>> = {
  waiting: 'waits for its request',
  held: 'holds a request',
  released: 'opened',
  failed: 'failed',
  timedOut: 'timed out',
  dropped: 'connection lost',
}

const phases = {
  onArrival: 'On arrival, before any check',
  beforeCommit: 'Before the commit, which undoes the work',
  afterCommit: 'After the commit',
  inBody: 'When half of the body is sent',
}

function Effect({ fault }: { readonly fault: Fault }) {
  const { phase = 'onArrival', delay, status, message, retryAfter, connection, body, nth, times, responses } = fault
  const time = typeof delay === 'object' ? `${delay.from} to ${delay.to}` : delay
  const parts = [
    phases[phase].split(',')[0],
    time === undefined ? '' : `wait ${time}`,
    connection === undefined ? '' : `${connection} the connection`,
    body === undefined ? '' : body === 'cut' ? 'cut the body' : 'HTML as the body',
    nth === undefined ? '' : `from request ${nth} on`,
    responses === undefined ? '' : `a sequence of ${pluralize(responses.length, 'response')}`,
    times === undefined ? '' : pluralize(times, 'time'),
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

const failures = ['500', '503', '429', 'close', 'reset'] as const

/** Opens a gate, lets the request that it holds fail, or deletes it. */
function GateActions({ gate: { id, state } }: { readonly gate: Gate }) {
  const { gates } = sandbox.value
  const fail = ({ failure }: FilledIn) =>
    gates.fail(id, failure === 'close' || failure === 'reset' ? { connection: failure } : { status: Number(failure) })
  return (
    <>
      {state === 'held' || state === 'waiting' ? (
        <ActionButton title="Open" run={() => gates.release(id)} done="The gate is open" />
      ) : null}
      {state === 'held' ? (
        <Form
          onSubmit={(fields) => perform({ title: 'Fail with', run: () => fail(fields), done: 'The request failed' })}
        >
          <button type="submit" class="danger">
            Fail with
          </button>
          <Select name="failure" label="How the request fails" choices={failures} />
        </Form>
      ) : null}
      <ActionButton title="Delete" run={() => gates.delete(id)} done="The gate is deleted" />
    </>
  )
}

const fieldHint = 'Of the body, the path or the query, such as email or scheduleTime.date'

/** The requests that a fault or a gate is about. */
const matchFields: readonly FormField[] = [
  { name: 'operation', label: 'Operation', choices: [['', 'All operations'], ...operationIds] },
  { name: 'teams', label: 'Teams', choices: teamChoices },
  { name: 'field', label: 'Only where the field', hint: fieldHint },
  { name: 'value', label: 'has the value', hint: 'A text, or JSON such as 5, true or ["a"]' },
]

const fieldsOfGate: Columns = [
  matchFields,
  [
    { name: 'nth', label: 'The nth of these requests', hint: 'Empty: the first', type: 'number' },
    { name: 'timeout', label: 'Opens by itself after', hint: 'At most 5m', initial: '2m' },
  ],
]

const kinds: readonly [string, string][] = [
  ['status', 'Answer with a status'],
  ['close', 'Close the connection'],
  ['reset', 'Reset the connection'],
  ['delay', 'Only wait'],
  ['cut', 'Cut the body of the answer'],
  ['notJson', 'Answer with HTML instead of JSON'],
]

const fieldsOfKind: Readonly<Record<string, readonly FormField[]>> = {
  status: [
    { name: 'status', label: 'Status', type: 'number', initial: '500' },
    { name: 'message', label: 'Message', hint: 'By default the text of the service' },
    { name: 'retryAfter', label: 'Retry after', hint: 'With the status 429 or 503, such as 30s' },
  ],
  cut: [{ name: 'status', label: 'Status', hint: 'Empty after the commit: the status stays', type: 'number' }],
}

const fieldsOfFault = ({ kind = 'status' }: FilledIn): Columns => [
  [
    ...matchFields,
    { name: 'times', label: 'Times', hint: 'Empty: every time; with an nth request, once', type: 'number' },
    { name: 'nth', label: 'From the nth request on', hint: 'Empty: from the first', type: 'number' },
  ],
  [
    { name: 'kind', label: 'What happens', choices: kinds },
    ...(fieldsOfKind[kind === 'notJson' ? 'cut' : kind] ?? []),
    kind === 'delay'
      ? { name: 'delay', label: 'Wait', hint: 'Such as 500ms or 2s', required: true }
      : { name: 'delay', label: 'Wait first', hint: 'Such as 500ms or 2s' },
    { name: 'phase', label: 'When', choices: Object.entries(phases) },
  ],
]

const numbers = ['status', 'times', 'nth']

/** The filled in inputs as a fault or a gate. */
function ruleIn({ kind, teams, field, value = '', ...others }: FilledIn, team: string) {
  if (field === undefined && value !== '') throw new Error('Name the field that has this value')
  const json = parseJson(value)
  const fields = Object.entries(others).map(([name, text]) => [name, numbers.includes(name) ? Number(text) : text])
  return {
    ...(Object.fromEntries(fields) as object),
    ...(teams !== 'all' && { team }),
    ...(field !== undefined && { where: { [field]: json === undefined ? value : json } }),
    ...((kind === 'close' || kind === 'reset') && { connection: kind }),
    ...((kind === 'cut' || kind === 'notJson') && { body: kind }),
  }
}

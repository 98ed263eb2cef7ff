import { useState } from 'preact/hooks'
import { pluralize } from '../../../lib/text.ts'
import type { ControlBody, ControlData } from '../../testing/control-client.ts'
import { useData } from '../data.ts'
import { sandbox } from '../session.ts'
import { Button } from '../ui/buttons.tsx'
import { confirm } from '../ui/confirm.tsx'
import { Field, type FilledIn, Select } from '../ui/form.tsx'
import { act } from '../ui/notices.tsx'
import { Page, type PageProps } from '../ui/page.tsx'
import type { Column } from '../ui/table.tsx'
import { Badge } from '../ui/values.tsx'
import { Gates } from './gates.tsx'
import { isOfTeam, matchIn, numberIn, RuleForm, RuleList } from './match.tsx'

type Fault = ControlData<'listFaults'>[number]

/** The faults and gates that apply to a team. */
export function Faults({ team }: PageProps) {
  const faults = useData(async (client) => (await client.faults.list()).filter(isOfTeam(team)), [team], 'settings')
  const remove = (id: string) => sandbox.value.faults.delete(id)
  const columns: readonly Column<Fault>[] = [
    { title: 'Does', show: (fault) => <Effect fault={fault} /> },
    { title: 'Matched', show: ({ matched }) => matched.toLocaleString(), isNumber: true },
    {
      title: 'Fired',
      show: (fault) => (
        <span>
          {fault.fired.toLocaleString()} {fault.usedUp ? <Badge>used up</Badge> : null}
        </span>
      ),
      isNumber: true,
    },
  ]
  const clear = async (shown: readonly Fault[]) => {
    const ofAll = shown.filter((fault) => fault.team === undefined).length
    const words = `${shown.length} ${shown.length === 1 ? 'fault' : 'faults'} and the counts of how often they fired will be lost.`
    const others = ofAll === 0 ? '' : ` ${ofAll} of them apply to all teams.`
    // Not `clear`, which would also remove the faults of other teams.
    if (await confirm('Remove all faults', words + others))
      await act(() => Promise.all(shown.map(({ id }) => remove(id))), 'All faults are removed')
  }
  return (
    <Page title="Faults and gates">
      <RuleList
        title="Faults"
        team={team}
        data={faults}
        columns={columns}
        actions={({ id }) => (
          <Button class="small" label={`Remove ${id}`} onPress={() => act(() => remove(id), 'The fault is removed')}>
            Remove
          </Button>
        )}
        empty="No fault. Add one below to see how a client copes with a request that fails, waits or loses its answer."
        bar={
          faults.value?.length ? (
            <Button class="small danger" onPress={() => clear(faults.value ?? [])}>
              Remove all faults
            </Button>
          ) : null
        }
      >
        <FaultForm team={team} />
      </RuleList>
      <Gates team={team} />
    </Page>
  )
}

function Effect({ fault }: { readonly fault: Fault }) {
  const { phase = 'onArrival', delay, status, message, retryAfter, connection, body, nth, times, responses } = fault
  const time = typeof delay === 'object' ? `${delay.from} to ${delay.to}` : delay
  const parts = [
    phases.find(([known]) => known === phase)?.[1].split(',')[0],
    time === undefined ? '' : `wait ${time}`,
    connection === undefined ? '' : `${connection} the connection`,
    body === undefined ? '' : body === 'cut' ? 'cut the body' : 'HTML as the body',
    nth === undefined ? '' : `from request ${nth} on`,
    responses === undefined ? '' : `a sequence of ${pluralize(responses.length, 'response')}`,
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

const kinds = [
  ['status', 'Answer with a status'],
  ['close', 'Close the connection'],
  ['reset', 'Reset the connection'],
  ['delay', 'Only wait'],
  ['cut', 'Cut the body of the answer'],
  ['notJson', 'Answer with HTML instead of JSON'],
] as const

const phases = [
  ['onArrival', 'On arrival, before any check'],
  ['beforeCommit', 'Before the commit, which undoes the work'],
  ['afterCommit', 'After the commit'],
  ['inBody', 'When half of the body is sent'],
] as const

/** A form for a new fault. */
function FaultForm({ team }: { readonly team: string }) {
  const [kind, setKind] = useState<string>('status')
  const hasStatus = kind === 'status' || kind === 'cut' || kind === 'notJson'
  return (
    <RuleForm
      what="fault"
      below={
        <>
          <Field label="Times" hint="Empty: every time; with an nth request, once">
            <input name="times" type="number" />
          </Field>
          <Field label="From the nth request on" hint="Empty: from the first">
            <input name="nth" type="number" />
          </Field>
        </>
      }
      onAdd={(fields) => act(() => sandbox.value.faults.add(faultIn(fields, team)), 'The fault is added')}
    >
      <Field label="What happens">
        <Select name="kind" value={kind} choices={kinds} onChoose={setKind} />
      </Field>
      {hasStatus ? (
        <Field label="Status" hint={kind === 'status' ? undefined : 'Empty after the commit: the status stays'}>
          <input name="status" type="number" defaultValue={kind === 'status' ? '500' : ''} key={kind} />
        </Field>
      ) : null}
      {kind === 'status' ? (
        <>
          <Field label="Message" hint="By default the text of the service">
            <input name="message" autocomplete="off" />
          </Field>
          <Field label="Retry after" hint="With the status 429 or 503, such as 30s">
            <input name="retryAfter" autocomplete="off" />
          </Field>
        </>
      ) : null}
      <Field label={kind === 'delay' ? 'Wait' : 'Wait first'} hint="Such as 500ms or 2s">
        <input name="delay" autocomplete="off" required={kind === 'delay'} />
      </Field>
      <Field label="When">
        <Select name="phase" choices={phases} />
      </Field>
    </RuleForm>
  )
}

function faultIn(fields: FilledIn, team: string): ControlBody<'addFault'> {
  const { kind, status, message, retryAfter, delay, phase, times, nth } = fields
  return {
    ...matchIn(fields, team),
    phase,
    delay,
    status: numberIn(status),
    message,
    retryAfter,
    connection: kind === 'close' || kind === 'reset' ? kind : undefined,
    body: kind === 'cut' || kind === 'notJson' ? kind : undefined,
    times: numberIn(times),
    nth: numberIn(nth),
  } as ControlBody<'addFault'>
}

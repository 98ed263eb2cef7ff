import { useState } from 'preact/hooks'
import type { ControlBody } from '../../mock/control/client.ts'
import { sandbox } from '../session.ts'
import { Field } from '../ui/field.tsx'
import { filledIn } from '../ui/filled-in.ts'
import { act } from '../ui/notices.tsx'
import { MatchFields, matchIn } from './match-fields.tsx'

const kinds = [
  ['status', 'Answer with a status'],
  ['close', 'Close the connection'],
  ['reset', 'Reset the connection'],
  ['delay', 'Only wait'],
  ['cut', 'Cut the body of the answer'],
  ['notJson', 'Answer with HTML instead of JSON'],
] as const
type Kind = (typeof kinds)[number][0]

const phases = [
  ['onArrival', 'On arrival, before any check'],
  ['beforeCommit', 'Before the commit, which undoes the work'],
  ['afterCommit', 'After the commit'],
  ['inBody', 'When half of the body is sent'],
] as const

/** Adds a fault. Its fields are checked by the control plane. */
export function FaultForm({ team }: { readonly team: string }) {
  const [kind, setKind] = useState<Kind>('status')
  const hasStatus = kind === 'status' || kind === 'cut' || kind === 'notJson'
  return (
    <details class="card form">
      <summary>Add a fault</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const fault = faultIn(filledIn(event.currentTarget), team)
          void act(() => sandbox.value.faults.add(fault), 'The fault is added')
        }}
      >
        <div class="columns">
          <div>
            <MatchFields />
            <Field label="Times" hint="Empty: every time; with an nth request, once">
              <input name="times" type="number" />
            </Field>
            <Field label="From the nth request on" hint="Empty: from the first">
              <input name="nth" type="number" />
            </Field>
          </div>
          <div>
            <Field label="What happens">
              <select
                name="kind"
                value={kind}
                onChange={({ currentTarget: { value } }) => {
                  setKind(kinds.find(([one]) => one === value)?.[0] ?? 'status')
                }}
              >
                {kinds.map(([one, words]) => (
                  <option key={one} value={one}>
                    {words}
                  </option>
                ))}
              </select>
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
              <select name="phase">
                {phases.map(([one, words]) => (
                  <option key={one} value={one}>
                    {words}
                  </option>
                ))}
              </select>
            </Field>
          </div>
        </div>
        <div class="actions">
          <button type="submit" class="primary">
            Add the fault
          </button>
        </div>
      </form>
    </details>
  )
}

function faultIn(fields: Readonly<Record<string, string>>, team: string): ControlBody<'addFault'> {
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

const numberIn = (text: string | undefined) => (text === undefined ? undefined : Number(text))

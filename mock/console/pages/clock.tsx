import { readClock, useData, useTime } from '../data.ts'
import { sandbox } from '../session.ts'
import { ActionButton, ActionForm } from '../ui/actions.tsx'
import { Loaded, Page } from '../ui/page.tsx'
import { Badge } from '../ui/values.tsx'

const steps = { '1h': '1 hour', '1d': '1 day', '1w': '1 week' }
const by = { name: 'by', label: 'By', hint: 'Such as 90s, 15m, 12h, 2d, 1w or P1DT12H', required: true }
const to = { name: 'to', label: 'To', hint: 'Such as 2030-01-31 or 2030-01-31T09:00:00Z', required: true }

/** The clock that everything in the sandbox follows. */
export function Clock() {
  const { clock } = sandbox.value
  const state = useData(readClock, [], 'settings')
  const advance = (by: string, words = by) => ({
    title: `Advance by ${words}`,
    run: () => clock.advance(by),
    done: `The clock is advanced by ${words}`,
  })
  return (
    <Page title="Clock">
      <p>
        Records, schedules, approvals, tokens and rate limits of all teams follow this clock. Work that falls due on the
        way to a later time is done; an earlier time undoes nothing.
      </p>
      <Loaded data={state}>
        {(read) => (
          <section class="card">
            <Face read={read} />
            <div class="actions">
              {read.frozen ? (
                <ActionButton title="Resume" run={clock.resume} done="The clock goes on" />
              ) : (
                <ActionButton title="Freeze" run={() => clock.freeze()} done="The clock is frozen" />
              )}
              {Object.entries(steps).map(([by, words]) => (
                <ActionButton key={by} {...advance(by, words)} />
              ))}
              <ActionButton title="Restart" run={clock.restart} done="The clock tells the time of its start again" />
            </div>
          </section>
        )}
      </Loaded>
      <div class="columns below">
        <ActionForm title="Advance" columns={[[by]]} action={({ by = '' }) => ({ ...advance(by), title: 'Advance' })} />
        <ActionForm
          title="Set"
          columns={[[to]]}
          action={({ to = '' }) => ({ title: 'Set', run: () => clock.set(to), done: 'The clock is set' })}
        />
      </div>
    </Page>
  )
}

const form = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

/** The time, as the reader's zone and as UTC. */
function Face({ read }: { readonly read: Parameters<typeof useTime>[0] }) {
  const time = useTime(read)
  return (
    <div class="face">
      <p>
        <time dateTime={time.toISOString()}>{form.format(time)}</time>{' '}
        <Badge tone={read.frozen ? 'waiting' : 'good'}>{read.frozen ? 'frozen' : 'running'}</Badge>
      </p>
      <p>
        <code>{time.toISOString().replace(/\.\d+/, '')}</code>
      </p>
    </div>
  )
}

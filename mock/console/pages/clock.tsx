import { useEffect, useState } from 'preact/hooks'
import { useData } from '../data.ts'
import { sandbox } from '../session.ts'
import { Button } from '../ui/buttons.tsx'
import { Field, Form } from '../ui/form.tsx'
import { act } from '../ui/notices.tsx'
import { Loaded, Page } from '../ui/page.tsx'
import { Badge } from '../ui/values.tsx'

const steps = [
  ['1h', '1 hour'],
  ['1d', '1 day'],
  ['1w', '1 week'],
] as const

/** The clock that everything in the sandbox follows. */
export function Clock() {
  const { clock } = sandbox.value
  const state = useData(
    async (client) => ({ ...(await client.clock.read()), readAt: performance.now() }),
    [],
    'settings',
  )
  const change = async (work: () => Promise<unknown>, done: string) => {
    await act(work, done)
    state.reload()
  }
  return (
    <Page title="Clock">
      <p>
        Records, schedules, approvals, tokens and rate limits of all teams follow this clock. Work that falls due on the
        way to a later time is done; an earlier time undoes nothing.
      </p>
      <Loaded data={state}>
        {({ now, frozen, readAt }) => (
          <section class="card">
            <Face now={now} frozen={frozen} readAt={readAt} />
            <div class="actions">
              {frozen ? (
                <Button onPress={() => change(() => clock.resume(), 'The clock goes on')}>Resume</Button>
              ) : (
                <Button onPress={() => change(() => clock.freeze(), 'The clock is frozen')}>Freeze</Button>
              )}
              {steps.map(([by, words]) => (
                <Button key={by} onPress={() => change(() => clock.advance(by), `The clock is advanced by ${words}`)}>
                  Advance by {words}
                </Button>
              ))}
              <Button onPress={() => change(() => clock.restart(), 'The clock tells the time of its start again')}>
                Restart
              </Button>
            </div>
          </section>
        )}
      </Loaded>
      <div class="columns below">
        <Form
          class="card"
          onSubmit={({ by = '' }) => change(() => clock.advance(by), `The clock is advanced by ${by}`)}
        >
          <h2>Advance</h2>
          <Field label="By" hint="Such as 90s, 15m, 12h, 2d, 1w or P1DT12H">
            <input name="by" required autocomplete="off" />
          </Field>
          <button type="submit">Advance</button>
        </Form>
        <Form class="card" onSubmit={({ now = '' }) => change(() => clock.set(now), 'The clock is set')}>
          <h2>Set</h2>
          <Field label="To" hint="Such as 2030-01-31 or 2030-01-31T09:00:00Z">
            <input name="now" required autocomplete="off" />
          </Field>
          <button type="submit">Set</button>
        </Form>
      </div>
    </Page>
  )
}

interface FaceProps {
  readonly now: string
  readonly frozen: boolean
  /** In milliseconds of the page, when it was that time. */
  readonly readAt: number
}

const form = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

/** The time, as the reader's zone and as UTC; it goes on between two reads. */
function Face({ now, frozen, readAt }: FaceProps) {
  const [, setTicks] = useState(0)
  useEffect(() => {
    if (frozen) return undefined
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), 500)
    return () => clearInterval(timer)
  }, [frozen])
  const time = new Date(Date.parse(now) + (frozen ? 0 : Math.max(0, performance.now() - readAt)))
  return (
    <div class="face">
      <p>
        <time dateTime={time.toISOString()}>{form.format(time)}</time>{' '}
        <Badge tone={frozen ? 'waiting' : 'good'}>{frozen ? 'frozen' : 'running'}</Badge>
      </p>
      <p>
        <code>{time.toISOString().replace(/\.\d+/, '')}</code>
      </p>
    </div>
  )
}

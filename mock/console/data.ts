import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { needsToken, sandbox, sentenceOf } from './session.ts'

export interface Data<Value> {
  /** The last value; kept while a newer one is read. */
  readonly value: Value | undefined
  /** Why the last read failed, in one sentence. */
  readonly error: string | undefined
  /** Whether the value was read for other dependencies, and the read for these has not ended. */
  readonly isOld: boolean
  readonly reload: () => void
}

/** Reads a value, again when a dependency changes, and at each change of the records or the settings. */
export function useData<Value>(
  read: (client: typeof sandbox.value) => Promise<Value>,
  dependencies: readonly unknown[],
  at?: keyof typeof changes,
): Data<Value> {
  const [data, setData] = useState<{ value?: Value; error?: string; of?: readonly unknown[] }>({})
  const [reloads, setReloads] = useState(0)
  const client = sandbox.value
  const count = at === undefined ? 0 : changes[at].value
  useEffect(() => {
    let isStale = false
    read(client).then(
      (value) => {
        if (!isStale) setData({ value, of: dependencies })
      },
      (error: unknown) => {
        const sentence = sentenceOf(error)
        if (!isStale)
          setData(({ value }) => ({ ...(value !== undefined && { value }), error: sentence, of: dependencies }))
      },
    )
    return () => {
      isStale = true
    }
  }, [client, ...dependencies, count, reloads])
  return {
    value: data.value,
    error: data.error,
    isOld: data.value !== undefined && dependencies.some((one, at) => one !== data.of?.[at]),
    reload: () => setReloads((times) => times + 1),
  }
}

/** The time of the sandbox, and when it was read, in milliseconds of the page. */
export const readClock = async ({ clock }: typeof sandbox.value) => ({
  ...(await clock.read()),
  readAt: performance.now(),
})

/** The time of the sandbox, which goes on after it was read. */
export function useTime({ now, frozen, readAt }: Awaited<ReturnType<typeof readClock>>): Date {
  const [, setTicks] = useState(0)
  useEffect(() => {
    if (frozen) return undefined
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), 500)
    return () => clearInterval(timer)
  }, [frozen])
  return new Date(Date.parse(now) + (frozen ? 0 : Math.max(0, performance.now() - readAt)))
}

/** Whether changes arrive. */
export const connection = signal<'connecting' | 'live' | 'lost'>('connecting')

/** Counts the changes of the shown team and of the settings; a page reads again when its count grows. */
export const changes = { records: signal(0), settings: signal(0) }

const longestWait = 10_000

/** Follows the changes of a team, and reconnects when the stream breaks. */
export function useChanges(team: string | undefined): void {
  const client = sandbox.value
  useEffect(() => {
    let isOver = false
    let timer: number | undefined
    let events: ReturnType<typeof client.events.follow> | undefined
    const follow = async (tries: number) => {
      let isOpen = false
      try {
        events = client.events.follow(team === undefined ? {} : { team })
        for await (const event of events) {
          if (isOver) return
          isOpen = true
          connection.value = 'live'
          changes[event].value++
        }
      } catch (error) {
        sentenceOf(error)
      }
      if (isOver || needsToken.value) return
      connection.value = 'lost'
      const next = isOpen ? 0 : tries + 1
      timer = window.setTimeout(() => void follow(next), Math.min(longestWait, 500 * 2 ** next))
    }
    void follow(0)
    return () => {
      isOver = true
      window.clearTimeout(timer)
      void events?.return?.()
    }
  }, [team, client])
}

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { needsToken, sandbox, sentenceOf } from './session.ts'

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

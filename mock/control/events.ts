import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { Type } from 'typebox'
import { checkMatch } from './context.ts'
import { noun, route } from './route.ts'
import { optionalText, queryOf } from '../core/schemas.ts'

/** How many characters of events wait for a slow reader. */
const longestBacklog = 1024 * 1024
/** A proxy ends a connection that is silent for a minute. */
const heartbeat = 15_000

/** Server-sent events, one client's. */
export class EventStream extends Readable {
  readonly #timer: NodeJS.Timeout

  constructor() {
    super({ encoding: 'utf8', read: () => undefined })
    this.push(': following\n\n') // a comment, so that the client gets the headers at once
    this.#timer = setInterval(() => this.push(': \n\n'), heartbeat).unref()
    this.once('close', () => clearInterval(this.#timer))
  }

  /** Whether the client reads too slowly for another event. */
  get isBehind(): boolean {
    return this.readableLength > longestBacklog
  }

  send(event: string, data: object): void {
    this.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  end(): void {
    clearInterval(this.#timer)
    this.push(null)
  }
}

/** In milliseconds. Changes within it are one event. */
const pace = 100

export const events = noun(
  'events',
  'That something changed, for a page that shows it.',
  ({ teams, settings, store }) => ({
    followEvents: route('GET /events', 'Follow the changes of a team, as server-sent events', {
      description:
        'An event `records` says that records of the team changed; an event `settings`, that the clock, the faults, the gates, the assumptions or the list of teams did. Changes within 100 ms are one event. Both are sent at the beginning, so that a client which reads at each event misses nothing. With a shared store, changes by all of its servers are announced. The stream ends when the sandbox is closed.',
      query: queryOf({ team: optionalText('The id of a team; all teams by default.', { maxLength: 200 }) }),
      type: 'text/event-stream; charset=utf-8',
      data: Type.Unsafe<EventStream>(Type.String()),
      async handler({ query: { team } }) {
        if (team !== undefined) await checkMatch({ team }, store)
        const stream = new EventStream()
        let revision = await store.shared?.revision(team)
        /** On a shared store, a notification only says that there may be a change. */
        const isChanged = async () => {
          if (!store.shared) return true
          const before = revision
          revision = await store.shared.revision(team)
          return revision !== before
        }
        const announce = (event: string, isNews: () => Promise<boolean>) => {
          let isDue = false
          return () => {
            if (teams.changes.isClosed) stream.end()
            if (isDue) return
            isDue = true
            void setTimeout(pace).then(async () => {
              isDue = false
              if (!stream.destroyed && !stream.isBehind && (await isNews().catch(() => true))) stream.send(event, {})
            })
          }
        }
        stream.send('records', {})
        stream.send('settings', {})
        const unsubscribe = [
          teams.changes.subscribe(team, announce('records', isChanged)),
          settings.changes.subscribe(
            undefined,
            announce('settings', async () => true),
          ),
        ]
        return stream.once('close', () => {
          for (const end of unsubscribe) end()
        })
      },
    }),
  }),
)

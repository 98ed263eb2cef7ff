import { Readable } from 'node:stream'

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
    this.once('close', () => {
      clearInterval(this.#timer)
    })
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

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { inSteps, stepsInARow } from '../../../lib/pause.ts'
import type { Redactor } from '../../../lib/redactor.ts'
import type { RemoteQueries, ServerOnStore } from '../../store/port.ts'
import type { EntryFilter } from './filter.ts'
import { type Journal, stepsOfEntry } from './journal.ts'
import type { SeenRequest } from './seen.ts'

/** In milliseconds. */
const announcedEvery = 5_000

/** In bytes. */
export const longestAnswer = 4_000_000

/** A request that becomes JSON when it is sent. */
export interface ToShow {
  readonly at: number
  toJSON(): SeenRequest
}

/** A query: the last requests that match. */
interface RemoteQuery {
  readonly filter: EntryFilter
  readonly last: number
}

/** Asks the other servers on the store for requests of their journals, and answers them. */
export class OtherServers {
  readonly #remoteQueries: RemoteQueries
  readonly #journal: Journal
  readonly #secrets: Redactor
  readonly #failed: (error: unknown) => void
  #self: ServerOnStore | undefined
  #announcedAt = 0
  #answering: Promise<void> | undefined
  #isAsked = false

  constructor(remoteQueries: RemoteQueries, journal: Journal, secrets: Redactor, failed: (error: unknown) => void) {
    this.#remoteQueries = remoteQueries
    this.#journal = journal
    this.#secrets = secrets
    this.#failed = failed
  }

  /** The name of this server, once it has joined. */
  get ownName(): string | undefined {
    return this.#self?.name
  }

  /** From now on, the others ask this server. Without a port, several of one process have the same name. */
  async join(port: number | undefined): Promise<void> {
    const name = `${hostname()}:${port ?? process.pid}`
    this.#self = { name, id: port === undefined ? `${name} ${randomUUID()}` : name }
    await this.announce()
    this.answer() // a server may have asked since the announcement
    await this.#answering
  }

  async announce(): Promise<void> {
    const now = performance.now()
    if (!this.#self || (this.#announcedAt > 0 && now - this.#announcedAt < announcedEvery)) return
    await this.#remoteQueries.announce(this.#self)
    this.#announcedAt = now
  }

  /** Answers what others have asked, in the background. */
  answer(): void {
    if (!this.#self) return
    this.#isAsked = true
    this.#answering ??= this.#answerAll()
  }

  /** The requests to the other servers, and the names of the servers that did not answer in time. */
  async ask(query: RemoteQuery): Promise<{ found: ToShow[]; unanswered: readonly string[] }> {
    const found: ToShow[] = []
    if (!this.#self) return { found, unanswered: [] }
    const { answers, unanswered } = await this.#remoteQueries.ask(this.#self, JSON.stringify(query))
    const lines = answers.flatMap((answer) => (answer === '' ? [] : answer.split('\n')))
    for await (const line of inSteps(lines, stepsOfEntry))
      found.push({ at: Date.parse(parse(line).at), toJSON: () => parse(line) })
    return { found, unanswered }
  }

  async close(): Promise<void> {
    const self = this.#self
    this.#self = undefined
    await this.#answering
    if (self) await this.#remoteQueries.leave(self).catch(this.#failed)
  }

  async #answerAll(): Promise<void> {
    try {
      while (this.#isAsked && this.#self) {
        this.#isAsked = false
        await this.#remoteQueries.answer(this.#self, (query) => this.#answerTo(JSON.parse(query) as RemoteQuery))
      }
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#answering = undefined
    }
  }

  /** As many of the last requests as fit, as JSON, one on each line. */
  async #answerTo({ filter, last }: RemoteQuery): Promise<string> {
    // Loaded on first use, since the schemas would slow every start down.
    const [{ findAll }, { showRequest }] = await Promise.all([import('./filter.ts'), import('./seen.ts')])
    const latest = (await findAll(filter, this.#journal)).slice(-last).toReversed()
    const shown: string[] = []
    let bytes = 0
    for await (const entry of inSteps(latest, stepsInARow)) {
      const json = JSON.stringify(showRequest(entry, this.#secrets, this.ownName))
      bytes += Buffer.byteLength(json)
      if (bytes > longestAnswer) break
      shown.push(json)
    }
    return shown.toReversed().join('\n')
  }
}

const parse = (line: string) => JSON.parse(line) as SeenRequest

import { setTimeout } from 'node:timers/promises'
import type { TeamInWorld, World } from '../../../fixtures/world.ts'
import { longestWait } from '../../longest-wait.ts'

interface Answered {
  readonly team: string
  readonly kind: 'contacts' | 'messages'
  /** The e-mail address or the content. */
  readonly mark: string
  readonly id: string
}

/** The requests of many clients, and their answers. */
export class Load {
  readonly answered: Answered[] = []
  /** The number of responses by status; 0 means a connection that ended. */
  readonly statuses: Record<number, number> = {}
  readonly #urls: readonly string[]
  readonly #clients: number
  #sent = 0

  /** `urls` may change while the clients run. */
  constructor(urls: readonly string[], clients = 8) {
    this.#urls = urls
    this.#clients = clients
  }

  /** Sends requests until `work` has ended. A client repeats a request with its Idempotency-Key until it succeeds. */
  async during(work: () => Promise<void>): Promise<void> {
    let isOver = false as boolean
    const clients = Array.from({ length: this.#clients }, async () => {
      while (!isOver) await this.#request()
    })
    await Promise.all([work().finally(() => (isOver = true)), ...clients])
  }

  /** Resolves after so many more successes. */
  async successes(count: number): Promise<void> {
    const enough = this.answered.length + count
    while (this.answered.length < enough) await setTimeout(5)
  }

  /** The creates that were lost or applied twice. */
  wrongIn({ teams }: World): string[] {
    return teams.flatMap((team) => [...this.#lostIn(team), ...doubledIn(team)])
  }

  #lostIn(team: TeamInWorld): string[] {
    const ids = {
      contacts: new Map(team.contacts?.map(({ _id, email }) => [email, _id])),
      messages: new Map(team.messages?.map(({ _id, content }) => [content, _id])),
    }
    return this.answered
      .filter((one) => one.team === team._id && ids[one.kind].get(one.mark) !== one.id)
      .map(({ kind, mark, id }) => `${kind} ${mark}: answered ${id}, stored ${ids[kind].get(mark)}`)
  }

  async #request(): Promise<void> {
    const number = this.#sent++
    const team = number % 2 === 0 ? 'acme' : 'globex'
    const { kind, path, mark, body } = number % 4 < 2 ? creation(number) : sending(number)
    const headers = { 'content-type': 'application/json', 'x-api-key': `${team}-key`, 'idempotency-key': mark }
    for (const deadline = performance.now() + longestWait; performance.now() < deadline;) {
      const url = this.#urls[Math.floor(Math.random() * this.#urls.length)] ?? ''
      const request = { method: 'POST', headers, body: JSON.stringify(body) }
      const { status, id } = await fetch(url + path, request).then(readAnswer, () => ({ status: 0, id: '' }))
      this.statuses[status] = (this.statuses[status] ?? 0) + 1
      if (status >= 200 && status < 300) return void this.answered.push({ team, kind, mark, id })
      if (status !== 0 && status !== 500) throw new Error(`${path} was answered ${status}`)
      await setTimeout(20)
    }
    throw new Error(`${path} had no success within ${longestWait} ms`)
  }
}

const readAnswer = async (response: Response) => {
  const { data } = (await response.json()) as { readonly data?: { readonly _id?: string } }
  return { status: response.status, id: data?._id ?? '' }
}

function creation(number: number) {
  const email = `ada.${number}@example.com`
  return {
    ...({ kind: 'contacts', path: '/api/contacts', mark: email } as const),
    body: { firstName: 'Ada', lastName: 'Lovelace', email },
  }
}

/** To one of few people, so that simultaneous requests create their contact and their conversation. */
function sending(number: number) {
  const content = `Hello ${number}`
  const to = `+1415555${String(Math.floor(number / 32)).padStart(4, '0')}`
  return {
    ...({ kind: 'messages', path: '/api/messages/sendMessage', mark: content } as const),
    body: { channel: 'sms', providerId: 'sms-provider', to, content },
  }
}

function doubledIn({ _id, contacts = [], conversations = [], messages = [] }: TeamInWorld): string[] {
  const marks = [
    ...contacts.map(({ email, phone }) => `contact ${email ?? phone}`),
    ...conversations.map(({ contactId }) => `conversation with ${contactId}`),
    ...messages.map(({ content }) => `message ${content}`),
  ]
  const once = new Set<string>()
  return marks.filter((mark) => once.size === once.add(mark).size).map((mark) => `${_id}: twice ${mark}`)
}

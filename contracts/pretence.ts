import { fieldsOf } from '../client/answer.ts'
import type { Outgoing, Send } from '../client/transport.ts'

/** Sends nothing: answers each request as if it had succeeded, and notes it. */
export class Pretence {
  #asked: string[] = []
  readonly #made = new Map<string, object>()
  #count = 0

  send: Send = async (request) => {
    this.#asked.push(lineOf(request))
    const text = JSON.stringify({ success: true, message: 'Pretended', ...this.#dataFor(request) })
    return { status: 200, headers: { 'content-type': 'application/json' }, text }
  }

  /** The requests since the last time, such as `POST /api/contacts {"firstName":"Ada"}`. */
  take(): readonly string[] {
    const asked = this.#asked
    this.#asked = []
    return asked
  }

  /** What lets a check go on: ids, and whatever was sent. */
  #dataFor({ url, body }: Outgoing): object {
    const { searchParams, pathname } = new URL(url)
    if (searchParams.has('page')) return { data: [], pagination: { totalPages: 0, hasMore: false } }
    const [known] = /pretended-\d+/.exec(pathname) ?? []
    const isConversation = /conversation/i.test(pathname)
    const sent = parse(body)
    const { contactId = this.#newId() } = fieldsOf(sent)
    const contact = { _id: contactId, name: 'Ada', ...this.#made.get(String(contactId)), ...sent }
    const record = {
      _id: known ?? this.#newId(),
      conversationId: this.#newId(),
      createdAt: new Date().toISOString(),
      contactId: isConversation ? { ...contact, contactId: undefined } : contactId,
      ...this.#made.get(known ?? ''),
      ...(isConversation ? {} : sent),
    }
    this.#made.set(record._id, record)
    return { data: pathname.includes('getAllConversations') ? [record] : record }
  }

  #newId = () => `pretended-${++this.#count}`
}

function lineOf({ method, url, body }: Outgoing): string {
  const { pathname, search } = new URL(url)
  return `${method} ${pathname}${search}${body ? ` ${body.toString()}` : ''}`
}

function parse(body: Buffer | undefined): object {
  try {
    return fieldsOf(JSON.parse(body?.toString() ?? '{}'))
  } catch {
    return {}
  }
}

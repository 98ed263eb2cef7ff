import { fieldsOf } from '../client/answer.ts'
import { parseJson } from '../shared/parse-json.ts'
import type { Outgoing, Send } from '../client/transport.ts'

/** Sends no request: it records each one, and answers as if it had succeeded. */
export class DryRunTransport {
  #requests: string[] = []
  readonly #records = new Map<string, object>()
  #count = 0

  send: Send = async (request) => {
    this.#requests.push(lineOf(request))
    const text = JSON.stringify({ success: true, message: 'Pretended', ...this.#dataFor(request) })
    return { status: 200, headers: { 'content-type': 'application/json' }, text }
  }

  /** The requests since the last time, such as `POST /api/contacts {"firstName":"Ada"}`. */
  take(): readonly string[] {
    const requests = this.#requests
    this.#requests = []
    return requests
  }

  /** An id and the fields of the request, so that a check can go on. */
  #dataFor({ url, body }: Outgoing): object {
    const { searchParams, pathname } = new URL(url)
    if (searchParams.has('page')) return { data: [], pagination: { totalPages: 0, hasMore: false } }
    const [known] = /pretended-\d+/.exec(pathname) ?? []
    const isConversation = /conversation/i.test(pathname)
    const sent = fieldsOf(parseJson(body?.toString() ?? ''))
    const { contactId = this.#newId() } = fieldsOf(sent)
    const contact = { _id: contactId, name: 'Ada', ...this.#records.get(String(contactId)), ...sent }
    const record = {
      _id: known ?? this.#newId(),
      conversationId: this.#newId(),
      createdAt: new Date().toISOString(),
      contactId: isConversation ? { ...contact, contactId: undefined } : contactId,
      ...this.#records.get(known ?? ''),
      ...(isConversation ? {} : sent),
    }
    this.#records.set(record._id, record)
    return { data: pathname.includes('getAllConversations') ? [record] : record }
  }

  #newId = () => `pretended-${++this.#count}`
}

function lineOf({ method, url, body }: Outgoing): string {
  const { pathname, search } = new URL(url)
  return `${method} ${pathname}${search}${body ? ` ${body.toString()}` : ''}`
}

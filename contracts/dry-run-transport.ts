import { fieldsOf } from './client/answer.ts'
import { parseJson } from '../lib/json.ts'
import type { Outgoing, Send } from './client/transport.ts'

/** Sends no request: it records each one, and answers as if it had succeeded. */
export function dryRunTransport() {
  let requests: string[] = []
  let count = 0
  const records = new Map<string, object>()
  const newId = () => `pretended-${++count}`

  /** An id and the fields of the request, so that a check can go on. */
  function dataFor({ url, body }: Outgoing): object {
    const { searchParams, pathname } = new URL(url)
    if (searchParams.has('page')) return { data: [], pagination: { totalPages: 0, hasMore: false } }
    const [known] = /pretended-\d+/.exec(pathname) ?? []
    const isConversation = /conversation/i.test(pathname)
    const sent = fieldsOf(parseJson(body?.toString() ?? ''))
    const { contactId = newId() } = fieldsOf(sent)
    const contact = { _id: contactId, name: 'Ada', ...records.get(String(contactId)), ...sent }
    const record = {
      _id: known ?? newId(),
      conversationId: newId(),
      createdAt: new Date().toISOString(),
      contactId: isConversation ? { ...contact, contactId: undefined } : contactId,
      ...records.get(known ?? ''),
      ...(isConversation ? {} : sent),
    }
    records.set(record._id, record)
    return { data: pathname.includes('getAllConversations') ? [record] : record }
  }

  const send: Send = async (request) => {
    requests.push(lineOf(request))
    const text = JSON.stringify({ success: true, message: 'Pretended', ...dataFor(request) })
    return { status: 200, headers: { 'content-type': 'application/json' }, text }
  }
  /** The requests since the last time, such as `POST /api/contacts {"firstName":"Ada"}`. */
  const take = (): readonly string[] => {
    const taken = requests
    requests = []
    return taken
  }
  return { send, take }
}

function lineOf({ method, url, body }: Outgoing): string {
  const { pathname, search } = new URL(url)
  return `${method} ${pathname}${search}${body ? ` ${body.toString()}` : ''}`
}

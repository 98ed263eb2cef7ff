import type { Ask, Told } from '../mock/harness.ts'
import { credentials } from '../other-server/server.ts'
import type { Break } from './sides.ts'

/** Servers with one bug each, which changes either the request or the answer. */
export const bugs: Readonly<Record<string, Break>> = {
  'an upsert always creates': (call) => async (id, ask) => {
    if (id !== 'createOrUpdateContact') return call(id, ask)
    const told = await call('createContact', ask)
    return told.status === 201 ? { ...told, status: 200 } : told
  },

  'an id of another team can be read': (call) => async (id, ask) => {
    const told = await call(id, ask)
    if (told.status !== 404 || id !== 'getConversation') return told
    return call(id, { ...ask, key: ask?.key === credentials.team ? credentials.otherTeam : credentials.team })
  },

  'capitals make a different address': (call) => async (id, ask) =>
    call(
      id,
      changed(ask, (text) => text.replaceAll('Ada@Example.com', 'Capital@Example.com')),
    ).then((told) => ({
      ...told,
      body: JSON.parse(JSON.stringify(told.body).replaceAll('Capital@Example.com', 'Ada@Example.com')),
    })),

  'a page of a history has one message too many': (call) => async (id, ask) => {
    const limit = Number(ask?.query?.limit)
    return call(id, id === 'listMessages' && limit < 100 ? { ...ask, query: { ...ask?.query, limit: limit + 1 } } : ask)
  },

  'a read is cached forever': (call) => {
    const seen = new Map<string, Told>()
    return async (id, ask) => {
      if (!/^get|^listConversations/.test(id)) return call(id, ask)
      const place = JSON.stringify([id, ask?.path])
      const told = seen.get(place) ?? (await call(id, ask))
      if (told.status === 200) seen.set(place, told)
      return told
    }
  },

  'an update drops the fields that it does not mention': (call) => async (id, ask) => {
    const told = await call(id, ask)
    if (id !== 'updateProduct' || told.status !== 200) return told
    const isSent = ([field]: [string, unknown]) => field === '_id' || Object.hasOwn(ask?.body as object, field)
    return { ...told, body: { ...told.body, data: Object.fromEntries(Object.entries(told.body.data).filter(isSent)) } }
  },

  'an Idempotency-Key is ignored': (call) => async (id, ask) => {
    const { 'idempotency-key': _, ...headers } = ask?.headers ?? {}
    return call(id, { ...ask, headers })
  },

  'a refused send creates a conversation': (call) => async (id, ask) => {
    const told = await call(id, ask)
    const { contactId } = (ask?.body ?? {}) as { contactId?: unknown }
    if (id === 'sendMessage' && told.status === 400 && contactId !== undefined) {
      await call('createConversation', { ...ask, body: { contactId } })
    }
    return told
  },

  'agents list the templates of everyone': (call) => async (id, ask) => {
    if (id !== 'listTemplates' || ask?.key !== null) return call(id, ask)
    return call(id, { ...ask, key: credentials.team, headers: {} })
  },
}

/** The request with the text of its body and query changed. */
function changed(ask: Ask | undefined, change: (text: string) => string): Ask {
  const { query, body, ...others } = ask ?? {}
  const again = <Part>(part: Part): Part => (part === undefined ? part : JSON.parse(change(JSON.stringify(part))))
  return { ...others, ...(query === undefined ? {} : { query: again(query) }), body: again(body) }
}

import { type Voice, writeIdForm } from '../../spec/voice/voice.ts'

/** The lines of a profile for a voice. */
export function writeVoice(voice: Voice): string[] {
  const { ids, ...others } = voice
  const writtenIds = ids && Object.fromEntries(Object.entries(ids).map(([name, form]) => [name, writeIdForm(form)]))
  const parts = Object.entries({ ...others, ...(writtenIds ? { ids: writtenIds } : {}) })
  return ['voice: # how this server speaks; serve --no-voice leaves it out', ...linesOf(Object.fromEntries(parts), 1)]
}

function linesOf(value: object, depth: number): string[] {
  const indent = '  '.repeat(depth)
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) =>
    typeof one === 'object' && one !== null
      ? [`${indent}${keyOf(name)}:`, ...linesOf(one, depth + 1)]
      : [`${indent}${keyOf(name)}: ${JSON.stringify(one)}`],
  )
}

/** `$id` and `on` need quotes in YAML. */
const keyOf = (name: string) =>
  /^(?:[a-z][A-Za-z-]{3,}|\d{3})$/.test(name) && name !== 'null' && name !== 'true' && name !== 'false'
    ? name
    : JSON.stringify(name)

/** What was heard now, and for the rest what an older profile says. */
export function mergeVoices(older: Voice = {}, heard: Voice = {}): Voice {
  const { messages, fields } = older
  const all = { ...older, ...heard }
  return {
    ...all,
    ...(messages && heard.messages ? { messages: mergeEach(messages, heard.messages) } : {}),
    ...(fields && heard.fields ? { fields: { ...fields, ...heard.fields } } : {}),
    ...(older.badField && heard.badField ? { badField: { ...older.badField, ...heard.badField } } : {}),
    ...(older.ids && heard.ids ? { ids: { ...older.ids, ...heard.ids } } : {}),
    ...(older.headers && heard.headers ? { headers: { ...older.headers, ...heard.headers } } : {}),
  }
}

type Messages = NonNullable<Voice['messages']>

function mergeEach(older: Messages, heard: Messages): Messages {
  const names = [...new Set([...Object.keys(older), ...Object.keys(heard)])] as (keyof Messages)[]
  return Object.fromEntries(names.map((name) => [name, { ...older[name], ...heard[name] }]))
}

import { recordNames, type RecordName } from '../../spec/voice/records.ts'
import { type FieldTypes, faultsOfField, type IdForm, type Voice, writeIdForm } from '../../spec/voice/voice.ts'

/** What a run heard of a server. */
export interface Heard {
  readonly voice: Voice
  /** The records that it showed; the others cannot be compared. */
  readonly records: ReadonlySet<RecordName>
}

/** A part of a voice that is another one than before, in words. */
interface Change {
  readonly name: string
  readonly was: string
  readonly is: string
}

/** Where a server speaks differently than it did. What was not heard again is no difference. */
export function compareVoices(old: Voice, { voice, records }: Heard): readonly Change[] {
  const shown = recordNames.filter((name) => records.has(name))
  return [
    ...compareMessages(old.messages, voice.messages),
    ...faultsOfField.flatMap((fault) => changeOf(`badField.${fault}`, old.badField?.[fault], voice.badField?.[fault])),
    ...shown.flatMap((name) => changeOf(`ids.${name}`, writtenIds(old.ids?.[name]), writtenIds(voice.ids?.[name]))),
    ...(shown.includes('contacts') ? changeOf('times', writtenTimes(old), writtenTimes(voice)) : []),
    ...shown.flatMap((name) => compareNamed(`fields.${name}`, old.fields?.[name], voice.fields?.[name])),
    ...(shown.length > 0 ? compareNamed('meta', old.meta, voice.meta) : []),
    ...compareNamed('headers', old.headers, voice.headers),
  ]
}

function changeOf(name: string, was: string | undefined, is: string | undefined): Change[] {
  if (was === undefined || is === undefined || was === is) return []
  return [{ name: `voice.${name}`, was: JSON.stringify(was), is: JSON.stringify(is) }]
}

function compareMessages(old: Voice['messages'] = {}, heard: Voice['messages'] = {}): Change[] {
  return Object.entries(old).flatMap(([operation, texts]) =>
    Object.entries(texts).flatMap(([status, text]) =>
      changeOf(`messages.${operation}.${status}`, text, heard[operation as keyof typeof heard]?.[status]),
    ),
  )
}

/** One that appears, or is gone, is a change too; one that is always null may have any type. */
function compareNamed(name: string, old: FieldTypes | Named = {}, heard: FieldTypes | Named = {}): Change[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(heard)])]
  return names.flatMap((one) => {
    const [was, is]: (string | undefined)[] = [old[one], heard[one]]
    if (was === is || ((was === 'null' || is === 'null') && was !== undefined && is !== undefined)) return []
    return [{ name: `voice.${name}.${one}`, was: was ?? 'absent', is: is ?? 'absent' }]
  })
}

type Named = Readonly<Record<string, string>>

/** A profile leaves out what is usual. A counter gets longer. */
const writtenIds = (form: IdForm | undefined) =>
  form === undefined ? '{hex:24}' : writeIdForm(form).replace(/\{digits:\d+\}/, '{digits}')

const writtenTimes = ({ times: { precision, offset } = { precision: 'milliseconds', offset: 'Z' } }: Voice) =>
  `${precision}, ${offset}`

import { useState } from 'preact/hooks'
import { Field } from '../../ui/field.tsx'
import { notify } from '../../ui/notices.tsx'
import { type AnyRecord, type FormField, textOf } from './kinds.ts'

interface RecordFormProps {
  readonly fields: readonly FormField[]
  /** The record before; an empty object for a new one. */
  readonly record: AnyRecord
  readonly submit: string
  readonly onSubmit: (body: AnyRecord) => void
  readonly onCancel: () => void
}

/** A form with the simple fields, and JSON for all others. Only fields that were changed are sent. */
export function RecordForm({ fields, record, submit, onSubmit, onCancel }: RecordFormProps) {
  const [texts, setTexts] = useState(() =>
    Object.fromEntries(fields.map(({ name }) => [name, textOf(record[name], Infinity)])),
  )
  const [json, setJson] = useState('{}')
  const send = () => {
    const others = parse(json)
    if (!others) {
      notify('The other fields must be a JSON object, such as {"additionalFields":{"tier":"gold"}}.', true)
      return
    }
    const changed = fields.flatMap(({ name, isNumber }): [string, unknown][] => {
      const text = texts[name] ?? ''
      if (text === textOf(record[name], Infinity)) return []
      return [[name, isNumber && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text]]
    })
    onSubmit({ ...Object.fromEntries(changed), ...others })
  }
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div class="columns">
        {fields.map(({ name, label, isLong, isRequired, choices }) => {
          const shared = {
            value: texts[name] ?? '',
            onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
              setTexts((all) => ({ ...all, [name]: value }))
            },
          }
          return (
            <Field key={name} label={isRequired ? `${label} (required)` : label}>
              {choices ? (
                <select {...shared}>
                  <option value="">—</option>
                  {choices.map((one) => (
                    <option key={one}>{one}</option>
                  ))}
                </select>
              ) : isLong ? (
                <textarea {...shared} />
              ) : (
                <input {...shared} autocomplete="off" />
              )}
            </Field>
          )
        })}
      </div>
      <Field label="Other fields as JSON">
        <textarea
          spellcheck={false}
          value={json}
          onInput={({ currentTarget }) => {
            setJson(currentTarget.value)
          }}
        />
      </Field>
      <div class="actions">
        <button type="submit" class="primary">
          {submit}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}

function parse(text: string): AnyRecord | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as AnyRecord) : undefined
  } catch {
    return undefined
  }
}

import { parseJson } from '../../../../lib/parse-json.ts'
import { Field, type FilledIn, Form, Select } from '../../ui/form.tsx'
import { notify } from '../../ui/notices.tsx'
import { type AnyRecord, kinds, type KindWithPages, textOf, wordsOf } from './kinds.ts'

interface RecordFormProps {
  readonly kind: KindWithPages
  readonly fields: readonly string[]
  /** The record before the change; an empty object for a new one. */
  readonly record: AnyRecord
  readonly submit: string
  readonly onSubmit: (body: AnyRecord) => unknown
  /** The address of the page that Cancel opens. */
  readonly cancel: string
}

/** A form with the simple fields, and JSON for all others. Only fields that were changed are sent. */
export function RecordForm({ kind, fields, record, submit, onSubmit, cancel }: RecordFormProps) {
  const send = (filledIn: FilledIn) => {
    const others = parseJson(filledIn[otherFields] ?? '{}')
    if (typeof others !== 'object' || others === null || Array.isArray(others)) {
      notify('The other fields must be a JSON object, such as {"additionalFields":{"tier":"gold"}}.', true)
      return
    }
    const changed = fields.flatMap((field): [string, unknown][] => {
      const text = filledIn[field] ?? ''
      if (text === textOf(record[field], Infinity)) return []
      const isNumber = wordsOf(field).as === 'number' && text !== '' && Number.isFinite(Number(text))
      return [[field, isNumber ? Number(text) : text]]
    })
    onSubmit({ ...Object.fromEntries(changed), ...others })
  }
  return (
    <Form class="card" onSubmit={send}>
      <div class="columns">
        {fields.map((field) => (
          <RecordField key={field} kind={kind} field={field} text={textOf(record[field], Infinity)} />
        ))}
      </div>
      <Field label="Other fields as JSON">
        <textarea name={otherFields} spellcheck={false} defaultValue="{}" />
      </Field>
      <div class="actions">
        <button type="submit" class="primary">
          {submit}
        </button>
        <a class="button" href={cancel}>
          Cancel
        </a>
      </div>
    </Form>
  )
}

/** No field has a space in its name. */
const otherFields = 'other fields'

interface RecordFieldProps {
  readonly kind: KindWithPages
  readonly field: string
  readonly text: string
}

function RecordField({ kind, field, text }: RecordFieldProps) {
  const { required, choices: { [field]: choices } = {} } = kinds[kind]
  const { title, hint, as } = wordsOf(field)
  const input = { name: field, defaultValue: text, autocomplete: 'off' } as const
  return (
    <Field label={required.includes(field) ? `${title} (required)` : title} hint={hint}>
      {choices ? (
        <Select name={field} initial={text} choices={[['', '—'], ...choices]} />
      ) : as === 'longText' ? (
        <textarea {...input} />
      ) : (
        <input {...input} />
      )}
    </Field>
  )
}

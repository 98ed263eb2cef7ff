import { parseJson } from '../../../../lib/json.ts'
import { Field, type FilledIn, Form, Select } from '../../ui/form.tsx'
import { notify } from '../../ui/notices.tsx'
import { useData } from '../../data.ts'
import { Loaded } from '../../ui/page.tsx'
import { type BodyField, readBodyFields } from './body-fields.ts'
import { type AnyRecord, textOf, wordsOf } from './kinds.ts'

interface RecordFormProps {
  /** Which creates or updates the record. */
  readonly operation: string
  /** The record before the change; undefined for a new one. */
  readonly record?: AnyRecord
  readonly submit: string
  readonly onSubmit: (body: AnyRecord) => unknown
  /** The address of the page that Cancel opens. */
  readonly cancel: string
}

/**
 * A form with the simple fields, and JSON for all others. Only fields that were changed are sent. An update that requires a
 * field, as that of a template does, gets the one of the record.
 */
export function RecordForm({ operation, record, ...others }: RecordFormProps) {
  const data = useData(() => readBodyFields(operation), [operation])
  return (
    <Loaded data={data}>
      {(all) => {
        const required = record ? all.filter(({ isRequired }) => isRequired) : []
        const fixed = Object.fromEntries(required.map(({ name }) => [name, record?.[name]]))
        const fields = all.filter((field) => !required.includes(field))
        return <LoadedForm {...others} fields={fields} record={record ?? {}} fixed={fixed} />
      }}
    </Loaded>
  )
}

interface LoadedFormProps extends Required<Omit<RecordFormProps, 'operation'>> {
  readonly fields: readonly BodyField[]
  readonly fixed: AnyRecord
}

function LoadedForm({ fields, record, fixed, submit, onSubmit, cancel }: LoadedFormProps) {
  const send = (filledIn: FilledIn) => {
    const others = parseJson(filledIn[otherFields] ?? '{}')
    if (typeof others !== 'object' || others === null || Array.isArray(others)) {
      notify('The other fields must be a JSON object, such as {"additionalFields":{"tier":"gold"}}.', true)
      return
    }
    const changed = fields.flatMap(({ name, isNumber }): [string, unknown][] => {
      const text = filledIn[name] ?? ''
      if (text === textOf(record[name], Infinity)) return []
      return [[name, isNumber && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text]]
    })
    onSubmit({ ...fixed, ...Object.fromEntries(changed), ...others })
  }
  return (
    <Form class="card" onSubmit={send}>
      <div class="columns">
        {fields.map((field) => (
          <RecordField key={field.name} field={field} text={textOf(record[field.name], Infinity)} />
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
  readonly field: BodyField
  readonly text: string
}

function RecordField({ field: { name, isRequired, choices, hint }, text }: RecordFieldProps) {
  const { title, as } = wordsOf(name)
  const input = { name, defaultValue: text, autocomplete: 'off' } as const
  return (
    <Field label={isRequired ? `${title} (required)` : title} hint={hint || undefined}>
      {choices ? (
        <Select name={name} initial={text} choices={[['', '—'], ...choices]} />
      ) : as === 'longText' ? (
        <textarea {...input} />
      ) : (
        <input {...input} />
      )}
    </Field>
  )
}

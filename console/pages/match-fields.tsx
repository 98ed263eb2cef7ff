import { operationIds } from '../operation-ids.ts'
import { Field } from '../ui/field.tsx'

/** The inputs of a form that say which requests a fault or a gate is about. */
export function MatchFields() {
  return (
    <>
      <Field label="Operation">
        <select name="operation">
          <option value="">All operations</option>
          {operationIds.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </Field>
      <Field label="Teams">
        <select name="teams">
          <option value="">This team</option>
          <option value="all">All teams</option>
        </select>
      </Field>
      <Field label="Only where the field" hint="Of the body, the path or the query, such as email or scheduleTime.date">
        <input name="field" autocomplete="off" />
      </Field>
      <Field label="has the value" hint='A text, or JSON such as 5, true or ["a"]'>
        <input name="value" autocomplete="off" />
      </Field>
    </>
  )
}

/** The requests that the filled in inputs select. */
export function matchIn({ operation, teams, field, value = '' }: Readonly<Record<string, string>>, team: string) {
  return {
    ...(operation !== undefined && { operation }),
    ...(teams !== 'all' && { team }),
    ...(field !== undefined && { where: { [field]: readValue(value) } }),
  }
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

import { useState } from 'preact/hooks'
import { Button } from './buttons.tsx'
import { confirm } from './confirm.tsx'
import { type Choice, Field, type FilledIn, Form, Select } from './form.tsx'
import { act } from './notices.tsx'

export interface Action {
  readonly title: string
  /** When its title does not say enough. */
  readonly label?: string
  readonly disabled?: boolean
  readonly run: () => unknown
  /** The notice after a success. */
  readonly done: string
  /** What will be lost: the user is asked first. */
  readonly loses?: string | (() => Promise<string>)
  /** Such as `Delete the team Globex`; by default the title. */
  readonly asks?: string
  /** By default, a refusal is a notice. */
  readonly onRefused?: (sentence: string) => void
}

export function ActionButton(action: Action) {
  const { title, label, disabled, loses } = action
  return (
    <Button class={loses && 'danger'} label={label} disabled={disabled} onPress={() => perform(action)}>
      {title}
    </Button>
  )
}

export async function perform({ title, run, done, loses, asks = title, onRefused }: Action): Promise<void> {
  if (loses === undefined || (await confirm(asks, typeof loses === 'string' ? loses : await loses())))
    await act(run, done, onRefused)
}

export interface FormField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** The values of a field that takes one of a few. */
  readonly choices?: readonly Choice[]
  readonly initial?: string
  readonly type?: 'number'
  readonly required?: boolean
  readonly maxLength?: number
}

export type Columns = readonly (readonly FormField[])[]

interface ActionFormProps {
  readonly title?: string
  /** A function, if a choice decides which other fields there are. */
  readonly columns: Columns | ((filledIn: FilledIn) => Columns)
  /** Its title is that of the button. */
  readonly action: (filledIn: FilledIn, form?: HTMLFormElement) => Action
}

/** A form for the fields of an action. The control plane checks their values. */
export function ActionForm({ title, columns, action }: ActionFormProps) {
  const [filledIn, setFilledIn] = useState<FilledIn>({})
  return (
    <Form class={title && 'card'} onChange={setFilledIn} onSubmit={(fields, form) => perform(action(fields, form))}>
      {title && <h2>{title}</h2>}
      <div class="columns">
        {(typeof columns === 'function' ? columns(filledIn) : columns).map((fields, at) => (
          <div key={at}>
            {fields.map(({ name, label, hint, choices, initial, ...input }) => (
              <Field key={`${name} ${initial}`} label={label} hint={hint}>
                {choices ? (
                  <Select name={name} choices={choices} />
                ) : (
                  <input name={name} defaultValue={initial} autocomplete="off" {...input} />
                )}
              </Field>
            ))}
          </div>
        ))}
      </div>
      <button type="submit" class="primary">
        {action(filledIn).title}
      </button>
    </Form>
  )
}

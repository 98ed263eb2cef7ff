import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useQuery } from '../address.ts'

/** The texts of a form by the names of its inputs, without the empty ones. */
export type FilledIn = Readonly<Record<string, string>>

interface FormProps {
  readonly class?: string | undefined
  readonly onChange?: (fields: FilledIn) => void
  readonly onSubmit: (fields: FilledIn, form: HTMLFormElement) => unknown
  readonly children: ComponentChildren
}

export function Form({ onChange, onSubmit, ...others }: FormProps) {
  return (
    <form
      {...others}
      onChange={({ currentTarget }) => onChange?.(filledIn(currentTarget))}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(filledIn(event.currentTarget), event.currentTarget)
      }}
    />
  )
}

function filledIn(form: HTMLFormElement): FilledIn {
  const texts = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}

interface FieldProps {
  readonly label: string
  /** What may be entered, or why it was refused. */
  readonly hint?: ComponentChildren
  /** The input. */
  readonly children: ComponentChildren
}

/** An input with its label. */
export function Field({ label, hint, children }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {hint === undefined ? null : <small>{hint}</small>}
    </label>
  )
}

/** A value, which is also its text unless there are other words for it. */
export type Choice = string | readonly [value: string, words: string] | ChoiceGroup

interface ChoiceGroup {
  readonly group: string
  readonly choices: readonly Choice[]
}

interface SelectProps {
  /** Needed outside of a Field. */
  readonly label?: string
  readonly name?: string
  readonly choices: readonly Choice[]
  /** Chosen at first. */
  readonly initial?: string
  /** Always chosen, for a select whose state is kept elsewhere. */
  readonly value?: string
  readonly onChoose?: (value: string) => unknown
}

export function Select({ label, choices, initial, onChoose, ...others }: SelectProps) {
  return (
    <select {...others} aria-label={label} onChange={({ currentTarget: { value } }) => onChoose?.(value)}>
      {choices.map((choice) => optionOf(choice, initial))}
    </select>
  )
}

function optionOf(choice: Choice, initial: string | undefined) {
  if (typeof choice === 'object' && 'group' in choice)
    return choice.choices.length === 0 ? null : (
      <optgroup key={choice.group} label={choice.group}>
        {choice.choices.map((one) => optionOf(one, initial))}
      </optgroup>
    )
  const [value, words] = typeof choice === 'string' ? [choice, choice] : choice
  return (
    <option key={value} value={value} selected={initial === undefined ? undefined : value === initial}>
      {words}
    </option>
  )
}

/** The choice between the shown team and all teams. */
export const teamChoices: readonly Choice[] = [
  ['team', 'This team'],
  ['all', 'All teams'],
]

interface FilterProps {
  /** In the query of the address. */
  readonly name: string
  readonly label: string
  /** For no choice. */
  readonly all: string
  readonly choices: readonly Choice[]
}

/** A filter in the query of the page's address. */
export function Filter({ name, label, all, choices }: FilterProps) {
  const { query, set } = useQuery()
  return (
    <Select
      label={label}
      value={query[name] ?? ''}
      choices={[['', all], ...choices]}
      onChoose={(value) => set({ [name]: value })}
    />
  )
}

interface CheckFilterProps {
  readonly name: string
  /** In the query of the address while it is checked. */
  readonly value: string
  readonly children: ComponentChildren
}

export function CheckFilter({ name, value, children }: CheckFilterProps) {
  const { query, set } = useQuery()
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={query[name] === value}
        onChange={({ currentTarget: { checked } }) => set({ [name]: checked ? value : '' })}
      />
      <span>{children}</span>
    </label>
  )
}

interface SearchBoxProps {
  /** In the query of the address. */
  readonly name: string
  readonly label: string
}

/** In milliseconds, after the last key. */
const searchDelay = 200

/** A search text in the query of the page's address. The key `/` moves the focus here, and ↓ to the first row. */
export function SearchBox({ name, label }: SearchBoxProps) {
  const { query, set } = useQuery()
  const value = query[name] ?? ''
  const [text, setText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => set({ [name]: text, page: '' }), searchDelay)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event.target)) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])
  return (
    <input
      ref={input}
      class="search"
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={(event) => {
        const first = document.querySelector<HTMLElement>('.conversations li a, tbody td:first-child > a')
        if (event.key !== 'ArrowDown' || !first) return
        event.preventDefault()
        first.focus()
      }}
    />
  )
}

/** Whether a key belongs to a field. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, dialog') !== null

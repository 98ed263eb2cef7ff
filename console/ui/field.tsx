import type { ComponentChildren } from 'preact'

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

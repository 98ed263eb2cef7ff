import type { ComponentChildren } from 'preact'
import type { Data } from '../data.ts'

/** The parts of the address that choose what a page shows. */
export interface PageProps {
  readonly team: string
  /** The part of the address after the page, such as the id of a record. */
  readonly id: string | undefined
}

interface FrameProps {
  readonly title: string
  /** Buttons beside the title. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

export function Page({ title, actions, children }: FrameProps) {
  return (
    <article class="page">
      <header>
        <h1>{title}</h1>
        <div class="actions">{actions}</div>
      </header>
      {children}
    </article>
  )
}

interface LoadedProps<Value> {
  readonly data: Data<Value>
  readonly children: (value: Value) => ComponentChildren
}

/** What was read; before that its place; a failure with a way to try again. */
export function Loaded<Value>({ data: { value, error, reload }, children }: LoadedProps<Value>) {
  return (
    <>
      {error === undefined ? null : (
        <p class="error" role="alert">
          {error}{' '}
          <button type="button" onClick={reload}>
            Try again
          </button>
        </p>
      )}
      {value === undefined ? error === undefined && <p class="loading">Loading …</p> : children(value)}
    </>
  )
}

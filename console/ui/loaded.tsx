import type { ComponentChildren } from 'preact'
import type { Data } from '../use-data.ts'

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

import { useEffect, useState } from 'preact/hooks'
import { changes } from './live.ts'
import { sentenceOf } from './session.ts'

export interface Data<Value> {
  /** The last value; kept while a newer one is read. */
  readonly value: Value | undefined
  /** Why the last read failed, in one sentence. */
  readonly error: string | undefined
  readonly reload: () => void
}

/** Reads a value, again when a dependency changes, and at each change of the records or the settings. */
export function useData<Value>(
  read: () => Promise<Value>,
  dependencies: readonly unknown[],
  { at }: { readonly at?: keyof typeof changes } = {},
): Data<Value> {
  const [data, setData] = useState<{ value?: Value; error?: string }>({})
  const [reloads, setReloads] = useState(0)
  const count = at === undefined ? 0 : changes[at].value
  useEffect(() => {
    let isStale = false
    read().then(
      (value) => {
        if (!isStale) setData({ value })
      },
      (error: unknown) => {
        const sentence = sentenceOf(error)
        if (!isStale) setData(({ value }) => ({ ...(value !== undefined && { value }), error: sentence }))
      },
    )
    return () => {
      isStale = true
    }
  }, [...dependencies, count, reloads])
  return {
    value: data.value,
    error: data.error,
    reload: () => {
      setReloads((times) => times + 1)
    },
  }
}

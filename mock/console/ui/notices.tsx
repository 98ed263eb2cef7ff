import { signal } from '@preact/signals'
import { changes } from '../data.ts'
import { sentenceOf } from '../session.ts'

interface Notice {
  readonly text: string
  readonly isError: boolean
}

const notice = signal<Notice | undefined>(undefined)
let timer: ReturnType<typeof setTimeout> | undefined

/** In milliseconds. An error stays until it is closed. */
const shownFor = 5_000

export function notify(text: string, isError = false): void {
  clearTimeout(timer)
  notice.value = { text, isError }
  if (!isError)
    timer = setTimeout(() => {
      notice.value = undefined
    }, shownFor)
}

/** Does what a button says, then says so; a refusal is shown as it was worded. Returns whether it was done. */
export async function act(
  work: () => unknown,
  done: string,
  onRefused = (sentence: string) => notify(sentence, true),
): Promise<boolean> {
  try {
    await work()
    // No event tells that the snapshots changed.
    changes.settings.value++
    notify(done)
    return true
  } catch (error) {
    onRefused(sentenceOf(error))
    return false
  }
}

export function Notices() {
  const shown = notice.value
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown ? (
        <p class={shown.isError ? 'error' : undefined}>
          {shown.text}{' '}
          <button
            type="button"
            onClick={() => {
              notice.value = undefined
            }}
          >
            Close
          </button>
        </p>
      ) : null}
    </div>
  )
}

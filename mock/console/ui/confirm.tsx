import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from './buttons.tsx'

interface Question {
  /** Such as `Delete the team Globex`. */
  readonly action: string
  /** Names what will be lost. */
  readonly loses: string
  readonly answer: (isConfirmed: boolean) => void
}

const question = signal<Question | undefined>(undefined)

/** Asks once before something is lost. */
export function confirm(action: string, loses: string): Promise<boolean> {
  return new Promise((resolve) => {
    question.value = { action, loses, answer: resolve }
  })
}

export function Confirmation() {
  const dialog = useRef<HTMLDialogElement>(null)
  const asked = question.value
  useEffect(() => {
    if (asked) dialog.current?.showModal()
  }, [asked])
  if (!asked) return null
  const answer = (isConfirmed: boolean) => {
    if (question.value !== asked) return
    // Returns the focus to the button that opened it.
    dialog.current?.close()
    question.value = undefined
    asked.answer(isConfirmed)
  }
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={() => answer(false)}>
      <h2 id="confirm-title">{asked.action}?</h2>
      <p>{asked.loses}</p>
      <div class="actions">
        <Button onPress={() => answer(false)}>Cancel</Button>
        <Button class="danger" onPress={() => answer(true)}>
          {asked.action}
        </Button>
      </div>
    </dialog>
  )
}

import { useEffect, useRef } from 'preact/hooks'
import { isTyping } from './search-box.tsx'

const keys = [
  ['/', 'Search'],
  ['↓ ↑', 'Next and previous row of a list'],
  ['Enter', 'Open the row'],
  ['Ctrl Enter', 'Send the message that you write'],
  ['Esc', 'Close a dialog'],
  ['?', 'This help'],
] as const

/** The keys of the console; `?` opens them. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key === '?' && !isTyping(event.target)) dialog.current?.showModal()
    }
    document.addEventListener('keydown', open)
    return () => {
      document.removeEventListener('keydown', open)
    }
  }, [])
  return (
    <>
      <button type="button" class="quiet" aria-label="Help" onClick={() => dialog.current?.showModal()}>
        ?
      </button>
      <dialog ref={dialog} aria-labelledby="help-title">
        <h2 id="help-title">Keys</h2>
        <dl class="fields">
          {keys.map(([key, words]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
        <p>
          <a href="/docs">The API</a>, <a href="/docs/control">the control plane</a>,{' '}
          <a href="/docs/assumptions">the assumptions</a>
        </p>
        <form method="dialog" class="actions">
          <button>Close</button>
        </form>
      </dialog>
    </>
  )
}

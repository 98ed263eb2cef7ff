import { useEffect, useRef, useState } from 'preact/hooks'
import { isTokenWrong, needsToken, useToken } from '../session.ts'

/** Asks for the control token when the control plane refuses to answer without one. */
export function TokenDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const isNeeded = needsToken.value
  useEffect(() => {
    if (isNeeded) dialog.current?.showModal()
  }, [isNeeded])
  if (!isNeeded) return null
  return (
    <dialog
      ref={dialog}
      aria-labelledby="token-title"
      onClose={({ currentTarget }) => {
        // The console shows nothing without a token.
        currentTarget.showModal()
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setText('')
          useToken(text.trim())
        }}
      >
        <h2 id="token-title">Control token</h2>
        <p>
          This sandbox asks for its control token: the value of <code>--control-token</code>, or the token that{' '}
          <code>serve</code> printed at its start. The token stays in this tab.
        </p>
        {isTokenWrong.value ? (
          <p class="error" role="alert">
            The sandbox refused this token.
          </p>
        ) : null}
        <label class="field">
          <span>Token</span>
          <input
            type="password"
            autocomplete="off"
            required
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value)
            }}
          />
        </label>
        <div class="actions">
          <button type="submit" class="primary">
            Open the console
          </button>
        </div>
      </form>
    </dialog>
  )
}

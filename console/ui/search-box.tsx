import { useEffect, useRef, useState } from 'preact/hooks'

interface SearchBoxProps {
  readonly label: string
  readonly value: string
  /** Called when the user has stopped typing. */
  readonly onSearch: (text: string) => void
}

/** In milliseconds. */
const patience = 200

/** The key `/` moves the focus here. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    setText(value)
  }, [value])
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => {
      onSearch(text)
    }, patience)
    return () => {
      clearTimeout(timer)
    }
  }, [text])
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event.target)) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => {
      document.removeEventListener('keydown', focus)
    }
  }, [])
  return (
    <input
      ref={input}
      class="search"
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onInput={({ currentTarget }) => {
        setText(currentTarget.value)
      }}
    />
  )
}

/** Whether a key belongs to a field. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, dialog') !== null

/** Arrow keys move the focus to the next or the previous of these elements. */
export function moveFocus(event: KeyboardEvent, selector: string): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || !(event.currentTarget instanceof Element)) return
  const elements = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const at = elements.findIndex((element) => element === document.activeElement)
  const next = elements[at + step]
  if (at < 0 || !next) return
  event.preventDefault()
  next.focus()
}

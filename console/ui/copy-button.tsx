import { useState } from 'preact/hooks'
import { notify } from './notices.tsx'

interface CopyButtonProps {
  /** Such as `Copy as curl`. */
  readonly label: string
  readonly text: () => string
}

export function CopyButton({ label, text }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      setCopied(true)
      setTimeout(() => {
        setCopied(false)
      }, 2_000)
    } catch (error) {
      notify(error instanceof Error ? error.message : String(error), true)
    }
  }
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      {isCopied ? 'Copied' : label}
    </button>
  )
}

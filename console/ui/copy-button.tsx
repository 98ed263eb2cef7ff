import { useState } from 'preact/hooks'
import { sentenceOf } from '../session.ts'
import { notify } from './notices.tsx'

interface CopyButtonProps {
  /** Such as `Copy as curl`. */
  readonly label: string
  readonly text: () => string | Promise<string>
}

export function CopyButton({ label, text }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      const { clipboard } = navigator as { readonly clipboard?: Clipboard }
      if (!clipboard) throw new Error('A browser copies only on localhost or over https; select the text instead.')
      await clipboard.writeText(await text())
      setCopied(true)
      setTimeout(() => {
        setCopied(false)
      }, 2_000)
    } catch (error) {
      notify(sentenceOf(error), true)
    }
  }
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      {isCopied ? 'Copied' : label}
    </button>
  )
}

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { sentenceOf } from '../session.ts'
import { notify } from './notices.tsx'

interface ButtonProps {
  readonly class?: string | undefined
  /** When its text does not say enough. */
  readonly label?: string | undefined
  readonly disabled?: boolean | undefined
  readonly onPress: () => unknown
  readonly children: ComponentChildren
}

/** A button that submits no form. */
export function Button({ label, onPress, ...others }: ButtonProps) {
  return <button type="button" {...others} aria-label={label} onClick={() => void onPress()} />
}

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
      setTimeout(() => setCopied(false), 2_000)
    } catch (error) {
      notify(sentenceOf(error), true)
    }
  }
  return (
    <Button class="quiet" onPress={copy}>
      {isCopied ? 'Copied' : label}
    </Button>
  )
}

/** Lets the browser save JSON as a file. */
export function saveFile(name: string, json: string): void {
  const url = URL.createObjectURL(new Blob([json], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

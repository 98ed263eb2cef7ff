import type { ComponentChildren } from 'preact'

/** The colour of what a status means. */
const tones: Readonly<Record<string, 'good' | 'bad' | 'waiting'>> = {
  ...Object.fromEntries(
    ['delivered', 'read', 'approved', 'accepted', 'won', 'open', 'sent', 'used'].map((one) => [one, 'good']),
  ),
  ...Object.fromEntries(['bounced', 'failed', 'rejected', 'declined', 'lost', 'held'].map((one) => [one, 'bad'])),
  ...Object.fromEntries(['pending', 'queued', 'scheduled', 'waiting', 'draft'].map((one) => [one, 'waiting'])),
}

/** A status as a word in a colour. */
export function Badge({
  children,
  tone,
}: {
  readonly children: ComponentChildren
  readonly tone?: 'good' | 'bad' | 'waiting' | undefined
}) {
  const known = typeof children === 'string' ? tones[children.toLowerCase()] : undefined
  return <span class={`badge ${tone ?? known ?? ''}`}>{children}</span>
}

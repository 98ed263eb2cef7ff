import type { ComponentChildren } from 'preact'

interface PageProps {
  readonly title: string
  /** Buttons beside the title. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

export function Page({ title, actions, children }: PageProps) {
  return (
    <article class="page">
      <header>
        <h1>{title}</h1>
        <div class="actions">{actions}</div>
      </header>
      {children}
    </article>
  )
}

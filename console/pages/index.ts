import type { FunctionComponent } from 'preact'
import { Home } from './home.tsx'
import type { PageProps } from './page-props.ts'
import { Requests } from './requests.tsx'

interface PageEntry {
  /** In the address, after the team. */
  readonly path: string
  readonly title: string
  /** Its place in the navigation. */
  readonly group: 'CRM' | 'Traffic' | 'Sandbox'
  readonly Page: FunctionComponent<PageProps>
}

/** The pages in the order of the navigation. */
export const pages: readonly PageEntry[] = [
  { path: '', title: 'Overview', group: 'CRM', Page: Home },
  { path: 'requests', title: 'Requests', group: 'Traffic', Page: Requests },
]

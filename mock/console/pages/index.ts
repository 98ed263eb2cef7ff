import type { FunctionComponent } from 'preact'
import type { PageProps } from '../ui/page.tsx'
import { Assumptions } from './assumptions.tsx'
import { Changes } from './changes.tsx'
import { Clock } from './clock.tsx'
import { Faults } from './faults.tsx'
import { Home } from './home.tsx'
import { Inbox } from './inbox.tsx'
import { Outbox } from './outbox.tsx'
import { pagesOf } from './records/record-pages.tsx'
import { Requests } from './requests.tsx'
import { Snapshots } from './snapshots.tsx'
import { Teams } from './teams.tsx'
import { Worlds } from './worlds.tsx'

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
  { path: 'inbox', title: 'Inbox', group: 'CRM', Page: Inbox },
  { path: 'contacts', title: 'Contacts', group: 'CRM', Page: pagesOf('contacts') },
  { path: 'companies', title: 'Companies', group: 'CRM', Page: pagesOf('companies') },
  { path: 'products', title: 'Products', group: 'CRM', Page: pagesOf('products') },
  { path: 'deals', title: 'Deals', group: 'CRM', Page: pagesOf('deals') },
  { path: 'quotes', title: 'Quotes', group: 'CRM', Page: pagesOf('quotes') },
  { path: 'templates', title: 'Templates', group: 'CRM', Page: pagesOf('templates') },
  { path: 'requests', title: 'Requests', group: 'Traffic', Page: Requests },
  { path: 'outbox', title: 'Outbox', group: 'Traffic', Page: Outbox },
  { path: 'faults', title: 'Faults and gates', group: 'Traffic', Page: Faults },
  { path: 'changes', title: 'Changes', group: 'Traffic', Page: Changes },
  { path: 'assumptions', title: 'Assumptions', group: 'Sandbox', Page: Assumptions },
  { path: 'clock', title: 'Clock', group: 'Sandbox', Page: Clock },
  { path: 'snapshots', title: 'Snapshots', group: 'Sandbox', Page: Snapshots },
  { path: 'teams', title: 'Teams', group: 'Sandbox', Page: Teams },
  { path: 'worlds', title: 'Worlds', group: 'Sandbox', Page: Worlds },
]

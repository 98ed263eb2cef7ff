import { LocationProvider, Route, Router, useLocation } from 'preact-iso'
import type { FunctionComponent } from 'preact'
import { Shell } from './shell.tsx'
import { Confirmation } from './ui/confirm.tsx'
import { Notices } from './ui/notices.tsx'
import { TokenDialog } from './ui/token-dialog.tsx'
import { useData } from './use-data.ts'
import { sandbox } from './session.ts'
import { Loaded } from './ui/loaded.tsx'
import { pages } from './pages/index.ts'

export function App() {
  return (
    <LocationProvider scope={/^\/console(?:[/?]|$)/}>
      <TokenDialog />
      <Confirmation />
      <Notices />
      <Router>
        <Route path="/console" component={FirstTeam} />
        <Route path="/" component={FirstTeam} />
        <Route path="/console/:team/:page?/:id*" component={TeamPage} />
        <Route default component={FirstTeam} />
      </Router>
    </LocationProvider>
  )
}

/** Stands in addresses for the team of a sandbox without teams. */
export const noTeam = '-'

/** An address without a team leads to the first one. */
function FirstTeam() {
  const { route } = useLocation()
  const client = sandbox.value
  const teams = useData(() => client.teams.list(), [client])
  if (teams.value) route(`/console/${encodeURIComponent(teams.value[0]?.teamId ?? noTeam)}`, true)
  return (
    <main class="loading">
      <Loaded data={teams}>{() => null}</Loaded>
    </main>
  )
}

/** A page that belongs to one team. The key drops everything that was read for another team. */
const TeamPage: FunctionComponent<{ team?: string; page?: string; id?: string }> = ({
  team = noTeam,
  page = '',
  id,
}) => (
  <Shell key={team} team={team} page={page}>
    <PageNamed key={`${team} ${page}`} team={team} page={page} id={id} />
  </Shell>
)

function PageNamed({ team, page, id }: { team: string; page: string; id: string | undefined }) {
  const found = pages.find(({ path }) => path === page)
  if (!found) return <p class="empty">There is no page {page}.</p>
  return <found.Page team={team} id={id} />
}

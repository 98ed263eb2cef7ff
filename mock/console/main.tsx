import { type FunctionComponent, render } from 'preact'
import { LocationProvider, Route, Router, useLocation } from 'preact-iso'
import { useEffect, useRef } from 'preact/hooks'
import { hrefOf } from './address.ts'
import { useData } from './data.ts'
import { pages } from './pages/index.ts'
import { isTokenWrong, needsToken, useToken } from './session.ts'
import { Shell } from './shell.tsx'
import { Confirmation } from './ui/confirm.tsx'
import { Field, Form } from './ui/form.tsx'
import { Notices } from './ui/notices.tsx'
import { Loaded } from './ui/page.tsx'

function App() {
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
const noTeam = '-'

/** An address without a team leads to the first one. */
function FirstTeam() {
  const { route } = useLocation()
  const teams = useData((client) => client.teams.list(), [])
  if (teams.value) route(hrefOf(teams.value[0]?.teamId ?? noTeam), true)
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

/** Asks for the control token when the control plane refuses to answer without one. */
function TokenDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  const isNeeded = needsToken.value
  useEffect(() => {
    if (isNeeded) dialog.current?.showModal()
  }, [isNeeded])
  if (!isNeeded) return null
  return (
    <dialog
      ref={dialog}
      aria-labelledby="token-title"
      onClose={({ currentTarget }) => {
        // The console shows nothing without a token.
        currentTarget.showModal()
      }}
    >
      <Form onSubmit={({ token = '' }) => useToken(token.trim())}>
        <h2 id="token-title">Control token</h2>
        <p>
          This sandbox asks for its control token: the value of <code>--control-token</code>, or the token that{' '}
          <code>serve</code> printed at its start. The token stays in this tab.
        </p>
        {isTokenWrong.value ? (
          <p class="error" role="alert">
            The sandbox refused this token.
          </p>
        ) : null}
        <Field label="Token">
          <input name="token" type="password" autocomplete="off" required />
        </Field>
        <div class="actions">
          <button type="submit" class="primary">
            Open the console
          </button>
        </div>
      </Form>
    </dialog>
  )
}

const place = document.getElementById('console')
/** What the style sheet relies on; an older browser keeps the sentence of the page. */
const isCurrent = CSS.supports('color', 'light-dark(white, black)')

if (place && isCurrent) {
  place.replaceChildren()
  render(<App />, place)
}

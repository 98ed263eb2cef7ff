import { ownRequests } from '../session.ts'
import { Badge } from '../ui/badge.tsx'
import type { PageProps } from './page-props.ts'
import { useJournal } from './requests.tsx'

const mostShown = 5

/** The latest requests of a team, live. */
export function LatestRequests({ team }: Pick<PageProps, 'team'>) {
  const { requests, error } = useJournal({ team })
  const base = `/console/${encodeURIComponent(team)}/requests`
  const shown = requests
    .filter(({ id }) => !id.startsWith(ownRequests))
    .slice(-mostShown)
    .reverse()
  return (
    <section class="card">
      <h2>Latest requests</h2>
      {error === undefined ? null : <p class="error">{error}</p>}
      {shown.length === 0 ? (
        <p>No request yet. Paste the line into a terminal; the request appears here at once.</p>
      ) : (
        <ul class="links">
          {shown.map(({ id, at, status, refused, operation, method, url }) => (
            <li key={`${id} ${at}`}>
              <Badge tone={refused ? 'bad' : 'good'}>{status}</Badge>{' '}
              <a href={`${base}/${encodeURIComponent(id)}`}>{operation ?? `${method} ${url.slice(0, 80)}`}</a>
            </li>
          ))}
        </ul>
      )}
      <a href={base}>All requests</a>
    </section>
  )
}

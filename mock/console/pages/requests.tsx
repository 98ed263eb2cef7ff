import { useEffect, useState } from 'preact/hooks'
import { refusalInWords } from '../../control/request-in-words.ts'
import type { SeenRequest } from '../../testing/control-client.ts'
import { hrefOf, useQuery } from '../address.ts'
import { operationIds, ownRequests, sandbox, sentenceOf } from '../session.ts'
import { CheckFilter, Filter, SearchBox } from '../ui/form.tsx'
import { Page, type PageProps } from '../ui/page.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Badge, contains, Time } from '../ui/values.tsx'
import { OneRequest } from './one-request.tsx'

/** More rows would slow the page down; the journal has up to 1,000. */
const mostShown = 300

/** In milliseconds: requests that come faster are shown together. */
const pause = 100

/** What the command `requests` prints. */
function outcomeOf(request: SeenRequest) {
  const { changed, failure } = request
  const words = [...(failure === undefined ? [] : [failure]), ...refusalInWords(request)]
  return (words.length > 0 ? words : [changed || 'No change']).map((line) => (
    <span key={line} class="clip">
      {line}
    </span>
  ))
}

const columns: readonly Column<SeenRequest>[] = [
  { title: 'Operation', show: ({ operation, method, url }) => operation ?? `${method} ${url.slice(0, 80)}` },
  { title: 'Status', show: ({ status, refused }) => <Badge tone={refused ? 'bad' : 'good'}>{status}</Badge> },
  { title: 'What happened', show: outcomeOf },
  { title: 'Time', show: ({ ms }) => `${ms.toLocaleString()} ms`, isNumber: true },
  { title: 'At', show: ({ at }) => <Time at={at} /> },
]

const statuses = ['2xx', '4xx', '5xx', '400', '401', '404', '429', '500']

/** The journal, live. */
export function Requests({ team, id }: PageProps) {
  const { operation, status, assumed, text = '', teams, own } = useQuery().query
  const { requests, error } = useJournal({
    ...(teams === 'all' ? {} : { team, orNoTeam: true }),
    ...(operation === undefined ? {} : { operation: operation as NonNullable<Filter['operation']> }),
    ...(status === undefined ? {} : { status }),
    ...(assumed === undefined ? {} : { assumed }),
  })
  if (id !== undefined) return <OneRequest team={team} id={id} />
  const shown = requests
    .filter((request) => (own === 'shown' || !request.id.startsWith(ownRequests)) && contains(request, text))
    .slice(-mostShown)
    .reverse()
  return (
    <Page title="Requests">
      <div class="filters">
        <SearchBox name="text" label="Search in requests" />
        <Filter name="operation" label="Operation" all="All operations" choices={operationIds} />
        <Filter name="status" label="Status" all="All statuses" choices={statuses} />
        <CheckFilter name="teams" value="all">
          All teams
        </CheckFilter>
        <CheckFilter name="own" value="shown">
          Requests of this console
        </CheckFilter>
        {assumed === undefined ? null : (
          <CheckFilter name="assumed" value={assumed}>
            Only those that relied on {assumed}
          </CheckFilter>
        )}
      </div>
      {error === undefined ? null : (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <Table
        caption="Requests, the latest first"
        columns={columns}
        rows={shown}
        keyOf={({ id, at }) => `${id} ${at}`}
        hrefOf={({ id }) => hrefOf(team, 'requests', id)}
        empty="No request yet. Send one to the sandbox, such as the line of the overview; it appears here at once."
      />
    </Page>
  )
}

type Filter = NonNullable<Parameters<typeof sandbox.value.requests.find>[0]>

/** The requests that are kept, and those that come. */
export function useJournal(filter: Filter) {
  const [requests, setRequests] = useState<readonly SeenRequest[]>([])
  const [error, setError] = useState<string | undefined>(undefined)
  const client = sandbox.value
  useEffect(() => {
    const end = new AbortController()
    const isOver = () => end.signal.aborted
    let timer: ReturnType<typeof setTimeout> | undefined
    let followed: ReturnType<typeof client.requests.follow> | undefined
    let arrived: readonly SeenRequest[] = []
    let adding: ReturnType<typeof setTimeout> | undefined
    const add = (request: SeenRequest) => {
      arrived = [...arrived, request].slice(-mostShown)
      adding ??= setTimeout(() => {
        adding = undefined
        setRequests((all) => [...all, ...arrived].slice(-mostShown))
        arrived = []
      }, pause)
    }
    const follow = async () => {
      try {
        followed = client.requests.follow(filter)
        const first = followed.next()
        first.catch(() => undefined) // when `find` rejects before it
        const found = await client.requests.find({ ...filter, last: mostShown })
        if (isOver()) return
        setRequests(found)
        setError(undefined)
        const known = new Set(found.map(({ id }) => id))
        for (let next = await first; !next.done && !isOver(); next = await followed.next())
          if (!known.delete(next.value.id)) add(next.value)
      } catch (error) {
        if (!isOver()) setError(sentenceOf(error))
      }
      if (!isOver()) timer = setTimeout(() => void follow(), 2_000)
    }
    void follow()
    return () => {
      end.abort()
      clearTimeout(timer)
      clearTimeout(adding)
      void followed?.return?.()
    }
  }, [client, JSON.stringify(filter)])
  return { requests, error }
}

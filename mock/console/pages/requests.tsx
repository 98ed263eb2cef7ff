import { useEffect, useState } from 'preact/hooks'
import { asHar } from '../../control/as-har.ts'
import { refusalInWords } from '../../control/request-in-words.ts'
import type { SeenRequest } from '../../testing/control-client.ts'
import { hrefOf, useQuery } from '../address.ts'
import { operationIds, ownRequests, sandbox, sentenceOf } from '../session.ts'
import { ActionButton } from '../ui/actions.tsx'
import { saveFile } from '../ui/buttons.tsx'
import { CheckFilter, Filter, SearchBox } from '../ui/form.tsx'
import { Page, type PageProps } from '../ui/page.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Badge, contains, Time } from '../ui/values.tsx'
import { OneRequest } from './one-request.tsx'

/** More rows would slow the page down; the journal has up to 1,000. */
const mostShown = 300

/** In milliseconds: requests that come faster are shown together. */
const pause = 100

/** In milliseconds: after that, the other servers on the store are asked again. */
const askedEvery = 3_000

/** What the command `requests` prints. */
function outcomeOf(request: SeenRequest) {
  const { changed, failure } = request
  const words = [...(failure === undefined ? [] : [failure]), ...refusalInWords(request)]
  return (
    <div>
      {(words.length > 0 ? words : [changed || 'No change']).map((line) => (
        <span key={line} class="clip">
          {line}
        </span>
      ))}
    </div>
  )
}

const columns: readonly Column<SeenRequest>[] = [
  { title: 'Operation', show: ({ operation, method, url }) => operation ?? `${method} ${url.slice(0, 80)}` },
  { title: 'Status', show: ({ status, refused }) => <Badge tone={refused ? 'bad' : 'good'}>{status}</Badge> },
  { title: 'What happened', show: outcomeOf },
  { title: 'Time', show: ({ ms }) => `${ms.toLocaleString()} ms`, isNumber: true },
  { title: 'At', show: ({ at }) => <Time at={at} isExact /> },
]

const keyOf = ({ id, at, ms, server = '' }: SeenRequest) => `${id} ${at} ${ms} ${server}`

const server: Column<SeenRequest> = { title: 'Server', show: ({ server }) => server }

const statuses = ['2xx', '4xx', '5xx', '400', '401', '404', '429', '500']

export function Requests({ team, id }: PageProps) {
  const { operation, status, assumed, text = '', teams, own } = useQuery().query
  const { requests, unanswered, error } = useJournal({
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
    <Page
      title="Requests"
      actions={
        <ActionButton
          title="Download as HAR"
          disabled={shown.length === 0}
          run={async () => {
            const { version } = await sandbox.value.health()
            saveFile('requests.har', asHar(shown.toReversed(), location.origin, version))
          }}
          done="The requests of the list are downloaded"
        />
      }
    >
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
      {unanswered.map((name) => (
        <p class="error" key={name}>
          The server {name} did not answer; its requests are missing.
        </p>
      ))}
      <Table
        caption="Requests, the latest first"
        columns={shown.some(({ server }) => server !== undefined) ? [...columns, server] : columns}
        rows={shown}
        keyOf={keyOf}
        hrefOf={({ id }) => hrefOf(team, 'requests', id)}
        empty="No request yet. Send one to the sandbox, such as the line of the overview; it appears here at once."
      />
    </Page>
  )
}

type Filter = NonNullable<Parameters<typeof sandbox.value.requests.find>[0]>

function add(all: readonly SeenRequest[], more: readonly SeenRequest[]): SeenRequest[] {
  const added = new Set(more.map(keyOf))
  return [...all.filter((request) => !added.has(keyOf(request))), ...more]
}

const byTime = (one: SeenRequest, other: SeenRequest) => Date.parse(one.at) - Date.parse(other.at)

/** The requests that are kept, those that come, and the servers that did not answer. */
export function useJournal(filter: Filter) {
  const [requests, setRequests] = useState<readonly SeenRequest[]>([])
  const [unanswered, setUnanswered] = useState<readonly string[]>([])
  const [error, setError] = useState<string | undefined>(undefined)
  const client = sandbox.value
  useEffect(() => {
    const end = new AbortController()
    const isOver = () => end.signal.aborted
    let timer: ReturnType<typeof setTimeout> | undefined
    let followed: ReturnType<typeof client.requests.follow> | undefined
    let arrived: readonly SeenRequest[] = []
    let adding: ReturnType<typeof setTimeout> | undefined
    let asking: ReturnType<typeof setTimeout> | undefined
    const arrive = (request: SeenRequest) => {
      arrived = [...arrived, request].slice(-mostShown)
      adding ??= setTimeout(() => {
        adding = undefined
        const more = arrived
        setRequests((all) => add(all, more).slice(-mostShown))
        arrived = []
      }, pause)
    }
    const fail = (error: unknown) => {
      if (!isOver()) setError(sentenceOf(error))
    }
    const show = async (join: (all: readonly SeenRequest[], found: SeenRequest[]) => readonly SeenRequest[]) => {
      const found = await client.requests.find({ ...filter, all: true, last: mostShown })
      if (isOver()) return
      setRequests((all) => join(all, found))
      setUnanswered(found.unanswered ?? [])
      setError(undefined)
      if (found.unanswered) askLater()
    }
    const askLater = () => {
      clearTimeout(asking)
      asking = setTimeout(() => void ask(), askedEvery)
    }
    const ask = async () => {
      if (document.visibilityState === 'visible')
        await show((all, found) => add(all, found).sort(byTime).slice(-mostShown)).catch(fail)
      if (!isOver()) askLater()
    }
    const follow = async () => {
      try {
        followed = client.requests.follow(filter)
        const first = followed.next()
        first.catch(() => undefined) // when `show` rejects before it
        await show((_, found) => found)
        for (let next = await first; !next.done && !isOver(); next = await followed.next()) arrive(next.value)
      } catch (error) {
        fail(error)
      }
      if (!isOver()) timer = setTimeout(() => void follow(), 2_000)
    }
    void follow()
    return () => {
      end.abort()
      clearTimeout(timer)
      clearTimeout(adding)
      clearTimeout(asking)
      void followed?.return?.()
    }
  }, [client, JSON.stringify(filter)])
  return { requests, unanswered, error }
}

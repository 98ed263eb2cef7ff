import type { SeenAssumption } from '../../mock/control/client.ts'
import { useQuery } from '../query.ts'
import { sandbox } from '../session.ts'
import { changes } from '../live.ts'
import { Badge } from '../ui/badge.tsx'
import { confirm } from '../ui/confirm.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { act } from '../ui/notices.tsx'
import { Page } from '../ui/page.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { useData } from '../use-data.ts'
import { OneAssumption, origins } from './one-assumption.tsx'
import type { PageProps } from './page-props.ts'

const columns: readonly Column<SeenAssumption>[] = [
  { title: 'Assumption', show: ({ name }) => name },
  { title: 'Question', show: ({ question }) => question },
  { title: 'Choice', show: ({ choice }) => <code>{choice}</code> },
  { title: 'From', show: ({ from }) => <Badge tone={from === 'default' ? undefined : 'good'}>{origins[from]}</Badge> },
  { title: 'How sure', show: ({ certainty }) => certainty },
  { title: 'Relied', show: ({ relied }) => relied.toLocaleString(), isNumber: true },
]

/** The register; the assumptions that answers relied on come first. */
export function Assumptions({ team, id }: PageProps) {
  if (id !== undefined) return <OneAssumption key={id} team={team} name={id} />
  return <Register team={team} />
}

function Register({ team }: { readonly team: string }) {
  const { query, set } = useQuery()
  const { text = '', only } = query
  const client = sandbox.value
  const register = useData(
    async () => (await client.assumptions.list({ teamId: team })).toSorted((one, other) => other.relied - one.relied),
    [client, team, changes.records.value],
    { at: 'settings' },
  )
  const reset = async (ofTeam: boolean) => {
    const whose = ofTeam ? 'this team' : 'all teams'
    const switched = register.value?.filter(({ from }) => from === (ofTeam ? 'team' : 'runTime')) ?? []
    const names = switched.map(({ name, choice }) => `${name}=${choice}`).join(', ')
    const loses = ofTeam
      ? `The switches of this team will be lost: ${names || 'none'}.`
      : `All switches since the start will be lost, also those of single teams. For this team: ${names || 'none'}.`
    if (await confirm(`Reset the choices of ${whose}`, loses))
      await act(
        () => client.assumptions.reset(ofTeam ? { teamId: team } : undefined),
        `The choices of ${whose} are reset`,
      )
  }
  return (
    <Page
      title="Assumptions"
      actions={
        <>
          <button type="button" onClick={() => void reset(true)}>
            Reset this team
          </button>
          <button type="button" class="danger" onClick={() => void reset(false)}>
            Reset all
          </button>
        </>
      }
    >
      <p>
        What the sandbox assumes where the specification leaves a question open. The assumptions that answers relied on
        come first.
      </p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
        }}
      >
        <SearchBox
          label="Search in assumptions"
          value={text}
          onSearch={(text) => {
            set({ text })
          }}
        />
        <select
          aria-label="Which"
          value={only ?? ''}
          onChange={({ currentTarget: { value } }) => {
            set({ only: value })
          }}
        >
          <option value="">All assumptions</option>
          <option value="relied">Those that answers relied on</option>
          <option value="switched">Those that are not as assumed</option>
        </select>
      </form>
      <Loaded data={register}>
        {(all) => (
          <Table
            caption="Assumptions, the most relied on first"
            columns={columns}
            rows={all.filter((one) => isWanted(one, only) && contains(one, text))}
            keyOf={({ name }) => name}
            hrefOf={({ name }) => `/console/${encodeURIComponent(team)}/assumptions/${name}`}
            empty={
              only === 'relied' && text === ''
                ? 'No answer relied on an assumption yet. Send requests to the sandbox; what they relied on appears here.'
                : 'No assumption fits. Search for a word of the question, or for the name of an operation.'
            }
          />
        )}
      </Loaded>
    </Page>
  )
}

function isWanted({ relied, from }: SeenAssumption, only: string | undefined): boolean {
  return only === 'relied' ? relied > 0 : only === 'switched' ? from !== 'default' : true
}

function contains(assumption: SeenAssumption, text: string): boolean {
  return text === '' || JSON.stringify(assumption).toLowerCase().includes(text.toLowerCase())
}

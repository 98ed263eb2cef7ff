import type { SeenAssumption } from '../../testing/control-client.ts'
import { hrefOf, useQuery } from '../address.ts'
import { changes, useData } from '../data.ts'
import { sandbox } from '../session.ts'
import { Button } from '../ui/buttons.tsx'
import { confirm } from '../ui/confirm.tsx'
import { Filter, SearchBox } from '../ui/form.tsx'
import { act } from '../ui/notices.tsx'
import { Loaded, Page, type PageProps } from '../ui/page.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Badge, contains } from '../ui/values.tsx'
import { OneAssumption, origins } from './one-assumption.tsx'

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
  const { text = '', only } = useQuery().query
  const register = useData(
    async ({ assumptions }) =>
      (await assumptions.list({ teamId: team })).toSorted((one, other) => other.relied - one.relied),
    [team, changes.records.value],
    'settings',
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
        () => sandbox.value.assumptions.reset(ofTeam ? { teamId: team } : undefined),
        `The choices of ${whose} are reset`,
      )
  }
  return (
    <Page
      title="Assumptions"
      actions={
        <>
          <Button onPress={() => reset(true)}>Reset this team</Button>
          <Button class="danger" onPress={() => reset(false)}>
            Reset all
          </Button>
        </>
      }
    >
      <p>
        What the sandbox assumes where the specification leaves a question open. The assumptions that answers relied on
        come first.
      </p>
      <div class="filters">
        <SearchBox name="text" label="Search in assumptions" />
        <Filter
          name="only"
          label="Which"
          all="All assumptions"
          choices={[
            ['relied', 'Those that answers relied on'],
            ['switched', 'Those that are not as assumed'],
          ]}
        />
      </div>
      <Loaded data={register}>
        {(all) => (
          <Table
            caption="Assumptions, the most relied on first"
            columns={columns}
            rows={all.filter((one) => isWanted(one, only) && contains(one, text))}
            keyOf={({ name }) => name}
            hrefOf={({ name }) => hrefOf(team, 'assumptions', name)}
            empty={
              only === 'relied' && text === ''
                ? 'No answer relied on an assumption yet. Send requests to the sandbox; what they relied on appears here.'
                : 'No assumption matches. Search for a word of the question, or for the name of an operation.'
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

import { useState } from 'preact/hooks'
import type { SeenAssumption } from '../../testing/control-client.ts'
import { hrefOf, useQuery } from '../address.ts'
import { changes, useData } from '../data.ts'
import { sandbox } from '../session.ts'
import { ActionButton } from '../ui/actions.tsx'
import { Field, type FilledIn, Filter, Form, SearchBox, Select, teamChoices } from '../ui/form.tsx'
import { act } from '../ui/notices.tsx'
import { Loaded, Page, type PageProps } from '../ui/page.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Badge, contains, Item } from '../ui/values.tsx'

const columns: readonly Column<SeenAssumption>[] = [
  { title: 'Assumption', show: ({ name }) => name },
  { title: 'Question', show: ({ question }) => question },
  { title: 'Choice', show: ({ choice }) => <code>{choice}</code> },
  {
    title: 'From',
    show: ({ from }) => <Badge tone={from === 'default' ? undefined : 'good'}>{sourceInWords[from]}</Badge>,
  },
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
  const switchedBy = (scope: 'team' | 'runTime') => {
    const switched = register.value?.filter(({ from }) => from === scope) ?? []
    return switched.map(({ name, choice }) => `${name}=${choice}`).join(', ') || 'none'
  }
  return (
    <Page
      title="Assumptions"
      actions={
        <>
          <ActionButton
            title="Reset this team"
            asks="Reset the choices of this team"
            loses={`The switches of this team will be lost: ${switchedBy('team')}.`}
            run={() => sandbox.value.assumptions.reset({ teamId: team })}
            done="The choices of this team are reset"
          />
          <ActionButton
            title="Reset all"
            asks="Reset the choices of all teams"
            loses={`All switches since the start will be lost, also those of single teams. For this team: ${switchedBy('runTime')}.`}
            run={() => sandbox.value.assumptions.reset()}
            done="The choices of all teams are reset"
          />
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

/** Where a choice comes from, in words. */
const sourceInWords: Readonly<Record<SeenAssumption['from'], string>> = {
  default: 'assumed',
  profile: 'learned, from the profile',
  start: 'chosen at the start',
  runTime: 'switched for all teams',
  team: 'switched for this team',
}

type AssumptionName = Parameters<typeof sandbox.value.assumptions.get>[0]

/** One question with its choices; another choice can be switched on. */
function OneAssumption({ team, name }: { readonly team: string; readonly name: string }) {
  const entry = useData(
    ({ assumptions: { get } }) =>
      Promise.all([get(name as AssumptionName, { teamId: team }), get(name as AssumptionName)]),
    [team, name, changes.records.value],
    'settings',
  )
  return (
    <Loaded data={entry}>
      {([ofTeam, ofAll]) => (
        <Page title={name}>
          <p class="question">{ofTeam.question}</p>
          <dl class="fields">
            <Item title="For this team">{choiceOf(ofTeam)}</Item>
            <Item title="For all teams">{choiceOf(ofAll)}</Item>
            <Item title="Assumed">
              <code>{ofTeam.assumed}</code>
            </Item>
            <Item title="How sure">
              {ofTeam.certainty === 'likely' ? 'The assumed choice is likely' : 'Open: no reason favours a choice'}
            </Item>
            <Item title="Relied on by">
              {ofTeam.relied.toLocaleString()} {ofTeam.relied === 1 ? 'answer' : 'answers'} of all teams.{' '}
              <a href={`${hrefOf(team, 'requests')}?assumed=${name}`}>Requests of this team that relied on it</a>
            </Item>
            <Item title="Operations">{ofTeam.operations === 'all' ? 'All' : ofTeam.operations.join(', ')}</Item>
            <Item title="Left open by">The section {ofTeam.section} of the specification</Item>
          </dl>
          <SwitchForm key={ofTeam.choice} team={team} entry={ofTeam} />
        </Page>
      )}
    </Loaded>
  )
}

const choiceOf = ({ choice, from }: SeenAssumption) => (
  <>
    <code>{choice}</code> <Badge tone={from === 'default' ? undefined : 'good'}>{sourceInWords[from]}</Badge>
  </>
)

interface SwitchFormProps {
  readonly team: string
  readonly entry: SeenAssumption
}

/** The choices with their meaning. Those with an amount take a number, as in `perMinute:60`. */
function SwitchForm({ team, entry: { name, choice, choices } }: SwitchFormProps) {
  const [current, currentAmount] = choice.split(':')
  const [chosen, setChosen] = useState(current)
  const switchTo = ({ amount, teams }: FilledIn) => {
    const written = amount === undefined ? chosen : `${chosen}:${amount}`
    const ofTeam = teams === 'all' ? undefined : { teamId: team }
    const run = () => sandbox.value.assumptions.set({ [name]: written }, ofTeam)
    void act(run, `${name} is ${written} for ${ofTeam ? 'this team' : 'all teams'}`)
  }
  return (
    <Form class="card" onSubmit={switchTo}>
      <fieldset class="choices">
        <legend>Choices</legend>
        {choices.map(({ choice, words, numberOf }) => (
          <div key={choice}>
            <label class="check">
              <input type="radio" name="choice" checked={choice === chosen} onChange={() => setChosen(choice)} />
              <span>
                <code>{choice}</code> <span>{words}</span>
              </span>
            </label>
            {numberOf !== undefined && choice === chosen && (
              <Field label={`Number of ${numberOf}`}>
                <input name="amount" type="number" required defaultValue={choice === current ? currentAmount : ''} />
              </Field>
            )}
          </div>
        ))}
      </fieldset>
      <div class="actions">
        <Select name="teams" label="For which teams" choices={teamChoices} />
        <button type="submit" class="primary">
          Switch
        </button>
      </div>
    </Form>
  )
}

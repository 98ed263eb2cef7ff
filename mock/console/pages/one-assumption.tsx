import { useState } from 'preact/hooks'
import type { SeenAssumption } from '../../testing/control-client.ts'
import { hrefOf } from '../address.ts'
import { changes, useData } from '../data.ts'
import { sandbox } from '../session.ts'
import { Field, type FilledIn, Form, Select, teamChoices } from '../ui/form.tsx'
import { act } from '../ui/notices.tsx'
import { Loaded, Page } from '../ui/page.tsx'
import { Badge, Item } from '../ui/values.tsx'

/** Where a choice comes from, in words. */
export const origins: Readonly<Record<SeenAssumption['from'], string>> = {
  default: 'assumed',
  profile: 'learned, from the profile',
  start: 'chosen at the start',
  runTime: 'switched for all teams',
  team: 'switched for this team',
}

type Name = Parameters<typeof sandbox.value.assumptions.get>[0]
type Written = Parameters<typeof sandbox.value.assumptions.set>[0]

/** One question with its choices; another choice can be switched on. */
export function OneAssumption({ team, name }: { readonly team: string; readonly name: string }) {
  const entry = useData(
    async (client) => ({
      ofTeam: await client.assumptions.get(name as Name, { teamId: team }),
      ofAll: await client.assumptions.get(name as Name),
    }),
    [team, name, changes.records.value],
    'settings',
  )
  return <Loaded data={entry}>{(both) => <Shown {...both} team={team} />}</Loaded>
}

interface ShownProps {
  readonly team: string
  readonly ofTeam: SeenAssumption
  readonly ofAll: SeenAssumption
}

function Shown({ team, ofTeam, ofAll }: ShownProps) {
  const { name, question, choice, relied, assumed, certainty, section, operations } = ofTeam
  return (
    <Page title={name}>
      <p class="question">{question}</p>
      <dl class="fields">
        <Item title="For this team">{choiceOf(ofTeam)}</Item>
        <Item title="For all teams">{choiceOf(ofAll)}</Item>
        <Item title="Assumed">
          <code>{assumed}</code>
        </Item>
        <Item title="How sure">
          {certainty === 'likely' ? 'The assumed choice is likely' : 'Open: no reason favours a choice'}
        </Item>
        <Item title="Relied on by">
          {relied.toLocaleString()} {relied === 1 ? 'answer' : 'answers'} of all teams.{' '}
          <a href={`${hrefOf(team, 'requests')}?assumed=${name}`}>Requests of this team that relied on it</a>
        </Item>
        <Item title="Operations">{operations === 'all' ? 'All' : operations.join(', ')}</Item>
        <Item title="Left open by">The section {section} of the specification</Item>
      </dl>
      <SwitchForm key={choice} team={team} entry={ofTeam} />
    </Page>
  )
}

const choiceOf = ({ choice, from }: SeenAssumption) => (
  <>
    <code>{choice}</code> <Badge tone={from === 'default' ? undefined : 'good'}>{origins[from]}</Badge>
  </>
)

/** The choices with their meaning. Those with an amount take a number, as in `perMinute:60`. */
function SwitchForm({
  team,
  entry: { name, choice, choices },
}: {
  readonly team: string
  readonly entry: SeenAssumption
}) {
  const [current = '', currentAmount] = choice.split(':')
  const [chosen, setChosen] = useState(current)
  const switchTo = async ({ amount, teams }: FilledIn) => {
    const written = amount === undefined ? chosen : `${chosen}:${amount}`
    const wanted = { [name]: written } as Written
    const whose = teams === 'all' ? 'all teams' : 'this team'
    await act(
      () => sandbox.value.assumptions.set(wanted, teams === 'all' ? undefined : { teamId: team }),
      `${name} is ${written} for ${whose}`,
    )
  }
  return (
    <Form class="card" onSubmit={switchTo}>
      <fieldset class="choices">
        <legend>Choices</legend>
        {choices.map((one) => (
          <div key={one.choice}>
            <label class="check">
              <input
                type="radio"
                name="choice"
                value={one.choice}
                checked={one.choice === chosen}
                onChange={() => setChosen(one.choice)}
              />
              <span>
                <code>{one.choice}</code> <span>{one.words}</span>
              </span>
            </label>
            {one.numberOf !== undefined && one.choice === chosen ? (
              <Field label={`Number of ${one.numberOf}`}>
                <input
                  name="amount"
                  type="number"
                  required
                  defaultValue={one.choice === current ? (currentAmount ?? '') : ''}
                />
              </Field>
            ) : null}
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
